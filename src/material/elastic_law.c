// Elastic laws: see elastic_law.h.
#include "material/elastic_law.h"

#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "geom/symmetric.h"
#include "material/tuning.inc"

mote_elastic_law mote_elastic_law_make(mote_elastic_kind kind, double young, double poisson, double volume) {
  return (mote_elastic_law){.kind = kind,
                            .lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
                            .mu = young / (2.0 * (1.0 + poisson)),
                            .volume = volume};
}

// --- Small matrices -------------------------------------------------------------------------------------

static double inner(const double a[9], const double b[9]) {
  return dot3(a, b) + dot3(a + 3, b + 3) + dot3(a + 6, b + 6);
}

static double trace6(const double s[6]) {
  return s[0] + s[3] + s[5];
}

static double inner6(const double a[6], const double b[6]) {
  return a[0] * b[0] + a[3] * b[3] + a[5] * b[5] + 2.0 * (a[1] * b[1] + a[2] * b[2] + a[4] * b[4]);
}

// out += f m s
static void add_product(double f, const double m[9], const double s[6], double out[9]) {
  double all[9], p[9];
  symmetric_open(s, all);
  multiply3(m, all, p);
  for (int k = 0; k < 9; ++k) out[k] += f * p[k];
}

static void transpose(const double m[9], double out[9]) {
  for (int e = 0; e < 9; ++e) out[e] = m[e % 3 * 3 + e / 3];
}

static void deformation(const double g[9], double F[9]) {
  for (int k = 0; k < 9; ++k) F[k] = g[k] + (k % 4 == 0);
}

// The rows of a cofactor matrix are cross products of the other two rows.
static void cofactors(const double F[9], double cof[9]) {
  for (int r = 0; r < 3; ++r) cross3(F + 3 * ((r + 1) % 3), F + 3 * ((r + 2) % 3), cof + 3 * r);
}

static void cofactors_change(const double F[9], const double dF[9], double change[9]) {
  for (int r = 0; r < 3; ++r) {
    int a = 3 * ((r + 1) % 3), b = 3 * ((r + 2) % 3);
    double one[3], two[3];
    cross3(dF + a, F + b, one);
    cross3(F + a, dF + b, two);
    step3(one, 1.0, two, change + 3 * r);
  }
}

// --- Strain ---------------------------------------------------------------------------------------------

void mote_elastic_strain(const double g[9], double strain[6]) {
  int k = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      double square = g[a] * g[b] + g[3 + a] * g[3 + b] + g[6 + a] * g[6 + b];
      strain[k++] = 0.5 * (g[3 * a + b] + g[3 * b + a] + square);
    }
  }
}

void mote_elastic_strain_rate(const double g[9], const double h[9], double rate[6]) {
  int k = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      double both = 0.0;
      for (int r = 0; r < 9; r += 3) both += g[r + a] * h[r + b] + h[r + a] * g[r + b];
      rate[k++] = 0.5 * (h[3 * a + b] + h[3 * b + a] + both);
    }
  }
}

// The second and third invariant of g.
static double higher_invariants(const double g[9]) {
  double cof[9];
  cofactors(g, cof);
  return cof[0] + cof[4] + cof[8] + dot3(g, cof);
}

double mote_elastic_swelling(const double g[9]) {
  return g[0] + g[4] + g[8] + higher_invariants(g);
}

// --- Green's part ---------------------------------------------------------------------------------------

// Whether the energy is one of the stretches alone, not Hooke's law of Green's strain.
static bool is_isotropic(mote_elastic_kind kind) {
  switch (kind) {
    case MOTE_ELASTIC_SAINT_VENANT: return false;
    case MOTE_ELASTIC_COROTATED:
    case MOTE_ELASTIC_NEO_HOOKEAN: return true;
    case MOTE_ELASTIC_KINDS: break;
  }
  MOTE_ASSERT(false);
  return false;
}

