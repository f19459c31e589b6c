// Validation of elastic bodies against exact values: patch test, rigid turns, forces and stiffness by
// differences, uniaxial stretch, plastic set, the volume term. 2D is plane strain. Theory:
// docs/theory/elastic.md
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "validate/elastic/elastic_trial.h"

#define PI 3.14159265358979323846
#define S 0.05  // spacing, m

static const double far_away[3] = {100.0, -100.0, 100.0}, nowhere[3] = {0};

static elastic_trial_def block_def(int dimensions, double young, int n) {
  elastic_trial_def def = elastic_trial_def_of(dimensions, young, 0.3);
  elastic_trial_def_box(&def, n + 1, n, dimensions == 3 ? n - 1 : 1, S);
  return def;
}

static void green(const double g[9], double strain[6]) {
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int e = 0; e < 6; ++e) {
    int a = row[e], b = column[e];
    strain[e] = 0.5 * (g[3 * a + b] + g[3 * b + a]);
    for (int k = 0; k < 3; ++k) strain[e] += 0.5 * g[3 * k + a] * g[3 * k + b];
  }
}

// --- Patch test and turns ---------------------------------------------------------------------------------

static void patch(validation *v, int dimensions, int order, mote_elastic_gradients gradient) {
  elastic_trial_def def = block_def(dimensions, 1e6, 7);
  def.elastic.order = order, def.elastic.gradient = gradient, def.jitter = 0.25;
  memcpy(def.corner, far_away, sizeof far_away);
  elastic_trial s = elastic_trial_open(v, &def);
  double A[9] = {1.001, 0.0007, 0.0, -0.0004, 0.999, 0.0, 0.0, 0.0, 1.0}, g[9], exact[6], found[6], off = 0.0;
  if (dimensions == 3) A[2] = 5e-4, A[7] = -9e-4, A[8] = 1.0006;
  for (int e = 0; e < 9; ++e) g[e] = A[e] - (e % 4 == 0);
  green(g, exact);
  elastic_trial_map(&s, A, nowhere, (const double[3]){3.0, -2.0, 0.0});
  elastic_trial_find_gradients(&s);
  for (size_t i = 0; i < s.count; ++i) {
    green(s.gradient + 9 * i, found);
    for (int e = 0; e < 6; ++e) off = fmax(off, fabs(found[e] - exact[e]));
  }
  char name[96];
  snprintf(name, sizeof name, "strain of a linear field, %dD, order %d%s", dimensions, order,
           gradient == MOTE_ELASTIC_ANALYTIC ? ", analytic" : "");
  elastic_trial_report(&s, name, MEASURE_NEAR, off / 1e-3, 0.0, 1e-6, "exact; 0.1 %, 100 m off, jitter 0.25");
  elastic_trial_close(&s);
}

void validate_elastic_patch(validation *v) {
  for (int c = 0; c < 8; ++c) patch(v, 2 + c / 2 % 2, 1 + c % 2, (mote_elastic_gradients)(c / 4));
}

