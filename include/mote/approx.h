// Estimating a function and its derivatives from scattered samples: kernels, smoothed particle
// hydrodynamics (EG09 2) and moving least squares (EG09 3), in double.
//
// Points as in search.h. Values of a field with c components lie c together: f[c*i + k]. Gradients of
// such a field are 3 together per component: g[3*(c*i + k) + axis]. Axes beyond the dimensions are 0.
//
// Theory: docs/theory/approximation.md
#ifndef MOTE_APPROX_H
#define MOTE_APPROX_H

#include <mote/base.h>
#include <mote/search.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Kernels --------------------------------------------------------------------------------------------

// All are given by their support radius R, beyond which they are zero; with q = r/R.
typedef enum mote_kernel_kind {
  MOTE_KERNEL_POLY6,         // EG09 (86), (89): (1-q^2)^3
  MOTE_KERNEL_SPIKY,         // EG09 (92), (95): (1-q)^3
  MOTE_KERNEL_CUBIC_SPLINE,  // YU11 (3.14), R = 2h
  MOTE_KERNEL_DESBRUN,       // DES96 3.2: (2-r/h)^3, R = 2h
  MOTE_KERNEL_WENDLAND_C2,   // 1D: (1-q)^3 (1+3q); 2D, 3D: (1-q)^4 (1+4q)
  MOTE_KERNEL_GAUSSIAN,      // exp(-9 q^2) - exp(-9), i.e. cut at three standard lengths
  MOTE_KERNEL_SINGULAR,      // q^(-1/2) (1-q)^3: infinite at 0, hence interpolating
  MOTE_KERNEL_KINDS
} mote_kernel_kind;

typedef struct mote_kernel {
  mote_kernel_kind kind;
  int dimensions;
  double radius;  // support
  double scale;   // makes the integral 1: set by mote_kernel_make
} mote_kernel;

// An unknown kind, dimensions other than 1, 2, 3, or a radius that is not positive or beyond what doubles
// hold gives the kernel of scale 0, which is zero everywhere.
MOTE_API mote_kernel mote_kernel_make(mote_kernel_kind kind, int dimensions, double radius);
MOTE_API const char *mote_kernel_name(mote_kernel_kind kind);
// At a distance r >= 0: the value; its first and second derivative along r; the true Laplacian
// w'' + (d-1) w'/r. At r = 0 the derivative is 0 as the gradient is, and the others are limits: infinite for
// the Laplacian of the kernels with a peak (spiky, Desbrun, singular).
MOTE_API double mote_kernel_value(const mote_kernel *kernel, double r);
MOTE_API double mote_kernel_derivative(const mote_kernel *kernel, double r);
MOTE_API double mote_kernel_second(const mote_kernel *kernel, double r);
MOTE_API double mote_kernel_laplacian(const mote_kernel *kernel, double r);
// Gradient with respect to x_i at x_ij = x_i - x_j; zero at zero.
MOTE_API void mote_kernel_gradient(const mote_kernel *kernel, const double xij[3], double out[3]);
// W(r, G) of YU11 (4.4): G symmetric positive definite takes r to units of the support radius, so that
// G = I/R is the plain kernel; upper triangle xx xy xz yy yz zz. kernel->radius is not used.
MOTE_API double mote_kernel_anisotropic(const mote_kernel *kernel, const double G[6], const double r[3]);

// --- Smoothed particle hydrodynamics -------------------------------------------------------------------

// A set of samples with masses, their neighbour lists and densities.
typedef struct mote_sph mote_sph;

typedef struct mote_sph_def {
  mote_domain domain;
  mote_kernel_kind kernel;  // not SINGULAR, which makes every density infinite
  double radius;            // support, the same for all
  const double *position;   // copied
  const double *mass;       // copied; positive; null: all 1
  size_t count;
  const double *boundary;         // samples of a wall that only add to the density (EG09 6.3); may be null
  const double *boundary_volume;  // volume of each; counts as this times rest_density
  size_t boundary_count;
  double rest_density;
} mote_sph_def;