mote_green_part mote_green_part_make(const mote_elastic_law *law, const double *plastic) {
  mote_green_part part = {.scale = is_isotropic(law->kind) ? 0.0 : 1.0};
  for (int k = 0; k < 6 && plastic != NULL; ++k) {
    part.plastic[k] = plastic[k];
    part.flowed = part.flowed || plastic[k] != 0.0;
  }
  return part;
}

static void times_inverse(const double plastic[6], const double h[9], double out[9]) {
  double p[9], hp[9];
  symmetric_open(plastic, p);
  multiply3(h, p, hp);
  for (int e = 0; e < 9; ++e) out[e] = h[e] - hp[e];
}

void mote_green_part_times(const mote_green_part *part, const double h[9], double out[9]) {
  if (part->flowed) {
    times_inverse(part->plastic, h, out);
  } else {
    for (int e = 0; e < 9; ++e) out[e] = h[e];
  }
}

void mote_green_part_within(const mote_green_part *part, const double g[9], double elastic[9]) {
  mote_green_part_times(part, g, elastic);
  double p[9];
  symmetric_open(part->plastic, p);
  for (int e = 0; e < 9 && part->flowed; ++e) elastic[e] -= p[e];
}

// K strain K + (K K - 1)/2.
void mote_green_part_elastic_strain(const mote_green_part *part, const double strain[6], double out[6]) {
  for (int k = 0; k < 6; ++k) out[k] = strain[k];
  if (!part->flowed) return;
  double p[9], s[9], half[9];
  symmetric_open(strain, s);
  symmetric_open(part->plastic, p);
  times_inverse(part->plastic, s, half);
  int k = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++k) {
      double square = 0.0;
      out[k] = half[3 * a + b];
      for (int c = 0; c < 3; ++c)
        out[k] -= p[3 * a + c] * half[3 * c + b], square += p[3 * a + c] * p[3 * c + b];
      out[k] += 0.5 * square - p[3 * a + b];
    }
  }
}

void mote_green_part_damp(mote_green_part *part, double ratio, const double before[6]) {
  if (!(ratio > 0.0)) return;
  double all = part->scale + ratio, seen[6];
  mote_green_part_elastic_strain(part, before, seen);
  for (int k = 0; k < 6; ++k) {
    part->reference[k] = (part->scale * part->reference[k] + ratio * seen[k]) / all;
  }
  part->scale = all;
}

// h T, and with `whole` (1 + h) T - 1.
static void times_more(const double *more, const double h[9], bool whole, double out[9]) {
  double change[9];
  multiply3(h, more, change);
  for (int e = 0; e < 9; ++e) out[e] = h[e] + change[e] + (whole ? more[e] : 0.0);
}

// P T^T + F S, of the stress P at Fe T.
static void finish_more(const double *more, const double F[9], double P[9]) {
  double turned[9], change[9];
  transpose(more, turned);
  multiply3(P, turned, change);
  for (int e = 0; e < 9; ++e) P[e] += change[e];
  if (F != NULL) add_product(1.0, F, more + 9, P);
}

static void elastic_strain(const mote_green_part *part, const double g[9], double strain[6]) {
  mote_elastic_strain(g, strain);
  for (int k = 0; k < 6; ++k) strain[k] -= part->reference[k];
}

static void hooke(double lambda, double mu, const double strain[6], double S[6]) {
  double pressure = lambda * trace6(strain);
  for (int k = 0; k < 6; ++k) S[k] = 2.0 * mu * strain[k];
  S[0] += pressure, S[3] += pressure, S[5] += pressure;
}

// --- Energy and stress ----------------------------------------------------------------------------------

// F = U diag(s) V^T; false where F is not finite.
static bool singular(const double g[9], double U[9], double s[3], double V[9]) {
  double F[9];
  deformation(g, F);
  return mote_svd3(F, U, s, V);
}

static double neo_hookean_energy(const mote_elastic_law *law, const double g[9], double swelling) {
  double higher = higher_invariants(g), stiff = law->lambda + law->mu;
  return 0.5 * law->mu * inner(g, g) - law->mu * higher + 0.5 * stiff * swelling * swelling;
}

