// The flat surface of a fluid with tension: see tension_plane.h.
//
// Rows of fluid at depths (k + 1/2) h, each as a plane: what two planes do to each other are integrals of the
// kernel and of the pair force over one of them. The pressure is the one with which no row moves.
#include "material/tension_plane.h"

#include "material/tuning.inc"

#define PLANE_POINTS 256  // of an integral over a plane
#define DEPTH_ROWS (4 * MOTE_TENSION_ROWS)
// Rows: those below DEPTH_ROWS have the pressure of the last above
#define ALL_ROWS (DEPTH_ROWS + MOTE_TENSION_ROWS + 1)
#define GHOST_TABLE_STEPS 512  // steps of depth in the table of ghosts
#define BISECTION_HALVINGS 40

// --- Integrals over a plane at the distance z ---

typedef struct plane_sums {
  double value, slope;  // of the kernel: w1 and its derivative
  double pair_force;    // normal part of the pair force q (1 - q)^2
} plane_sums;

static plane_sums sums_at(const mote_kernel *kernel, double z) {
  plane_sums sum = {0.0, 0.0, 0.0};
  if (z >= 1.0) return sum;
  double wide = sqrt(1.0 - z * z), dt = wide / PLANE_POINTS;
  for (int k = 0; k < PLANE_POINTS; ++k) {
    double t = (k + 0.5) * dt, r = sqrt(t * t + z * z), gradient[3], x[3] = {z, t, 0.0};
    double area = (kernel->dimensions == 2 ? 2.0 : 2.0 * MOTE_PI * t) * dt;
    mote_kernel_gradient(kernel, x, gradient);
    sum.value += area * mote_kernel_value(kernel, r), sum.slope += area * gradient[0];
    sum.pair_force += area * (1.0 - r) * (1.0 - r) * z;
  }
  return sum;
}

// --- The pressure below a flat surface ---

typedef struct rows {
  double h;
  double slope[ALL_ROWS], bend[ALL_ROWS], pair_force[ALL_ROWS];  // by distance
  double force[DEPTH_ROWS];                                      // of tension, towards the surface
  double pressure_force[DEPTH_ROWS][DEPTH_ROWS];                 // force of a pressure
  double pressure[DEPTH_ROWS];
} rows;

static inline double side(int i, int j) {
  return j > i ? 1.0 : j < i ? -1.0 : 0.0;
}
static inline int apart(int i, int j) {
  return j > i ? j - i : i - j;
}

static void fill_rows(rows *r, const mote_kernel *kernel) {
  const double step = 1e-3;
  r->h = 1.0 / MOTE_TENSION_ROWS;
  for (int k = 0; k < ALL_ROWS; ++k) {
    double z = k * r->h, low = k == 0 ? -sums_at(kernel, step).slope : sums_at(kernel, z - step).slope;
    plane_sums at = sums_at(kernel, z);
    r->slope[k] = at.slope, r->pair_force[k] = at.pair_force;
    r->bend[k] = (sums_at(kernel, z + step).slope - low) / (2.0 * step);
  }
}

// The forces of tension on rows, and of a pressure of 1 in each of them.
static void find_forces(rows *r, double share, int dimensions) {
  double m[ALL_ROWS] = {0}, s = mote_tension_strength(dimensions, 1.0, share), e = MOTE_TENSION_NOISE;
  for (int i = 0; i < DEPTH_ROWS; ++i) {
    double n = 0.0;
    for (int j = 0; j < ALL_ROWS; ++j) n += r->h * side(i, j) * r->slope[apart(i, j)];
    m[i] = 2.0 * (1.0 - share) * n / sqrt(n * n + e * e);
  }
  for (int i = 0; i < DEPTH_ROWS; ++i) {
    r->force[i] = 0.0;
    for (int j = 0; j < DEPTH_ROWS; ++j) r->pressure_force[i][j] = 0.0;
    for (int j = 0; j < ALL_ROWS; ++j) {
      int k = apart(i, j);
      double force = -r->h * side(i, j) * r->slope[k];
      r->force[i] -= r->h * (s * side(i, j) * r->pair_force[k] + r->bend[k] * (m[i] - m[j]));
      r->pressure_force[i][i] += force, r->pressure_force[i][j < DEPTH_ROWS ? j : DEPTH_ROWS - 1] += force;
    }
  }
}

// Gauss without pivots: the matrix is that of a mean of squares.
static void solve(double A[DEPTH_ROWS][DEPTH_ROWS], double x[DEPTH_ROWS]) {
  for (int p = 0; p < DEPTH_ROWS; ++p) {
    for (int q = p + 1; q < DEPTH_ROWS; ++q) {
      double by = A[q][p] / A[p][p];
      for (int k = p; k < DEPTH_ROWS; ++k) A[q][k] -= by * A[p][k];
      x[q] -= by * x[p];
    }
  }
  for (int p = DEPTH_ROWS - 1; p >= 0; --p) {
    for (int k = p + 1; k < DEPTH_ROWS; ++k) x[p] -= A[p][k] * x[k];
    x[p] /= A[p][p];
  }
}

