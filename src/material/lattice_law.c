// The lattice of WIC06 and its law: see lattice_law.h.
#include "material/lattice_law.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "geom/triple.h"
#include "material/tuning.inc"

static const double root2 = 1.41421356237309504880, root3 = 1.73205080756887729353;  // exact

// In 3D integers with an even sum, in units of D / sqrt(2); in 2D those of the basis (1, 0), (1/2,
// sqrt(3/4)).
static const int8_t cubic[MOTE_LATTICE_SITES][3] = {
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},  {1, 0, 1},  {-1, 0, -1},
    {1, 0, -1}, {-1, 0, 1},  {0, 1, 1},  {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
    {2, 0, 0},  {-2, 0, 0},  {0, 2, 0},  {0, -2, 0},  {0, 0, 2},  {0, 0, -2}};
static const int8_t hexagonal[12][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},  {0, -1, 0},
                                        {-1, 1, 0}, {1, -1, 0}, {1, 1, 0},  {-1, -1, 0},
                                        {-1, 2, 0}, {1, -2, 0}, {2, -1, 0}, {-2, 1, 0}};

static void point_of(const mote_lattice_law *law, const int n[3], double out[3]) {
  double D = law->edge;
  if (law->dimensions == 3) {
    for (int a = 0; a < 3; ++a) out[a] = D / root2 * n[a];
  } else {
    set3(D * (n[0] + 0.5 * n[1]), D * (0.5 * root3) * n[1], 0.0, out);
  }
}

static int index_of(const int n[3]) {
  bool near = n[0] >= -2 && n[0] <= 2 && n[1] >= -2 && n[1] <= 2 && n[2] >= -2 && n[2] <= 2;
  return near ? (n[0] + 2) + 5 * (n[1] + 2) + 25 * (n[2] + 2) : -1;
}

static double weight_of(double length, double support) {
  double q = length / support, left = 1.0 - q * q;
  return q < 1.0 ? left * left * left : 0.0;
}

mote_lattice_law mote_lattice_law_make(const mote_lattice_spec *spec) {
  MOTE_ASSERT(spec->dimensions == 2 || spec->dimensions == 3);
  MOTE_ASSERT(spec->spacing > 0.0 && spec->density > 0.0 && spec->solid_density > 0.0);
  double E = spec->young, nu = spec->restoring ? 0.0 : spec->poisson,
         ratio = spec->density / spec->solid_density;
  bool space = spec->dimensions == 3;
  double d = spec->spacing * (space ? mote_cbrt(ratio) : sqrt(ratio));
  mote_lattice_law law = {.dimensions = spec->dimensions,
                          .sites = space ? 18 : 12,
                          .restoring = spec->restoring,
                          .edge = d * (space ? mote_cbrt(root2) : sqrt(2.0 / root3)),
                          .volume = space ? d * d * d : d * d,
                          .young = E,
                          .mu = 0.5 * E / (1.0 + nu),
                          .lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                          .own_weight = 1.0,
                          .all_weights = 1.0};
  memset(law.number, MOTE_NO_SITE, sizeof law.number);
  law.reach = law.edge * ((space ? root2 : root3) + SHELL_REACH_MARGIN);
  law.join = law.edge * ((space ? root2 : root3) + SHELL_JOIN_MARGIN);
  for (int s = 0; s < law.sites; ++s) {
    const int8_t *n = space ? cubic[s] : hexagonal[s];
    const int whole[3] = {n[0], n[1], n[2]};
    point_of(&law, whole, law.site[s]);
    law.site[s][3] = 1.0;
    law.number[index_of(whole)] = (uint8_t)s;
    double length = length3(law.site[s]);
    law.weight[s] = weight_of(length, MOTE_LATTICE_WEIGHT_SUPPORT * d);
    law.moment += law.weight[s] * length * length / spec->dimensions;
    law.all_weights += law.weight[s];
  }
  law.contact = E * (space ? law.edge : 1.0);
  law.speed = sqrt(max2(E, law.lambda + 2.0 * law.mu) / spec->solid_density);
  return law;
}

// The nearest integer, of numbers above -64; floor is a call on some machines.
static int nearest_integer(double y) {
  return (int)(y + 64.5) - 64;
}

// D3 rounding (Conway & Sloane 1982): where the sum of the rounded numbers is odd, the one that was rounded
// farthest goes to its other neighbour.
static void round_cubic(const double y[3], int n[3]) {
  double worst = -1.0;
  int at = 0, sum = 0;
  for (int a = 0; a < 3; ++a) {
    n[a] = nearest_integer(y[a]);
    double off = fabs(y[a] - n[a]);
    sum += n[a];
    if (off > worst) worst = off, at = a;
  }
  if (sum % 2 != 0) n[at] += y[at] > n[at] ? 1 : -1;
}

// The three coordinates of a hexagonal lattice sum to 0: the one that was rounded farthest follows from the
// others.
static void round_hexagonal(double a, double b, int n[3]) {
  double c = -a - b, ra = floor(a + 0.5), rb = floor(b + 0.5), rc = floor(c + 0.5);
  double ea = fabs(a - ra), eb = fabs(b - rb), ec = fabs(c - rc);
  if (ea > eb && ea > ec) {
    ra = -rb - rc;
  } else if (eb > ec) {
    rb = -ra - rc;
  }
  n[0] = (int)ra, n[1] = (int)rb, n[2] = 0;
}

// The integers of the nearest point; false: p is far away, or not a number.
static inline bool round_point(const mote_lattice_law *law, const double p[3], int n[3]) {
  double D = law->edge;
  if (!(dot3(p, p) < 16.0 * D * D)) return false;
  if (law->dimensions == 3) {
    double scale = root2 / D;
    round_cubic((const double[3]){p[0] * scale, p[1] * scale, p[2] * scale}, n);
  } else {
    double b = p[1] / (0.5 * root3 * D);
    round_hexagonal(p[0] / D - 0.5 * b, b, n);
  }
  return true;
}

int mote_lattice_site(const mote_lattice_law *law, const double p[3]) {
  int n[3], index = -1;
  if (round_point(law, p, n)) index = index_of(n);
  return index < 0 ? MOTE_NO_SITE : law->number[index];
}

double mote_lattice_nearest(const mote_lattice_law *law, const double p[3], int *site) {
  double l[3], off[3];
  int n[3];
  *site = MOTE_NO_SITE;
  if (!round_point(law, p, n)) return HUGE_VAL;
  int index = index_of(n);
  if (index >= 0) *site = law->number[index];
  point_of(law, n, l);
  sub3(p, l, off);
  if (law->dimensions == 2) off[2] = 0.0;
  return length3(off);
}

double mote_lattice_step_limit(const mote_lattice_law *law, double stretch) {
  MOTE_ASSERT(stretch >= 1.0);
  return (law->restoring ? MOTE_LATTICE_STEP_LIMIT_RESTORING : MOTE_LATTICE_STEP_LIMIT) * law->edge /
         (law->speed * stretch);
}