MOTE_API mote_sph_def mote_sph_def_default(void);
MOTE_API mote_result mote_sph_create(const mote_sph_def *def, const mote_env *env, mote_sph **out,
                                     mote_error *error);
MOTE_API void mote_sph_destroy(mote_sph *sph);
MOTE_API const double *mote_sph_density(const mote_sph *sph);  // EG09 (5), boundary included
MOTE_API const double *mote_sph_volume(const mote_sph *sph);   // m/rho, EG09 (4)
MOTE_API const mote_lists *mote_sph_lists(const mote_sph *sph);

typedef enum mote_gradient_form {
  MOTE_GRADIENT_PLAIN,       // EG09 (9)
  MOTE_GRADIENT_DIFFERENCE,  // EG09 (13): zero on constants
  MOTE_GRADIENT_DENSITY,     // EG09 (17): zero on constants
  MOTE_GRADIENT_SYMMETRIC,   // EG09 (19) with the plus sign: conserves momentum as a force
  MOTE_GRADIENT_MEAN,        // sum V (f_i + f_j) grad W: EG09 below (50) without its half; conserves momentum
  MOTE_GRADIENT_CORRECTED,   // (13) times the inverse moment matrix: exact on linear functions
  MOTE_GRADIENT_FORMS
} mote_gradient_form;

typedef enum mote_laplacian_form {
  MOTE_LAPLACIAN_PLAIN,       // EG09 (11) with the true Laplacian of the kernel
  MOTE_LAPLACIAN_DIFFERENCE,  // EG09 (15): zero on constants
  MOTE_LAPLACIAN_PAIR,        // 2 sum V f_ij x_ij.grad W/(|x_ij|^2+eps): conserves heat, linear momentum
  MOTE_LAPLACIAN_CENTRAL,     // 2(d+2) sum V (v_ij.x_ij) grad W/(|x_ij|^2+eps): d components; both momenta
  MOTE_LAPLACIAN_FORMS
} mote_laplacian_form;

MOTE_API const char *mote_gradient_name(mote_gradient_form form);
MOTE_API const char *mote_laplacian_name(mote_laplacian_form form);

// At the samples; `out` must not overlap `field`. divergence: `field` has `dimensions` components, one number
// out per sample. The PLAIN Laplacian needs a kernel without a peak (not spiky, not Desbrun).
MOTE_API mote_result mote_sph_value(const mote_sph *sph, const double *field, int components, double *out,
                                    mote_error *error);
MOTE_API mote_result mote_sph_gradient(const mote_sph *sph, mote_gradient_form form, const double *field,
                                       int components, double *out, mote_error *error);
MOTE_API mote_result mote_sph_divergence(const mote_sph *sph, mote_gradient_form form, const double *field,
                                         double *out, mote_error *error);
MOTE_API mote_result mote_sph_laplacian(const mote_sph *sph, mote_laplacian_form form, const double *field,
                                        int components, double *out, mote_error *error);

// At arbitrary points. What is null is not computed. Shepard divides the value by the sum of V W, where
// there is one (else 0). When memory runs out the results may be written in part.
typedef struct mote_sph_sample_def {
  const double *position;
  size_t count;
  const double *field;
  int components;
  bool shepard;
  double *value;      // count * components, EG09 (3)
  double *gradient;   // 3 * count * components, EG09 (9)
  double *laplacian;  // count * components, EG09 (11)
  double *density;    // count, EG09 (7)
} mote_sph_sample_def;

MOTE_API mote_sph_sample_def mote_sph_sample_def_default(void);
MOTE_API mote_result mote_sph_sample(const mote_sph *sph, const mote_sph_sample_def *def, mote_error *error);

// --- Moving least squares ---------------------------------------------------------------------------------

