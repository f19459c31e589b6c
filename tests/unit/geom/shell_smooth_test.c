// Samples of curved walls against the exact integrals over the solid, at places up to one and a half spacings
// from the surface: a wall without friction pushes along its normal alone, and weighs as much everywhere.
#include <mote/mote.h>

#include "mesh_kit.h"
#include "shape_kit.h"
#include "test.h"

#define SPACING 0.01
#define SUPPORT 3.0        // in spacings, as of the default kernel
#define PLACES 400         // around the surface
#define LEVELS 4           // distances from it
#define RINGS 3000         // of the exact integral
#define TANGENT_2D 0.0015  // largest rms tangential part of the gradient
#define TANGENT_3D 0.003

static const double level[LEVELS] = {0.25, 0.5, 1.0, 1.5};  // in spacings
static const double density_slack[LEVELS] = {0.05, 0.05, 0.05, 0.08};

typedef struct ball {
  double radius;
  int dimensions;
  bool hollow;  // a container: solid outside of the radius
  bool mesh;
} ball;

typedef struct wall_sum {
  double value, along[3];
} wall_sum;

// The part of the circle or sphere of radius s around a place that lies in the ball, r from its middle, and
// the mean cosine there to the middle, over that part, times the part.
static double part_inside(const ball *b, double r, double s, double *lean) {
  double c = (r * r + s * s - b->radius * b->radius) / (2.0 * r * s);  // cosine at the rim
  c = fmin(1.0, fmax(-1.0, c));
  *lean = b->dimensions == 3 ? 0.25 * (1.0 - c * c) : mote_sin(mote_acos(c)) / 3.14159265358979323846;
  return b->dimensions == 3 ? 0.5 * (1.0 - c) : mote_acos(c) / 3.14159265358979323846;
}

// Of W over the solid, and of its gradient outward.
static wall_sum exact_sum(const ball *b, const mote_kernel *kernel, double r) {
  wall_sum sum = {0};
  double step = kernel->radius / RINGS, pi = 3.14159265358979323846;
  for (int k = 0; k < RINGS; ++k) {
    double s = (k + 0.5) * step, lean;
    double area = b->dimensions == 3 ? 4.0 * pi * s * s : 2.0 * pi * s, part = part_inside(b, r, s, &lean);
    if (b->hollow) part = 1.0 - part, lean = -lean;
    sum.value += area * step * part * mote_kernel_value(kernel, s);
    sum.along[0] += area * step * lean * mote_kernel_derivative(kernel, s);
  }
  return sum;
}

static wall_sum sample_sum(const mote_samples *samples, const mote_kernel *kernel, const double x[3]) {
  wall_sum sum = {0};
  for (size_t j = 0; j < samples->count; ++j) {
    double apart[3], gradient[3];
    for (int k = 0; k < 3; ++k) apart[k] = x[k] - samples->position[3 * j + k];
    if (fabs(apart[0]) >= kernel->radius || fabs(apart[1]) >= kernel->radius) continue;
    double r = sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    sum.value += samples->volume[j] * mote_kernel_value(kernel, r);
    mote_kernel_gradient(kernel, apart, gradient);
    for (int k = 0; k < 3; ++k) sum.along[k] += samples->volume[j] * gradient[k];
  }
  return sum;
}

// Evenly over the circle or the sphere.
static void direction_of(int dimensions, int k, double n[3]) {
  double turn = 2.399963229728653 * k, z = dimensions == 3 ? 1.0 - 2.0 * (k + 0.5) / PLACES : 0.0;
  if (dimensions == 2) turn = 2.0 * 3.14159265358979323846 * (k + 0.37) / PLACES;
  n[0] = sqrt(1.0 - z * z) * mote_cos(turn), n[1] = sqrt(1.0 - z * z) * mote_sin(turn), n[2] = z;
}

static mote_samples samples_of(const ball *b) {
  static const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
  mote_mesh mesh = {0};
  mote_shape_def def = mote_shape_def_sphere(0, 0, 0, b->radius);
  if (b->mesh) {
    mesh = kit_sphere(5);
    def = mote_shape_def_default();
    def.kind = MOTE_SHAPE_MESH, def.mesh = mesh, def.scale = b->radius;
  }
  def.inverted = b->hollow;
  mote_shape *shape = kit_shape(&def, b->dimensions);
  mote_samples samples = {0};
  CHECK(shape != NULL && mote_shape_shell(shape, SPACING, SUPPORT * SPACING, low, high, 1000000, NULL,
                                          &samples, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
  kit_free(&mesh);
  return samples;
}

static void test_ball(ball b) {
  mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_WENDLAND_C2, b.dimensions, SUPPORT * SPACING);
  mote_samples samples = samples_of(&b);
  printf("%dD, radius %g, %s%s: %zu samples\n", b.dimensions, b.radius / SPACING,
         b.hollow ? "hollow" : "full", b.mesh ? ", mesh" : "", samples.count);
  for (int l = 0; l < LEVELS; ++l) {
    double r = b.radius + (b.hollow ? -1.0 : 1.0) * level[l] * SPACING, tangent = 0.0, mean = 0.0,
           worst = 0.0;
    wall_sum exact = exact_sum(&b, &kernel, r);
    for (int k = 0; k < PLACES; ++k) {
      double n[3], x[3], normal = 0.0, square = 0.0;
      direction_of(b.dimensions, k, n);
      for (int a = 0; a < 3; ++a) x[a] = r * n[a];
      wall_sum sum = sample_sum(&samples, &kernel, x);
      for (int a = 0; a < 3; ++a) normal += n[a] * sum.along[a], square += sum.along[a] * sum.along[a];
      tangent += fmax(0.0, square - normal * normal);
      mean += sum.value / exact.value / PLACES;
      worst = fmax(worst, fabs(sum.value / exact.value - 1.0));
    }
    tangent = sqrt(tangent / PLACES) / fabs(exact.along[0]);
    printf("  %.2f d: tangential %.3f %%, density %.3f of the exact (worst %.3f)\n", level[l],
           100.0 * tangent, mean, worst);
    CHECK(tangent < (b.dimensions == 2 ? TANGENT_2D : TANGENT_3D));
    CHECK(worst < density_slack[l]);  // at every place
  }
  mote_samples_free(&samples, NULL);
}

int main(void) {
  for (int k = 0; k < 4; ++k) {
    double radius = (k % 2 == 0 ? 10.0 : 20.0) * SPACING;
    bool hollow = k / 2 == 1;
    test_ball((ball){radius, 2, hollow, false});
    test_ball((ball){radius, 3, hollow, false});
    if (k % 2 == 0) TEST_LONG(test_ball((ball){radius, 3, hollow, true}));  // the larger ones take 5 s each
  }
  return test_end();
}