// Rodrigues: by `angle` about an axis of length 1.
static void turn_matrix(const double n[3], double angle, double R[9]) {
  double c = mote_cos(angle), w = mote_sin(angle);
  const double N[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  for (int e = 0; e < 9; ++e) {
    R[e] = (e % 4 == 0 ? c : 0.0) + (1.0 - c) * n[e / 3] * n[e % 3] + w * N[e];
  }
}

// The root mean square of forces, over what displacements of 1.4e-14 m, the rounding of positions at 100 m,
// can make at most: m omega^2 times that, with the highest frequency 2/limit.
static double over_rounding(elastic_trial *s) {
  double sum = 0.0, limit = 1.0, force, ulp = 1.42e-14;
  if (!s->ok) return 0.0;
  elastic_trial_find_forces(s);
  elastic_trial_keep(s, mote_elastic_find_limit(s->body, 1.0, &limit, &s->error));
  for (size_t k = 0; k < 3 * s->count; ++k) sum += s->force[k] * s->force[k];
  force = sqrt(sum / (double)s->count);
  return force / (mote_elastic_mass(s->body)[0] * 4.0 / (limit * limit) * ulp);
}

void validate_elastic_turn(validation *v) {
  static const double axis[3] = {0.48, 0.6, 0.64}, up[3] = {0.0, 0.0, 1.0};
  for (int d = 2; d <= 3; ++d) {
    elastic_trial_def def = block_def(d, 1e9, 7);
    def.jitter = 0.2;
    memcpy(def.corner, far_away, sizeof far_away);
    elastic_trial s = elastic_trial_open(v, &def);
    double centre[3], R[9], worst = 0.0, floats;
    elastic_trial_middle(&s, centre);
    for (int k = 0; k <= 36; ++k) {
      turn_matrix(d == 3 ? axis : up, k * PI / 18.0, R);
      elastic_trial_map(&s, R, centre, (const double[3]){0.3, -0.2, 0.0});
      worst = fmax(worst, over_rounding(&s));
    }
    for (size_t k = 0; k < 3 * s.count; ++k) s.x[k] = (double)(float)s.x[k];
    floats = over_rounding(&s);
    char name[96];
    snprintf(name, sizeof name, "force of a turned body over that of rounding, %dD", d);
    elastic_trial_report(&s, name, MEASURE_NEAR, worst, 0.0, 1.0, "zero: m w^2 1.4e-14 m, E 1e9, 100 m off");
    snprintf(name, sizeof name, "  if positions were floats, %dD", d);
    elastic_trial_report(&s, name, MEASURE_SHOWN, floats, 0.0, 0.0, "why they are doubles");
    elastic_trial_close(&s);
  }
}

// --- Forces and stiffness by differences
// --------------------------------------------------------------------

static void shake(elastic_trial *s, double size, uint64_t stream, double *x) {
  for (size_t k = 0; k < 3 * s->count; ++k) {
    if ((int)(k % 3) < s->dimensions) x[k] += size * elastic_trial_random(stream, k);
  }
}

// -f . d against the difference of energies along d; K d against that of forces. Strains of some per cent.
static void differ(validation *v, int dimensions, int order, mote_elastic_kind kind) {
  static const char *const law[] = {"Saint-Venant", "corotated", "neo-Hookean"};
  elastic_trial_def def = block_def(dimensions, 1e6, 5);
  def.elastic.order = order, def.elastic.kind = kind, def.elastic.volume_stiffness = 2e5, def.jitter = 0.2;
  elastic_trial s = elastic_trial_open(v, &def);
  size_t n = 3 * s.count;
  double h = 1e-5 * S, force_off = 0.0, stiff_off = 0.0, size = 0.0, *direction = s.velocity,
         *product = s.load;
  shake(&s, 0.05 * S, 20, s.x);
  mote_elastic_motion motion = elastic_trial_motion(&s);
  for (uint64_t t = 0; t < 3 && s.ok; ++t) {
    double slope = 0.0, difference, *at = s.gradient;  // 9 numbers a particle: room for two fields
    memset(direction, 0, n * sizeof *direction);
    shake(&s, 1.0, 30 + t, direction);
    elastic_trial_find_forces(&s);
    for (size_t k = 0; k < n; ++k) slope -= s.force[k] * direction[k];
    elastic_trial_keep(&s, mote_elastic_find_stiffness(s.body, &motion, direction, product, &s.error));
    for (size_t k = 0; k < n; ++k) s.x[k] += h * direction[k];
    difference = elastic_trial_stored(&s), elastic_trial_find_forces(&s);
    memcpy(at, s.force, n * sizeof *at);
    for (size_t k = 0; k < n; ++k) s.x[k] -= 2.0 * h * direction[k];
    difference -= elastic_trial_stored(&s), elastic_trial_find_forces(&s);
    for (size_t k = 0; k < n; ++k) s.x[k] += h * direction[k];
    force_off = fmax(force_off, fabs(difference / (2.0 * h) / slope - 1.0));
    size = elastic_trial_largest(product, n);
    for (size_t k = 0; k < n; ++k) {
      stiff_off = fmax(stiff_off, fabs((s.force[k] - at[k]) / (2.0 * h) - product[k]) / size);
    }
  }
  char name[96];
  snprintf(name, sizeof name, "force, %s, %dD, order %d", law[kind], dimensions, order);
  elastic_trial_report(&s, name, MEASURE_NEAR, force_off, 0.0, 1e-5, "-dE/dx by differences");
  snprintf(name, sizeof name, "stiffness, %s, %dD, order %d", law[kind], dimensions, order);
  elastic_trial_report(&s, name, MEASURE_NEAR, stiff_off, 0.0, 1e-5, "-df/dx by differences");
  elastic_trial_close(&s);
}

void validate_elastic_differences(validation *v) {
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    differ(v, 2, 2, (mote_elastic_kind)kind);
    differ(v, 3, 2, (mote_elastic_kind)kind);
    if (!validation_quick(v)) differ(v, 3, 1, (mote_elastic_kind)kind);
  }
}

// --- Stretch
// ------------------------------------------------------------------------------------------------