// The weight of sample i at offset = x - x_i (|offset| <= radius), its gradient with respect to x, and
// its second derivatives xx xy xz yy yz zz. Only the first `derivatives` (0, 1, 2) kinds are asked for; what
// is not written is 0. A factor common to all weights changes nothing. An infinite weight makes the samples
// that have it interpolated. Negative weights and numbers that are not finite are an error (NUMERIC).
// May be called from several threads at once.
typedef void mote_weight_fn(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                            int derivatives, double *w, double dw[3], double ddw[6]);

// When the moments are singular (samples on a plane, too few).
typedef enum mote_mls_rescue {
  // The smallest coefficients that fit best, lower orders first: constants stay exact, polynomials and their
  // derivatives stay exact along the plane or line, and nothing varies across it.
  MOTE_MLS_PSEUDO_INVERSE,
  // The highest order below which nothing is singular (MLSPH, EG09 4).
  MOTE_MLS_LOWER_ORDER,
} mote_mls_rescue;

typedef struct mote_mls mote_mls;

typedef struct mote_mls_def {
  mote_domain domain;
  int order;               // 0, 1, 2
  const double *position;  // copied
  size_t count;
  const double *radius;     // copied; one per sample, or one for all:
  double uniform_radius;    // read when radius is null
  mote_kernel_kind kernel;  // the weight, unless a callback is given
  mote_weight_fn *weight;   // null: the kernel
  void *weight_user;
  mote_mls_rescue rescue;
  double tolerance;  // singular values below this times their sum over all are zero
} mote_mls_def;

// Order 1 in open 3D, the Wendland kernel, pseudo-inverse, tolerance 1e-10. The kernel must not be peaked
// (spiky, Desbrun, singular) where second derivatives near samples are to be of use.
MOTE_API mote_mls_def mote_mls_def_default(void);
MOTE_API mote_result mote_mls_create(const mote_mls_def *def, const mote_env *env, mote_mls **out,
                                     mote_error *error);
MOTE_API void mote_mls_destroy(mote_mls *mls);

// Shape functions of many points, kept to be applied to any number of fields: EG09 (26)-(34).
typedef struct mote_mls_shapes mote_mls_shapes;

// What became of one point.
typedef struct mote_mls_fit {
  int order;         // of the basis used; -1: no sample in reach, everything is 0
  int rank;          // of the moments; below the size of the basis asked for: rescued
  double condition;  // largest over smallest singular value kept, from above (traces stand for the values)
} mote_mls_fit;

// derivatives: 0 value, 1 gradient as well, 2 second derivatives as well. They are the true derivatives of
// the approximation, not those of the fitted polynomial; only at a sample of infinite weight, where the
// approximation has a cusp, they are those of the polynomial through it. Second derivatives converge for
// order 2 only.
MOTE_API mote_result mote_mls_shapes_create(const mote_mls *mls, const double *position, size_t count,
                                            int derivatives, const mote_env *env, mote_mls_shapes **out,
                                            mote_error *error);
MOTE_API void mote_mls_shapes_destroy(mote_mls_shapes *shapes);
MOTE_API const mote_lists *mote_mls_shapes_lists(const mote_mls_shapes *shapes);
// Phi_i, and its derivatives, at the entries of the lists: value[k]; gradient[3k + axis];
// second[6k + {xx xy xz yy yz zz}]. Null where not asked for.
MOTE_API const double *mote_mls_shapes_value(const mote_mls_shapes *shapes);
MOTE_API const double *mote_mls_shapes_gradient(const mote_mls_shapes *shapes);
MOTE_API const double *mote_mls_shapes_second(const mote_mls_shapes *shapes);
MOTE_API const mote_mls_fit *mote_mls_shapes_fit(const mote_mls_shapes *shapes);

// Any of value, gradient, laplacian may be null; what was not created is an argument error.
MOTE_API mote_result mote_mls_apply(const mote_mls_shapes *shapes, const double *field, int components,
                                    double *value, double *gradient, double *laplacian, mote_error *error);

// The direct gradient at the samples, EG09 (37)-(38): 3 * count * components.
MOTE_API mote_result mote_mls_direct_gradient(const mote_mls *mls, const double *field, int components,
                                              double *gradient, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
