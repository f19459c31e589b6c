// The things of a scene in Embree 4 or 3 (MOTE_EMBREE, chosen by cmake/libraries.cmake): one geometry for
// each. Only this file uses Embree. It builds on one thread, so that its tree, and with it every
// picture, is the same each time.
#if MOTE_EMBREE == 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include "render/trace.h"

const char *mote_render_engine(void) {
  return "Embree " RTC_VERSION_STRING;
}

// --- Embree 4 and 3 ------------------------------------------------------------------------------------

// Embree passes the context of a ray to the functions below. The query follows it.
typedef struct embree_context {
#if MOTE_EMBREE == 4
  struct RTCRayQueryContext embree;
#else
  struct RTCIntersectContext embree;
#endif
  mote_query *query;
} embree_context;

#if MOTE_EMBREE == 4
static void intersect(RTCScene scene, embree_context *context, struct RTCRayHit *found) {
  struct RTCIntersectArguments arguments;
  rtcInitRayQueryContext(&context->embree);
  rtcInitIntersectArguments(&arguments);
  arguments.context = &context->embree;
  rtcIntersect1(scene, found, &arguments);
}

static void occlude(RTCScene scene, embree_context *context, struct RTCRay *ray) {
  struct RTCOccludedArguments arguments;
  rtcInitRayQueryContext(&context->embree);
  rtcInitOccludedArguments(&arguments);
  arguments.context = &context->embree;
  rtcOccluded1(scene, ray, &arguments);
}
#else
static void intersect(RTCScene scene, embree_context *context, struct RTCRayHit *found) {
  rtcInitIntersectContext(&context->embree);
  rtcIntersect1(scene, &context->embree, found);
}

static void occlude(RTCScene scene, embree_context *context, struct RTCRay *ray) {
  rtcInitIntersectContext(&context->embree);
  rtcOccluded1(scene, &context->embree, ray);
}
#endif

static mote_query *query_of(const void *context) {
  return ((const embree_context *)context)->query;
}

// --- Rays ----------------------------------------------------------------------------------------------

static struct RTCRay make_ray(mote_ray ray, float begin, float end) {
  return (struct RTCRay){.org_x = ray.from.x,
                         .org_y = ray.from.y,
                         .org_z = ray.from.z,
                         .dir_x = ray.to.x,
                         .dir_y = ray.to.y,
                         .dir_z = ray.to.z,
                         .time = ray.time,
                         .tnear = begin,
                         .tfar = end,
                         .mask = 0xffffffffU};
}

static mote_ray ray_of(const struct RTCRay *ray) {
  return (mote_ray){vec(ray->org_x, ray->org_y, ray->org_z), vec(ray->dir_x, ray->dir_y, ray->dir_z),
                    ray->time};
}

bool mote_embree_meet(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query,
                      mote_meeting *found) {
  embree_context context = {.query = query};
  struct RTCRayHit hit = {.ray = make_ray(ray, begin, end),
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
  intersect(t->embree, &context, &hit);
  if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  *found = (mote_meeting){.thing = hit.hit.geomID,
                          .part = hit.hit.primID,
                          .t = hit.ray.tfar,
                          .u = hit.hit.u,
                          .v = hit.hit.v,
                          .normal = vec(hit.hit.Ng_x, hit.hit.Ng_y, hit.hit.Ng_z)};
  return true;
}

bool mote_embree_stops(const mote_trace *t, mote_ray towards, float begin, float end, mote_query *query) {
  embree_context context = {.query = query};
  struct RTCRay ray = make_ray(towards, begin, end);
  occlude(t->embree, &context, &ray);
  return ray.tfar < 0;
}

// --- Meshes and lines ----------------------------------------------------------------------------------

static void glass_shadow(const struct RTCFilterFunctionNArguments *args) {
  if (args->valid[0] == 0) return;
  const mote_thing *thing = args->geometryUserPtr;
  const struct RTCRay *ray = (const struct RTCRay *)(const void *)args->ray;
  const struct RTCHit *hit = (const struct RTCHit *)(const void *)args->hit;
  mote_vec to = vec(ray->dir_x, ray->dir_y, ray->dir_z), face = vec(hit->Ng_x, hit->Ng_y, hit->Ng_z);
  mote_vec n = mote_mesh_normal(thing, hit->primID, hit->u, hit->v);
  float cosine = fabsf(vec_dot(n, to)), sign = vec_dot(face, to) > 0 ? 1.0F : -1.0F;
  mote_query_cross(query_of(args->context), thing, ray->tfar, sign * cosine);
  args->valid[0] = 0;
}

// Liquids are hit in the tank only.
static void in_tank(const struct RTCFilterFunctionNArguments *args) {
  const mote_query *query = query_of(args->context);
  const mote_thing *thing = args->geometryUserPtr;
  const struct RTCRay *ray = (const struct RTCRay *)(const void *)args->ray;
  bool meets =
      thing->liquid ? !query->bodies && ray->tfar > query->begin && ray->tfar < query->end : !query->probe;
  if (!meets) args->valid[0] = 0;
}

static void eye_only(const struct RTCFilterFunctionNArguments *args) {
  const mote_query *query = query_of(args->context);
  if (!query->eye) args->valid[0] = 0;
}

static RTCGeometry mesh_geometry(mote_trace *t, mote_thing *thing) {
  RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  if (g == NULL) return NULL;
  rtcSetGeometryTimeStepCount(g, thing->vertex_end != NULL ? 2 : 1);
  rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, thing->vertex, 0,
                             3 * sizeof(float), thing->vertices);
  if (thing->vertex_end != NULL)
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 1, RTC_FORMAT_FLOAT3, thing->vertex_end, 0,
                               3 * sizeof(float), thing->vertices);
  rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, thing->triangle, 0,
                             3 * sizeof(uint32_t), thing->triangles);
  rtcSetGeometryUserData(g, thing);
  if (t->tank.there || t->cut) rtcSetGeometryIntersectFilterFunction(g, in_tank);
  if (thing->look.kind == MOTE_LOOK_GLASS)
    rtcSetGeometryOccludedFilterFunction(g, glass_shadow);
  else if (t->tank.there && thing->liquid)
    rtcSetGeometryOccludedFilterFunction(g, in_tank);
  return g;
}