// A bar drawn out between two grips, which hold its end rows as they were. At its middle the closed form of
// Saint-Venant-Kirchhoff's law holds: nothing is said there. The grips' force is the stress times the face.
static void stretch(validation *v, int dimensions, double by) {
  double nu = 0.3, young = 1e6;
  int across = validation_quick(v) ? 4 : 6, along = 6 * across;
  elastic_trial_def def = elastic_trial_def_of(dimensions, young, nu);
  elastic_trial_def_box(&def, along, across, dimensions == 3 ? across : 1, S);
  elastic_trial s = elastic_trial_open(v, &def);
  for (size_t i = 0; i < s.count; ++i) {
    int row = elastic_trial_row(&s, i, 0);
    s.held[i] = row == 0 || row == along - 1;
    s.x[3 * i] *= by;
  }
  elastic_trial_settle(&s);
  elastic_trial_find_gradients(&s), elastic_trial_find_forces(&s);
  double along_x = 0.0, across_y = 0.0, tension = 0.0, face = pow(across * S, dimensions - 1);
  size_t middle = s.count / (size_t)along * (size_t)(along / 2), section = s.count / (size_t)along;
  for (size_t i = middle; i < middle + section; ++i) {
    along_x += (1.0 + s.gradient[9 * i]) / (double)section;
    across_y += (1.0 + s.gradient[9 * i + 4]) / (double)section;
  }
  for (size_t i = 0; i < section; ++i) tension += s.force[3 * i];
  double ratio = dimensions == 3 ? nu : nu / (1.0 - nu),
         modulus = dimensions == 3 ? 1.0 : 1.0 / (1.0 - nu * nu);
  double strain = 0.5 * (along_x * along_x - 1.0), thin = sqrt(1.0 - 2.0 * ratio * strain);
  char name[96];
  snprintf(name, sizeof name, "contraction at %.3f, %dD", along_x, dimensions);
  elastic_trial_report(&s, name, MEASURE_NEAR, (1.0 - across_y) / (1.0 - thin), 1.0, 0.01,
                       "sqrt(1 - nu (l^2 - 1)), SVK");
  snprintf(name, sizeof name, "stress at %.3f, %dD", along_x, dimensions);
  elastic_trial_report(&s, name, MEASURE_NEAR, tension / (face * young * modulus * along_x * strain), 1.0,
                       0.01, "E l (l^2 - 1)/2, SVK");
  elastic_trial_close(&s);
}

// Pressed by less than (2 pi)^2/12 (h/l)^2 = 9 %, at which a bar six times as long as thick buckles.
void validate_elastic_stretch(validation *v) {
  for (int d = 2; d <= 3; ++d) {
    stretch(v, d, 1.01);
    stretch(v, d, 1.1);
    if (d == 2 || !validation_quick(v)) stretch(v, d, 1.5), stretch(v, d, 0.95);
  }
}

// --- Plastic set
// --------------------------------------------------------------------------------------------

// The strain of exp(f e), of the logarithmic strain e of the map A without its volume; *size: |e|.
static void flowed_strain(const double A[9], double left, double *size, double strain[6]) {
  static const int at[6] = {0, 1, 2, 4, 5, 8};
  double C[9], value[3], Q[9], mean = 0.0;
  for (int e = 0; e < 9; ++e)
    C[e] = A[e / 3] * A[e % 3] + A[3 + e / 3] * A[3 + e % 3] + A[6 + e / 3] * A[6 + e % 3];
  (void)mote_eigen3(C, value, Q);
  for (int k = 0; k < 3; ++k) value[k] = 0.5 * mote_log(value[k]), mean += value[k] / 3.0;
  for (int k = 0; k < 3; ++k) value[k] -= mean;
  *size = sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
  for (int k = 0; k < 3; ++k) value[k] = 0.5 * (mote_exp(2.0 * (1.0 - left / *size) * value[k]) - 1.0);
  for (int e = 0; e < 6; ++e) {
    const double *a = Q + at[e] / 3 * 3, *b = Q + at[e] % 3 * 3;
    strain[e] = a[0] * value[0] * b[0] + a[1] * value[1] * b[1] + a[2] * value[2] * b[2];
  }
}

