// The tables of pressure solvers: a row for each kind, keywords in the order of the kinds, functions that fit
// the properties.
#include "fluid/pressure_solver.h"

#include <ctype.h>
#include <string.h>

#include "test.h"

// Keyword k of the list, as upper case.
static void keyword(int k, char out[16]) {
  const char *at = MOTE_PRESSURE_KEYWORDS;
  for (; k > 0 && at != NULL; --k) {
    at = strchr(at, ',');
    if (at != NULL) at += 2;
  }
  size_t n = 0;
  for (; at != NULL && at[n] != ',' && at[n] != '\0' && n < 15; ++n) out[n] = (char)toupper(at[n]);
  out[n] = '\0';
}

int main(void) {
  char word[16];
  for (int k = 0; k < MOTE_PRESSURE_KINDS; ++k) {
    mote_solver_def def = {.pressure = (mote_pressure_kind)k, .density = MOTE_DENSITY_FOLLOWED};
    const mote_pressure_properties *p = mote_pressure_properties_of(&def);
    const mote_pressure_solver *solver = mote_pressure_solver_of(&def);
    keyword(k, word);
    CHECK_TEXT(mote_pressure_name(def.pressure), word);
    CHECK(solver->solve != NULL);
    CHECK(mote_pressure_has_sound_speed(def.pressure) == p->has_sound_speed);
    // Pressures come from a state or from a matrix; followed densities need the state's before walls gather
    // them.
    CHECK(p->has_sound_speed != p->needs_diagonal);
    CHECK(!p->allows_followed_density || solver->prepare != NULL);
    CHECK(mote_pressure_follows_density(&def) == p->allows_followed_density);
    def.density = MOTE_DENSITY_SUMMED;
    CHECK(!mote_pressure_follows_density(&def));
  }
  keyword(MOTE_PRESSURE_KINDS, word);
  CHECK_TEXT(word, "");
  CHECK_TEXT(mote_pressure_name(MOTE_PRESSURE_KINDS), "unknown");
  CHECK(!mote_pressure_has_sound_speed(MOTE_PRESSURE_KINDS));
  return test_end();
}
