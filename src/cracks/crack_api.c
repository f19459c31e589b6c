// The public interface of cracks without a world: see mote/fracture.h.
#include <math.h>
#include <mote/fracture.h>

#include "base/memory.h"
#include "cracks/crack_grow.h"
#include "cracks/crack_weight.h"
#include "elastic/elastic_api.h"
#include "geom/triple.h"

struct mote_cracks {
  mote_crack_sheets sheets;
};

mote_result mote_cracks_create(int dimensions, const mote_env *env, mote_cracks **out, mote_error *error) {
  if (out == NULL) return mote_fail_key(error, "out", "is null");
  if (dimensions != 2 && dimensions != 3)
    return mote_fail_key(error, "dimensions", "is %d, not 2 or 3", dimensions);
  mote_env use = mote_env_resolve(env);
  MOTE_ALLOC(*out, &use, 1, error);
  (*out)->sheets = mote_crack_sheets_make(dimensions, &use);
  return MOTE_OK;
}

void mote_cracks_destroy(mote_cracks *cracks) {
  if (cracks == NULL) return;
  mote_env env = cracks->sheets.env;
  mote_crack_sheets_destroy(&cracks->sheets);
  mote_free(&env, cracks, 1, sizeof *cracks);
}

// --- Cracks ------------------------------------------------------------------------------------------

static mote_result check_positive(const char *key, double value, mote_error *error) {
  if (value > 0.0 && isfinite(value)) return MOTE_OK;
  return mote_fail_key(error, key, "is %g, not positive and finite", value);
}

static mote_result check_points(const mote_cracks *cracks, const char *key, const double *x, size_t count,
                                mote_error *error) {
  if (cracks == NULL) return mote_fail_key(error, "cracks", "is null");
  MOTE_TRY(mote_elastic_check_numbers(key, x, 3 * count, error));
  for (size_t k = 0; k < count && cracks->sheets.dimensions == 2; ++k) {
    if (x[3 * k + 2] != 0.0) return mote_fail_key(error, key, "has a third coordinate of %g", x[3 * k + 2]);
  }
  return MOTE_OK;
}

mote_result mote_cracks_add_polygon(mote_cracks *cracks, const double *corner, size_t count, double spacing,
                                    mote_error *error) {
  MOTE_TRY(check_points(cracks, "corner", corner, count, error));
  MOTE_TRY(check_positive("spacing", spacing, error));
  size_t least = cracks->sheets.dimensions == 2 ? 2 : 3;
  if (count < least) return mote_fail_key(error, "count", "is %zu, less than %zu", count, least);
  return mote_crack_add_polygon(&cracks->sheets, corner, count, spacing, error);
}

mote_result mote_cracks_add_disc(mote_cracks *cracks, const double centre[3], const double normal[3],
                                 double radius, double spacing, mote_error *error) {
  MOTE_TRY(check_points(cracks, "centre", centre, 1, error));
  MOTE_TRY(check_points(cracks, "normal", normal, 1, error));
  MOTE_TRY(check_positive("radius", radius, error));
  MOTE_TRY(check_positive("spacing", spacing, error));
  return mote_crack_add_disc(&cracks->sheets, centre, normal, radius, spacing, error);
}

mote_result mote_cracks_add_half_plane(mote_cracks *cracks, const double tip[3], const double ahead[3],
                                       const double normal[3], double reach, double spacing,
                                       mote_error *error) {
  MOTE_TRY(check_points(cracks, "tip", tip, 1, error));
  MOTE_TRY(check_points(cracks, "ahead", ahead, 1, error));
  MOTE_TRY(check_points(cracks, "normal", normal, 1, error));
  MOTE_TRY(check_positive("reach", reach, error));
  MOTE_TRY(check_positive("spacing", spacing, error));
  return mote_crack_add_half_plane(&cracks->sheets, tip, ahead, normal, reach, spacing, error);
}

size_t mote_cracks_tips(const mote_cracks *cracks) {
  return cracks->sheets.nodes;
}

mote_crack_tip mote_cracks_tip(const mote_cracks *cracks, size_t k) {
  mote_crack_tip tip = {.live = false};
  if (k >= cracks->sheets.nodes) return tip;
  const mote_crack_node *node = cracks->sheets.node + k;
  copy3(node->position, tip.position), copy3(node->ahead, tip.ahead), copy3(node->normal, tip.normal);
  tip.live = node->live != 0;
  return tip;
}