// Held at a strain for `time` in `steps`, let go, and at rest again. What is left over the law's plastic
// strain, which is e (1 - left/|e|) with |e| decaying to `left`, no lower than the yield strain. In 2D, where
// nothing gives way along z, without change of volume.
static double plastic_set(elastic_trial *s, const mote_plastic_law *law, double time, int steps) {
  double A[9] = {1.3, 0.1, 0.0, -0.05, 0.9, 0.0, 0.0, 0.0, s->dimensions == 3 ? 0.95 : 1.0};
  double load[6], size, left, off = 0.0, found[6], root = sqrt(A[0] * A[4] - A[1] * A[3]);
  for (int e = 0; e < 5 && s->dimensions == 2; ++e) A[e] /= root;
  memset(s->plastic, 0, 6 * s->count * sizeof *s->plastic);
  memset(s->velocity, 0, 3 * s->count * sizeof *s->velocity);
  elastic_trial_map(s, A, nowhere, nowhere);
  mote_elastic_motion motion = elastic_trial_motion(s);
  for (int k = 0; k < steps && s->ok; ++k) {
    elastic_trial_keep(s, mote_elastic_flow_for(s->body, law, &motion, time / steps, NULL, &s->error));
  }
  flowed_strain(A, 0.0, &size, load);
  left = law->rate < HUGE_VAL ? size * mote_exp(-law->rate * time) : 0.0;
  flowed_strain(A, fmax(left, law->yield), &size, load);
  for (int k = 0; k < 4; ++k) elastic_trial_step(s, MOTE_ELASTIC_EULER, 1.0);
  elastic_trial_find_gradients(s);
  for (size_t i = 0; i < s->count && s->ok; ++i) {
    green(s->gradient + 9 * i, found);
    for (int e = 0; e < 6; ++e) off = fmax(off, fabs(found[e] - load[e]));
  }
  return off / size;
}

void validate_elastic_plastic(validation *v) {
  for (int d = 2; d <= 3; ++d) {
    elastic_trial_def def = block_def(d, 1e6, 5);
    def.jitter = 0.15;
    elastic_trial s = elastic_trial_open(v, &def);
    elastic_trial_plastic(&s);
    mote_plastic_law law = {.yield = 0.02, .rate = HUGE_VAL, .most = 1.0};
    char name[96];
    snprintf(name, sizeof name, "set after a load cycle, at once, %dD", d);
    elastic_trial_report(&s, name, MEASURE_NEAR, plastic_set(&s, &law, 0.1, 1), 0.0, 1e-6,
                         "O'Brien 2002: e - yield; of the strain");
    law.rate = 8.0;
    snprintf(name, sizeof name, "set after a load cycle, creep in 1 step, %dD", d);
    elastic_trial_report(&s, name, MEASURE_NEAR, plastic_set(&s, &law, 0.1, 1), 0.0, 1e-6,
                         "e (1 - exp(-k t))");
    snprintf(name, sizeof name, "set after a load cycle, creep in 50 steps, %dD", d);
    elastic_trial_report(&s, name, MEASURE_NEAR, plastic_set(&s, &law, 0.1, 50), 0.0, 1e-6,
                         "the same in any steps");
    elastic_trial_close(&s);
  }
}

// --- Volume
// -------------------------------------------------------------------------------------------------

static double determinant_less_one(const double g[9]) {
  double F[9];
  for (int e = 0; e < 9; ++e) F[e] = g[e] + (e % 4 == 0);
  return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
         F[2] * (F[3] * F[7] - F[4] * F[6]) - 1.0;
}

// EG09 Fig. 13: a box without Poisson's effect, its ends held and moved; how much its volume grows.
static double growth(elastic_trial *s, double by, int along) {
  double sum = 0.0, whole = 0.0;
  for (size_t i = 0; i < s->count; ++i) {
    int row = elastic_trial_row(s, i, 0);
    s->held[i] = row == 0 || row == along - 1;
    s->x[3 * i] = by * s->rest[3 * i];
  }
  elastic_trial_settle(s), elastic_trial_find_gradients(s);
  for (size_t i = 0; i < s->count && s->ok; ++i) {
    double volume = mote_elastic_volume(s->body)[i];
    sum += volume * determinant_less_one(s->gradient + 9 * i), whole += volume;
  }
  return sum / whole;
}

void validate_elastic_volume(validation *v) {
  static const double by[] = {1.5, 0.8};
  int across = validation_quick(v) ? 4 : 6, along = 2 * across;  // three times as long it buckles at 0.8
  for (int k = 0; k < 2; ++k) {
    for (int with = 0; with < 2; ++with) {
      elastic_trial_def def = elastic_trial_def_of(3, 1e5, 0.0);
      elastic_trial_def_box(&def, along, across, across, S);
      def.elastic.volume_stiffness = with ? 1e7 : 0.0;
      elastic_trial s = elastic_trial_open(v, &def);
      double grown = growth(&s, by[k], along);
      char name[96];
      snprintf(name, sizeof name, "growth of a box %s to %g, %s", by[k] > 1.0 ? "drawn" : "squeezed", by[k],
               with ? "k_v = 100 E" : "no volume term");
      if (with) {
        elastic_trial_report(&s, name, MEASURE_NEAR, grown, 0.0, 0.03, "EG09 (65), Fig. 13: within 3 %");
      } else {
        elastic_trial_report(&s, name, MEASURE_SHOWN, grown, by[k] - 1.0, 0.0,
                             "nothing contracts; EG09: +53 %");
      }
      elastic_trial_close(&s);
    }
  }
}
