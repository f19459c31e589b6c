// Views compared: by id in any order, by place without ids, with and without units.
#include <math.h>
#include <mote/snapshot.h>

#include "test.h"

static uint64_t id_a[] = {7, 3, 9, 1}, id_b[] = {1, 3, 7, 8};
static float speed_a[] = {7, 3, 9, 1}, speed_b[] = {1, 3.5f, 7, 8};

static mote_field_view view(const char *name, const char *unit, mote_type type, size_t count, void *data) {
  return (mote_field_view){name, unit, type, 1, count, data};
}

static void rows_are_matched_by_id(void) {
  mote_field_view a[] = {view("id", "1", MOTE_TYPE_U64, 4, id_a),
                         view("v", "m/s", MOTE_TYPE_F32, 4, speed_a)};
  mote_field_view b[] = {view("v", "", MOTE_TYPE_F32, 4, speed_b), view("id", "", MOTE_TYPE_U64, 4, id_b)};
  mote_diff d;
  CHECK(mote_views_diff(a, 2, b, 2, NULL, &d, NULL) == MOTE_OK);
  CHECK(!d.same && d.rows == 3 && d.only_a == 1 && d.first_only_a == 9 && d.only_b == 1 &&
        d.first_only_b == 8);
  CHECK(d.fields == 2 && d.field[1].compared == 3 && d.field[1].differing == 1 && d.field[1].first_id == 3);
  CHECK(d.field[1].absolute == 0.5 && d.field[1].relative == 0.5 / 3.5);
  CHECK(mote_views_diff(a, 2, a, 2, NULL, &d, NULL) == MOTE_OK && d.same && d.rows == 4);
}

static void without_ids_by_place(void) {
  mote_field_view a = view("Velocity", NULL, MOTE_TYPE_F32, 4, speed_a),
                  b = view("Velocity", NULL, MOTE_TYPE_F32, 3, speed_a),
                  c = view("Velocity", NULL, MOTE_TYPE_U32, 4, speed_a);
  mote_diff d;
  CHECK(mote_views_diff(&a, 1, &b, 1, NULL, &d, NULL) == MOTE_OK);
  CHECK(d.rows == 3 && d.only_a == 1 && d.first_only_a == 3 && d.field[0].differing == 0 && !d.same);
  CHECK(mote_views_diff(&a, 1, &c, 1, NULL, &d, NULL) == MOTE_OK && d.field[0].match == MOTE_MATCH_UNLIKE);
  CHECK(mote_views_diff(NULL, 0, NULL, 0, NULL, &d, NULL) == MOTE_OK && d.same && d.fields == 0);
}

static void nonsense_is_refused(void) {
  mote_field_view a[] = {view("id", "1", MOTE_TYPE_U64, 4, id_a),
                         view("v", "m/s", MOTE_TYPE_F32, 3, speed_a)};
  mote_diff d;
  mote_error error;
  CHECK(mote_views_diff(a, 2, a, 1, NULL, &d, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "field \"v\" has 3 rows; the first field has 4");
  CHECK(mote_views_diff(a, 65, a, 1, NULL, &d, &error) == MOTE_ERROR_ARGUMENT);
}

int main(void) {
  rows_are_matched_by_id();
  without_ids_by_place();
  nonsense_is_refused();
  return test_end();
}
