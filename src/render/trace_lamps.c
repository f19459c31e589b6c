// Lamps: spheres, rectangles and distant discs. Rays intersect them by formulas; shadow rays choose a
// direction to a sphere evenly in the cone that it fills (Shirley, Wang & Zimmerman 1996), a point of a
// rectangle evenly over its area, a direction to a distant disc evenly.
#include "render/trace.h"

// --- Creation --------------------------------------------------------------------------------------------

static float linear(double part) {
  return (float)(part <= 0.04045 ? part / 12.92 : mote_pow((part + 0.055) / 1.055, 2.4));
}

static float cone_angle(float cosine) {
  return 2 * MOTE_PI_F * (1 - cosine);
}

// Radiance of a lamp of colour 1.
static float strength(const mote_lamp_def *def, const mote_lamp *lamp) {
  if (lamp->kind == MOTE_LAMP_DISTANT) return (float)def->irradiance / cone_angle(lamp->cosine);
  float area = lamp->kind == MOTE_LAMP_SPHERE ? 4 * MOTE_PI_F * lamp->radius * lamp->radius : lamp->area;
  return (float)def->power / (MOTE_PI_F * area);
}

static mote_lamp make_lamp(const mote_trace *t, const mote_lamp_def *def) {
  mote_lamp lamp = {.kind = def->kind,
                    .to = vec_unit(vec_from_double(def->direction)),
                    .radius = (float)def->radius,
                    .area = (float)(def->size[0] * def->size[1]),
                    .cosine = mote_cosf((float)(0.5 * def->angle))};
  double at[3];
  for (int k = 0; k < 3; ++k) at[k] = def->centre[k] - t->middle[k];
  lamp.centre = vec_from_double(at);
  mote_vec level = vec_cross(t->sky.up, lamp.to), other;
  if (vec_length(level) > 1e-3F)
    level = vec_unit(level);
  else
    vec_basis(lamp.to, &level, &other);
  lamp.across = vec_scale(level, (float)(0.5 * def->size[0]));
  lamp.tall = vec_scale(vec_cross(lamp.to, level), (float)(0.5 * def->size[1]));
  lamp.light = vec_scale(vec(linear(def->colour[0]), linear(def->colour[1]), linear(def->colour[2])),
                         strength(def, &lamp));
  return lamp;
}

mote_result mote_lamps_make(mote_trace *t, mote_error *error) {
  if (t->scene->lamps == 0) return MOTE_OK;
  t->lamp = mote_io_new(&t->env, t->scene->lamps * sizeof *t->lamp);
  if (t->lamp == NULL) return mote_io_fail_memory(error);
  t->lamps = t->scene->lamps;
  for (size_t k = 0; k < t->lamps; ++k) t->lamp[k] = make_lamp(t, t->scene->lamp + k);
  return MOTE_OK;
}

void mote_lamps_free(mote_trace *t) {
  if (t->lamp != NULL) mote_io_delete(&t->env, t->lamp, t->lamps * sizeof *t->lamp);
  t->lamp = NULL, t->lamps = 0;
}

// --- Intersection
// -------------------------------------------------------------------------------------------

// From outside; infinite: no hit.
static float meet_sphere(const mote_lamp *lamp, mote_ray ray) {
  mote_vec away = vec_sub(lamp->centre, ray.from);
  float along = vec_dot(away, ray.to);
  mote_vec aside = vec_along(away, ray.to, -along);
  float half2 = lamp->radius * lamp->radius - vec_dot(aside, aside);
  if (!(half2 > 0) || !(along > 0)) return INFINITY;
  float t = along - sqrtf(half2);
  return t > 0 ? t : INFINITY;
}

// On the emitting side.
static float meet_rectangle(const mote_lamp *lamp, mote_ray ray) {
  float slope = -vec_dot(ray.to, lamp->to);
  if (!(slope > 1e-6F)) return INFINITY;
  float t = vec_dot(vec_sub(ray.from, lamp->centre), lamp->to) / slope;
  if (!(t > 0)) return INFINITY;
  mote_vec at = vec_sub(vec_along(ray.from, ray.to, t), lamp->centre);
  bool in = fabsf(vec_dot(at, lamp->across)) < vec_dot(lamp->across, lamp->across) &&
            fabsf(vec_dot(at, lamp->tall)) < vec_dot(lamp->tall, lamp->tall);
  return in ? t : INFINITY;
}

const mote_lamp *mote_lamps_meet(const mote_trace *t, mote_ray ray, float most, float *at) {
  const mote_lamp *first = NULL, *distant = NULL;
  *at = most;
  for (const mote_lamp *lamp = t->lamp; lamp < t->lamp + t->lamps; ++lamp) {
    if (lamp->kind == MOTE_LAMP_DISTANT) {
      if (-vec_dot(ray.to, lamp->to) > lamp->cosine) distant = lamp;
      continue;
    }
    float met = lamp->kind == MOTE_LAMP_SPHERE ? meet_sphere(lamp, ray) : meet_rectangle(lamp, ray);
    if (met < *at) *at = met, first = lamp;
  }
  return first != NULL ? first : isinf(most) ? distant : NULL;
}

// --- Sampling ------------------------------------------------------------------------------------------

// One minus the cosine of half the angle of the cone that a sphere fills; from within it: negative.
static float sphere_cone(const mote_lamp *lamp, mote_vec from) {
  mote_vec away = vec_sub(lamp->centre, from);
  float sine2 = lamp->radius * lamp->radius / vec_dot(away, away);
  return sine2 < 1 ? sine2 / (1 + sqrtf(1 - sine2)) : -1;
}

float mote_lamp_density(const mote_lamp *lamp, mote_ray ray, float t) {
  if (lamp->kind == MOTE_LAMP_DISTANT) return 1 / cone_angle(lamp->cosine);
  if (lamp->kind == MOTE_LAMP_RECTANGLE) return t * t / (lamp->area * -vec_dot(ray.to, lamp->to));
  float cone = sphere_cone(lamp, ray.from);
  return cone > 0 ? 1 / (2 * MOTE_PI_F * cone) : 0;
}

bool mote_lamp_choose(const mote_lamp *lamp, mote_vec from, mote_sample_point u, mote_vec *to, float *far,
                      float *density) {
  *far = INFINITY;
  if (lamp->kind == MOTE_LAMP_DISTANT) {
    *to = sample_cone(vec_scale(lamp->to, -1), lamp->cosine, u);
  } else if (lamp->kind == MOTE_LAMP_SPHERE) {
    float cone = sphere_cone(lamp, from);
    if (!(cone > 0)) return false;
    *to = sample_cone(vec_unit(vec_sub(lamp->centre, from)), 1 - cone, u);
    *far = meet_sphere(lamp, (mote_ray){from, *to, 0});
    if (isinf(*far)) *far = vec_length(vec_sub(lamp->centre, from));  // by rounding: it passes its edge
  } else {
    mote_vec at = vec_along(lamp->centre, lamp->across, 2 * u.a - 1);
    mote_vec away = vec_sub(vec_along(at, lamp->tall, 2 * u.b - 1), from);
    *to = vec_unit(away), *far = vec_length(away);
    if (!(vec_dot(*to, lamp->to) < -1e-6F)) return false;
  }
  *density = mote_lamp_density(lamp, (mote_ray){from, *to, 0}, *far);
  return *density > 0 && isfinite(*density);
}