// The smoothest pressure that leaves the least force.
static void find_pressure(rows *r) {
  double A[DEPTH_ROWS][DEPTH_ROWS], largest = 0.0;
  for (int a = 0; a < DEPTH_ROWS; ++a) {
    r->pressure[a] = 0.0;
    for (int i = 0; i < DEPTH_ROWS; ++i) r->pressure[a] -= r->pressure_force[i][a] * r->force[i];
    for (int b = 0; b < DEPTH_ROWS; ++b) {
      A[a][b] = 0.0;
      for (int i = 0; i < DEPTH_ROWS; ++i) A[a][b] += r->pressure_force[i][a] * r->pressure_force[i][b];
    }
    largest = fmax(largest, A[a][a]);
  }
  static const double second[3] = {1.0, -2.0, 1.0};
  for (int i = 1; i + 1 < DEPTH_ROWS; ++i) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b)
        A[i - 1 + a][i - 1 + b] += SMOOTHING_WEIGHT * largest * second[a] * second[b];
    }
  }
  solve(A, r->pressure);
}

// --- All ---

double mote_tension_length(const mote_tension_plane *plane, double x) {
  double sum = 0.0, e = MOTE_TENSION_NOISE;
  for (int k = 0; k <= MOTE_TENSION_ROWS; ++k) {
    double n = x * plane->normal[k];
    sum += (k == 0 ? 0.5 : 1.0) * (sqrt(n * n + e * e) - e);
  }
  return 2.0 * sum / MOTE_TENSION_ROWS;
}

// Pressure does no work on what stays as dense as it is. But gas yields without a force: what it contributes
// to D is lost, and with it the tension of P z |n|.
static double tension_of(const mote_tension_plane *plane, const rows *r, const mote_kernel *kernel) {
  double sum = plane->share + (1.0 - plane->share) * mote_tension_length(plane, 1.0);
  for (int i = 0; i < MOTE_TENSION_ROWS; ++i) {
    double z = (i + 0.5) * r->h;
    sum -= r->h * r->pressure[i] * z * sums_at(kernel, z).value;
  }
  return sum;
}

// Normals that may be noise have no air.
static void fill_ghost_density(mote_tension_plane *plane, const mote_kernel *kernel) {
  double value[GHOST_TABLE_STEPS + 1], beyond[GHOST_TABLE_STEPS + 1], least = 0.0;
  for (int k = 0; k <= GHOST_TABLE_STEPS; ++k)
    value[k] = sums_at(kernel, (double)k / GHOST_TABLE_STEPS).value;
  beyond[GHOST_TABLE_STEPS] = 0.0;
  for (int k = GHOST_TABLE_STEPS - 1; k >= 0; --k) {
    beyond[k] = beyond[k + 1] + 0.5 / GHOST_TABLE_STEPS * (value[k] + value[k + 1]);
    if (value[k] < 0.5 * MOTE_TENSION_NOISE) least = beyond[k];
  }
  for (int k = 0, z = 0; k <= MOTE_TENSION_GHOSTS; ++k) {
    double t = (double)k / MOTE_TENSION_GHOSTS, n = value[0] * (1.0 - t * t);
    while (z < GHOST_TABLE_STEPS && value[z + 1] > n) ++z;
    double fall = z < GHOST_TABLE_STEPS ? value[z] - value[z + 1] : 0.0,
           part = fall > 0.0 ? (value[z] - n) / fall : 0.0;
    double ghost_density =
        beyond[z] - (z < GHOST_TABLE_STEPS ? part * (beyond[z] - beyond[z + 1]) : 0.0) - least;
    plane->ghost_density[k] = ghost_density > 0.0 ? (float)ghost_density : 0.0f;
  }
}

mote_tension_plane mote_tension_plane_make(const mote_solver_def *solver, int dimensions) {
  mote_tension_plane plane = {.share = mote_tension_pairs(solver)};
  mote_kernel kernel = mote_kernel_make(solver->kernel, dimensions, 1.0);
  rows r;
  plane.strength = 1.0;
  for (int k = 0; k <= MOTE_TENSION_ROWS; ++k) {
    plane.normal[k] = sums_at(&kernel, (double)k / MOTE_TENSION_ROWS).value;
  }
  if (plane.share == 1.0) return plane;
  fill_rows(&r, &kernel);
  find_forces(&r, plane.share, dimensions);
  find_pressure(&r);
  plane.strength = 1.0 / tension_of(&plane, &r, &kernel);
  fill_ghost_density(&plane, &kernel);
  return plane;
}

// The part of all that parts them which has the energy t: of pairs it is as much as said, of normals less.
static double part_of(const mote_tension_plane *plane, double t) {
  double low = 0.0, high = 1.0;
  for (int k = 0; k < BISECTION_HALVINGS; ++k) {
    double x = 0.5 * (low + high);
    double energy = plane->share * x + (1.0 - plane->share) * mote_tension_length(plane, x);
    if (plane->strength * energy < t)
      low = x;
    else
      high = x;
  }
  return t > 0.0 ? high : 0.0;
}

mote_tension_pair mote_tension_fluids(const mote_tension_plane *plane, double own, double other,
                                      double between) {
  double sum = own + other;
  if (!(sum > 0.0)) return (mote_tension_pair){0.0, 1.0};
  double x = part_of(plane, between / sum);
  return (mote_tension_pair){0.5 * plane->strength * plane->share * sum * (1.0 - x), 1.0 - x};
}

// A wall that is shunned is as another fluid. One that is wetted counts fully in normals, which cannot make
// its energy negative: pairs do.
mote_tension_pair mote_tension_wall(const mote_tension_plane *plane, double sigma, double angle) {
  double c = mote_cos(angle), pairs = plane->strength * plane->share;
  if (c > 0.0) return (mote_tension_pair){0.5 * sigma * (pairs + c), 1.0};
  double x = part_of(plane, -c);
  return (mote_tension_pair){0.5 * sigma * pairs * (1.0 - x), 1.0 - x};
}