static double corotated_energy(const mote_elastic_law *law, const double g[9]) {
  double U[9], s[3], V[9], squares = 0.0, sum = 0.0;
  if (!singular(g, U, s, V)) return HUGE_VAL;
  for (int k = 0; k < 3; ++k) squares += (s[k] - 1.0) * (s[k] - 1.0), sum += s[k] - 1.0;
  return law->mu * squares + 0.5 * law->lambda * sum * sum;
}

static double isotropic_energy(const mote_elastic_law *law, const double g[9], double swelling) {
  switch (law->kind) {
    case MOTE_ELASTIC_COROTATED: return corotated_energy(law, g);
    case MOTE_ELASTIC_NEO_HOOKEAN: return neo_hookean_energy(law, g, swelling);
    case MOTE_ELASTIC_SAINT_VENANT:
    case MOTE_ELASTIC_KINDS: break;
  }
  return 0.0;
}

double mote_elastic_law_energy(const mote_elastic_law *law, const mote_green_part *part, const double of[9]) {
  double g[9], added = 0.0;
  mote_green_part_within(part, of, g);
  if (part->more != NULL) {
    double strain[6];
    mote_elastic_strain(g, strain);
    added = inner6(part->more + 9, strain);
    times_more(part->more, g, true, g);
  }
  double swelling = mote_elastic_swelling(g), energy = 0.5 * law->volume * swelling * swelling;
  if (part->scale > 0.0) {
    double strain[6], S[6];
    elastic_strain(part, g, strain);
    hooke(law->lambda, law->mu, strain, S);
    energy += 0.5 * part->scale * inner6(strain, S);
  }
  if (is_isotropic(law->kind)) energy += isotropic_energy(law, g, swelling);
  return energy + added;
}

// P += 2 mu (F - R) + lambda tr(R^T F - 1) R, in the frame of the stretches.
static void add_corotated(const mote_elastic_law *law, const double g[9], double P[9]) {
  double U[9], s[3], V[9];
  if (!singular(g, U, s, V)) return;
  double pressure = law->lambda * (s[0] - 1.0 + (s[1] - 1.0) + (s[2] - 1.0));
  for (int k = 0; k < 3; ++k) {
    double stress = 2.0 * law->mu * (s[k] - 1.0) + pressure;
    for (int e = 0; e < 9; ++e) P[e] += stress * U[e / 3 * 3 + k] * V[e % 3 * 3 + k];
  }
}

void mote_elastic_law_stress(const mote_elastic_law *law, const mote_green_part *part, const double of[9],
                             double P[9]) {
  double g[9], F[9], whole[9];
  mote_green_part_within(part, of, g);
  deformation(g, whole);
  if (part->more != NULL) times_more(part->more, g, true, g);
  double swelling = mote_elastic_swelling(g), by_cofactors = law->volume * swelling;
  for (int k = 0; k < 9; ++k) P[k] = 0.0;
  deformation(g, F);
  if (part->scale > 0.0) {
    double strain[6], S[6];
    elastic_strain(part, g, strain);
    hooke(law->lambda, law->mu, strain, S);
    add_product(part->scale, F, S, P);
  }
  switch (law->kind) {
    case MOTE_ELASTIC_SAINT_VENANT: break;
    case MOTE_ELASTIC_COROTATED: add_corotated(law, g, P); break;
    case MOTE_ELASTIC_NEO_HOOKEAN:
      for (int k = 0; k < 9; ++k) P[k] += law->mu * F[k];
      by_cofactors += (law->lambda + law->mu) * swelling - law->mu;
      break;
    case MOTE_ELASTIC_KINDS: MOTE_ASSERT(false);
  }
  if (by_cofactors != 0.0) {
    double cof[9];
    cofactors(F, cof);
    for (int k = 0; k < 9; ++k) P[k] += by_cofactors * cof[k];
  }
  if (part->more != NULL) finish_more(part->more, whole, P);
  mote_green_part_times(part, P, P);
}