static RTCGeometry line_geometry(mote_trace *t, mote_thing *thing) {
  RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
  if (g == NULL) return NULL;
  rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, thing->vertex, 0,
                             4 * sizeof(float), thing->vertices);
  rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, thing->triangle, 0,
                             sizeof(uint32_t), thing->vertices / 2);
  rtcSetGeometryUserData(g, thing);
  rtcSetGeometryIntersectFilterFunction(g, eye_only);
  rtcSetGeometryOccludedFilterFunction(g, eye_only);
  return g;
}

// --- Balls ---------------------------------------------------------------------------------------------

// Embree ignores balls with NaN bounds.
static void ball_bounds(const struct RTCBoundsFunctionArguments *args) {
  float low[3], high[3];
  mote_ball_bounds(args->geometryUserPtr, args->primID, (float)args->timeStep, low, high);
  struct RTCBounds *out = args->bounds_o;
  out->lower_x = low[0], out->lower_y = low[1], out->lower_z = low[2];
  out->upper_x = high[0], out->upper_y = high[1], out->upper_z = high[2];
}

static void ball_meet(const struct RTCIntersectFunctionNArguments *args) {
  struct RTCRayHit *found = (struct RTCRayHit *)(void *)args->rayhit;
  float t;
  if (args->valid[0] == 0 || !mote_ball_stops(args->geometryUserPtr, args->primID, query_of(args->context),
                                              ray_of(&found->ray), found->ray.tnear, found->ray.tfar, &t))
    return;
  found->ray.tfar = t;
  found->hit.primID = args->primID;
  found->hit.geomID = args->geomID;
  found->hit.instID[0] = args->context->instID[0];
}

static void ball_shadow(const struct RTCOccludedFunctionNArguments *args) {
  struct RTCRay *ray = (struct RTCRay *)(void *)args->ray;
  if (args->valid[0] != 0 && mote_ball_shades(args->geometryUserPtr, args->primID, query_of(args->context),
                                              ray_of(ray), ray->tnear, ray->tfar))
    ray->tfar = -INFINITY;
}

static RTCGeometry ball_geometry(mote_trace *t, mote_thing *thing) {
  RTCGeometry geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_USER);
  if (geometry == NULL) return NULL;
  rtcSetGeometryUserPrimitiveCount(geometry, (unsigned)thing->balls);
  rtcSetGeometryTimeStepCount(geometry, thing->moves ? 2 : 1);
  rtcSetGeometryUserData(geometry, thing);
  rtcSetGeometryBoundsFunction(geometry, ball_bounds, NULL);
  rtcSetGeometryIntersectFunction(geometry, ball_meet);
  rtcSetGeometryOccludedFunction(geometry, ball_shadow);
  return geometry;
}

// --- The tree ------------------------------------------------------------------------------------------

static mote_result embree_fails(mote_trace *t, mote_error *error) {
  enum RTCError code = rtcGetDeviceError(t->device);
  if (code == RTC_ERROR_NONE) return MOTE_OK;
  if (code == RTC_ERROR_OUT_OF_MEMORY) return mote_io_fail_memory(error);
  return mote_io_fail(error, MOTE_ERROR_NUMERIC, NULL, "Embree could not build the scene (error %d)",
                      (int)code);
}

static mote_result attach(mote_trace *t, mote_thing *thing, mote_error *error) {
  bool empty = thing->kind == MOTE_THING_BALLS ? thing->balls == 0 : thing->vertices == 0;
  if (empty || (thing->kind == MOTE_THING_MESH && thing->triangles == 0)) return MOTE_OK;
  RTCGeometry g = thing->kind == MOTE_THING_MESH    ? mesh_geometry(t, thing)
                  : thing->kind == MOTE_THING_BALLS ? ball_geometry(t, thing)
                                                    : line_geometry(t, thing);
  if (g == NULL) return embree_fails(t, error);
  rtcCommitGeometry(g);
  rtcAttachGeometryByID(t->embree, g, (unsigned)(thing - t->thing));
  rtcReleaseGeometry(g);
  return embree_fails(t, error);
}

mote_result mote_embree_build(mote_trace *t, mote_error *error) {
  t->device = rtcNewDevice("threads=1,set_affinity=0,start_threads=0");
  if (t->device == NULL)
    return rtcGetDeviceError(NULL) == RTC_ERROR_OUT_OF_MEMORY
               ? mote_io_fail_memory(error)
               : mote_io_fail(error, MOTE_ERROR_FILE, NULL, "Embree does not run on this machine");
  t->embree = rtcNewScene(t->device);
  if (t->embree == NULL) return embree_fails(t, error);
  rtcSetSceneFlags(t->embree, RTC_SCENE_FLAG_ROBUST);
  for (size_t k = 0; k < t->things; ++k) MOTE_IO_TRY(attach(t, t->thing + k, error));
  rtcCommitScene(t->embree);
  return embree_fails(t, error);
}

void mote_embree_free(mote_trace *t) {
  if (t->embree != NULL) rtcReleaseScene(t->embree);
  if (t->device != NULL) rtcReleaseDevice(t->device);
  t->embree = NULL, t->device = NULL;
}