bool mote_cracks_cut(const mote_cracks *cracks, const double p[3], const double q[3], double *at) {
  return mote_crack_cuts(&cracks->sheets, p, q, at);
}

// --- Weights -----------------------------------------------------------------------------------------

static void see_from(const mote_crack_rule *rule, const double x[3], double eye[3]) {
  copy3(x, eye);
  if (rule->margin > 0.0) (void)mote_crack_keep_off(&rule->cracks->sheets, rule->margin, eye);
}

void mote_crack_rule_path_length(void *user, const double from[3], const double *to, size_t count,
                                 double most, double *length) {
  const mote_crack_rule *rule = user;
  double eye[3], other[3];
  see_from(rule, from, eye);
  for (size_t k = 0; k < count; ++k) {
    see_from(rule, to + 3 * k, other);
    mote_crack_path_lengths(&rule->cracks->sheets, rule->opacity, eye, other, 1, most, length + k);
  }
}

void mote_crack_rule_weight(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                            int derivatives, double *w, double dw[3], double ddw[6]) {
  const mote_crack_rule *rule = user;
  mote_crack_weight own = {&rule->cracks->sheets, rule->opacity, rule->kernel};
  mote_crack_weight_find(&own, i, x, offset, radius, derivatives, w, dw, ddw);
}

// --- Growth ------------------------------------------------------------------------------------------

mote_result mote_elastic_find_stresses(mote_elastic *body, const mote_elastic_motion *motion, double *stress,
                                       mote_error *error) {
  if (stress == NULL) return mote_fail_key(error, "stress", "is null");
  MOTE_TRY(mote_elastic_check_motion(body, motion, false, error));
  mote_elastic_stresses(body, motion, stress);
  return MOTE_OK;
}

static mote_result check_body(const mote_cracks *cracks, const mote_crack_body *body, mote_crack_matter *out,
                              mote_error *error) {
  if (cracks == NULL || body == NULL)
    return mote_fail_key(error, cracks == NULL ? "cracks" : "body", "is null");
  MOTE_TRY(mote_elastic_check_numbers("rest", body->rest, 3 * body->count, error));
  MOTE_TRY(mote_elastic_check_numbers("stress", body->stress, 6 * body->count, error));
  MOTE_TRY(check_positive("spacing", body->spacing, error));
  *out = (mote_crack_matter){.count = body->count,
                             .rest = body->rest,
                             .stress = body->stress,
                             .skip = body->skip,
                             .spacing = body->spacing,
                             .depth = body->depth,
                             .user = body->user};
  return MOTE_OK;
}

mote_result mote_cracks_find_intensities(const mote_cracks *cracks, const mote_crack_body *body,
                                         mote_crack_intensity *out, mote_error *error) {
  mote_crack_matter matter;
  MOTE_TRY(check_body(cracks, body, &matter, error));
  if (out == NULL) return mote_fail_key(error, "out", "is null");
  const mote_crack_sheets *c = &cracks->sheets;
  MOTE_ALLOC_NEW(mote_stress_intensity, k, &c->env, 2 * c->nodes, error);
  mote_result result = mote_crack_intensities(c, &matter, k, error);
  for (size_t n = 0; n < c->nodes && result == MOTE_OK; ++n)
    out[n] = (mote_crack_intensity){k[n].one, k[n].two, mote_fracture_angle(k + n)};
  mote_free(&c->env, k, 2 * c->nodes, sizeof *k);
  return result;
}

double mote_fracture_default_toughness(double strength, double spacing) {
  return mote_fracture_toughness(strength, spacing);
}

mote_result mote_cracks_grow(mote_cracks *cracks, const mote_crack_body *body, double toughness,
                             double length, mote_error *error) {
  mote_crack_matter matter;
  mote_crack_report report = {0};
  MOTE_TRY(check_body(cracks, body, &matter, error));
  MOTE_TRY(check_positive("toughness", toughness, error));
  if (!(length >= 0.5 * body->spacing && length <= body->spacing))
    return mote_fail_key(error, "length", "is %g, not half a spacing to one", length);
  mote_fracture_law law = {.toughness = toughness, .speed = length};
  for (size_t f = 0; f < cracks->sheets.fronts; ++f) cracks->sheets.front[f].budget = 0.0;
  mote_crack_sheets changed = mote_crack_sheets_make(cracks->sheets.dimensions, &cracks->sheets.env);
  mote_result result = mote_crack_grow(&cracks->sheets, &law, &matter, 1.0, &changed, &report, error);
  mote_crack_sheets_destroy(&changed);
  return result;
}