// --- Midpoint steps -------------------------------------------------------------------------------------

#define SAME_STRAIN 1e-10  // rounding: changes of strain below which there is no work to correct

// The symmetric U with U^2 = 1 + 2 strain, less 1, and its inverse; where `inverted`, the least stretch is
// negative.
static bool find_stretch(const double strain[6], bool inverted, double g[9], double inverse[9]) {
  double all[9], value[3], Q[9];
  symmetric_open(strain, all);
  if (!mote_eigen3(all, value, Q)) return false;
  for (int e = 0; e < 9; ++e) g[e] = inverse[e] = 0.0;
  for (int k = 0; k < 3; ++k) {
    double s = sqrt(max2(1.0 + 2.0 * value[k], FLAT_STRETCH * FLAT_STRETCH)),
           less = 2.0 * value[k] / (1.0 + s);
    if (inverted && k == 2) s = -s, less = s - 1.0;
    for (int e = 0; e < 9; ++e) {
      double part = Q[e / 3 * 3 + k] * Q[e % 3 * 3 + k];
      g[e] += less * part, inverse[e] += part / s;
    }
  }
  return true;
}

// S of the law at the mean strain, and with what the work is that of the energy: S + alpha change.
static void find_mean_stress(const mote_elastic_law *law, const double start[9], const double end[9],
                             const double change[6], const double U[9], const double inverse[9], double S[6],
                             double *alpha) {
  mote_green_part plain = mote_green_part_make(law, NULL);
  double P[9], all[9], size = inner6(change, change);
  mote_elastic_law_stress(law, &plain, U, P);
  multiply3(inverse, P, all);
  S[0] = all[0], S[1] = 0.5 * (all[1] + all[3]), S[2] = 0.5 * (all[2] + all[6]);
  S[3] = all[4], S[4] = 0.5 * (all[5] + all[7]), S[5] = all[8];
  double work = mote_elastic_law_energy(law, &plain, end) - mote_elastic_law_energy(law, &plain, start);
  *alpha = size > SAME_STRAIN * SAME_STRAIN ? (work - inner6(S, change)) / size : 0.0;
}

// T - 1 with F T = R U: T = V^-1 U of F = R V.
static bool find_more(const double F[9], const double U[9], double more[9]) {
  double R[9], V[9], value[3], Q[9], inverse[9] = {0};
  if (!mote_polar3(F, R, V) || !mote_eigen3(V, value, Q)) return false;
  for (int k = 0; k < 3; ++k) {
    double s = fabs(value[k]) > FLAT_STRETCH ? value[k] : value[k] < 0.0 ? -FLAT_STRETCH : FLAT_STRETCH;
    for (int e = 0; e < 9; ++e) inverse[e] += Q[e / 3 * 3 + k] * Q[e % 3 * 3 + k] / s;
  }
  multiply3(inverse, U, more);
  for (int e = 0; e < 9; e += 4) more[e] -= 1.0;
  return true;
}

void mote_elastic_law_midpoint(const mote_elastic_law *law, double ratio, const double before[6],
                               const double start[9], const double middle[9], double more[15]) {
  double end[9], along[9], first[6], last[6], mean[6], change[6], F[9], U[9], inverse[9], S[6], alpha;
  for (int e = 0; e < 15; ++e) more[e] = 0.0;
  for (int e = 0; e < 9; ++e) end[e] = 2.0 * middle[e] - start[e], along[e] = end[e] - start[e];
  mote_elastic_strain(start, first), mote_elastic_strain(end, last);
  mote_elastic_strain_rate(middle, along, change);
  for (int k = 0; k < 6; ++k) mean[k] = 0.5 * (first[k] + last[k]);
  deformation(middle, F);
  if (!find_stretch(mean, mote_elastic_swelling(middle) < -1.0, U, inverse)) return;
  find_mean_stress(law, start, end, change, U, inverse, S, &alpha);
  for (int e = 0; e < 9; e += 4) U[e] += 1.0;
  if (!find_more(F, U, more)) return;
  if (ratio > 0.0) {
    double rate[6], damping[6];
    for (int k = 0; k < 6; ++k) rate[k] = ratio * (mean[k] - before[k]);
    hooke(law->lambda, law->mu, rate, damping);
    for (int k = 0; k < 6; ++k) S[k] += damping[k];
  }
  double all[9], half[9];  // S - T S T^T + alpha change
  double T[9], turned[9];
  for (int e = 0; e < 9; ++e) T[e] = more[e] + (e % 4 == 0);
  symmetric_open(S, all);
  transpose(T, turned);
  multiply3(T, all, half);
  multiply3(half, turned, half);
  static const int of[6] = {0, 1, 2, 4, 5, 8};
  for (int k = 0; k < 6; ++k) more[9 + k] = S[k] - half[of[k]] + alpha * change[k];
}

// --- Tangent --------------------------------------------------------------------------------------------

// The nearest symmetric matrix without negative eigenvalues.
static bool lift(double m[9]) {
  double values[3], Q[9];
  if (!mote_eigen3(m, values, Q)) return false;
  for (int e = 0; e < 9; ++e) {
    m[e] = 0.0;
    for (int k = 0; k < 3; ++k) m[e] += max2(values[k], 0.0) * Q[e / 3 * 3 + k] * Q[e % 3 * 3 + k];
  }
  return true;
}

// dP = dF S + F C sym(F^T dF) + the volume's. The second part is never negative, the first where S is not.
static bool make_green(const mote_elastic_law *law, const mote_green_part *part, const double g[9],
                       bool definite, mote_elastic_tangent *t) {
  double strain[6], S[9], swelling = mote_elastic_swelling(g);
  t->lambda = part->scale * law->lambda, t->mu = part->scale * law->mu;
  elastic_strain(part, g, strain);
  hooke(t->lambda, t->mu, strain, t->S);
  t->volume = t->isotropic ? 0.0 : law->volume;
  t->excess = definite ? 0.0 : t->volume * swelling;
  cofactors(t->F, t->cof);
  if (!definite) return true;
  symmetric_open(t->S, S);
  if (!lift(S)) return false;
  t->S[0] = S[0], t->S[1] = S[1], t->S[2] = S[2], t->S[3] = S[4], t->S[4] = S[5], t->S[5] = S[8];
  return true;
}

// Energies of the stretches s alone: the second derivatives of the diagonal; of the two entries ab and ba,
// (e_a - e_b)/(s_a - s_b) for their sum and (e_a + e_b)/(s_a + s_b) for their difference (e: first
// derivatives), which are polynomials for our laws but for one quotient.
static bool make_isotropic(const mote_elastic_law *law, const double g[9], bool definite,
                           mote_elastic_tangent *t) {
  double s[3], swelling = mote_elastic_swelling(g), own = 0.0, all = 0.0, by_volume = law->volume, less = 0.0;
  double by_rotation = 0.0;
  if (!mote_svd3(t->F, t->U, s, t->V)) return false;
  switch (law->kind) {
    case MOTE_ELASTIC_COROTATED: own = 2.0 * law->mu, all = law->lambda, by_rotation = 4.0 * law->mu; break;
    case MOTE_ELASTIC_NEO_HOOKEAN: own = law->mu, by_volume += law->lambda + law->mu, less = law->mu; break;
    case MOTE_ELASTIC_SAINT_VENANT:
    case MOTE_ELASTIC_KINDS: MOTE_ASSERT(false);
  }
  double by_cofactors = by_volume * swelling - less;
  double strain = s[0] - 1.0 + (s[1] - 1.0) + (s[2] - 1.0);
  for (int c = 0; c < 3; ++c) {
    int a = (c + 1) % 3, b = (c + 2) % 3;
    double Jc = s[a] * s[b], Ja = s[b] * s[c], Jb = s[c] * s[a], sum = max2(s[a] + s[b], DBL_EPSILON);
    t->stretch[4 * c] = own + all + by_volume * Jc * Jc;
    t->stretch[3 * a + b] = t->stretch[3 * b + a] = all + by_volume * Ja * Jb + by_cofactors * s[c];
    t->even[c] = own - by_cofactors * s[c];
    t->odd[c] = own + by_cofactors * s[c];
    if (by_rotation > 0.0) t->odd[c] += (2.0 * all * strain - by_rotation) / sum;
    if (definite) t->even[c] = max2(t->even[c], 0.0), t->odd[c] = max2(t->odd[c], 0.0);
  }
  return !definite || lift(t->stretch);
}

bool mote_elastic_tangent_make(const mote_elastic_law *law, const mote_green_part *part, const double of[9],
                               bool definite, mote_elastic_tangent *tangent) {
  double g[9];
  *tangent = (mote_elastic_tangent){.green = part->scale > 0.0,
                                    .isotropic = is_isotropic(law->kind),
                                    .flowed = part->flowed,
                                    .more = part->more,
                                    .definite = definite};
  for (int k = 0; k < 6; ++k) tangent->plastic[k] = part->plastic[k];
  mote_green_part_within(part, of, g);
  if (part->more != NULL) times_more(part->more, g, true, g);
  deformation(g, tangent->F);
  if (tangent->green && !make_green(law, part, g, definite, tangent)) return false;
  return !tangent->isotropic || make_isotropic(law, g, definite, tangent);
}

static void add_green(const mote_elastic_tangent *t, const double dg[9], double dP[9]) {
  double g[9], rate[6], S[6];
  for (int k = 0; k < 9; ++k) g[k] = t->F[k] - (k % 4 == 0);
  mote_elastic_strain_rate(g, dg, rate);
  hooke(t->lambda, t->mu, rate, S);
  add_product(1.0, t->F, S, dP);
  add_product(1.0, dg, t->S, dP);
  if (t->volume == 0.0) return;
  double along = t->volume * inner(t->cof, dg), change[9];
  cofactors_change(t->F, dg, change);
  for (int k = 0; k < 9; ++k) dP[k] += along * t->cof[k] + t->excess * change[k];
}

static void add_isotropic(const mote_elastic_tangent *t, const double dg[9], double dP[9]) {
  double turned[9], d[9], p[9], diagonal[3];
  transpose(t->U, turned);
  multiply3(turned, dg, turned);
  multiply3(turned, t->V, d);
  set3(d[0], d[4], d[8], diagonal);
  for (int c = 0; c < 3; ++c) {
    int ab = 3 * ((c + 1) % 3) + (c + 2) % 3, ba = 3 * ((c + 2) % 3) + (c + 1) % 3;
    double even = 0.5 * t->even[c] * (d[ab] + d[ba]), odd = 0.5 * t->odd[c] * (d[ab] - d[ba]);
    p[4 * c] = dot3(t->stretch + 3 * c, diagonal);
    p[ab] = even + odd, p[ba] = even - odd;
  }
  transpose(t->V, turned);
  multiply3(p, turned, p);
  multiply3(t->U, p, p);
  for (int k = 0; k < 9; ++k) dP[k] += p[k];
}

void mote_elastic_tangent_apply(const mote_elastic_tangent *tangent, const double of[9], double dP[9]) {
  double dg[9], within[9];
  for (int k = 0; k < 9; ++k) dg[k] = of[k], dP[k] = 0.0;
  if (tangent->flowed) times_inverse(tangent->plastic, of, dg);
  for (int k = 0; k < 9; ++k) within[k] = dg[k];
  if (tangent->more != NULL) times_more(tangent->more, within, false, dg);
  if (tangent->green) add_green(tangent, dg, dP);
  if (tangent->isotropic) add_isotropic(tangent, dg, dP);
  if (tangent->more != NULL) finish_more(tangent->more, tangent->definite ? NULL : within, dP);
  if (tangent->flowed) times_inverse(tangent->plastic, dP, dP);
}
