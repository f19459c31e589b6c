// What the density of a particle may be at the end of a step: of what is too dense a part is undone, and room
// may be filled, but for a little. Velocities undo little: that would leave particles with speeds of the
// step's making. Shifts do the rest (shift.h). Were velocities to fill what little room there is, they would
// sink, shifts would lift again what they have made too dense, and so put energy into water at rest
// (docs/theory/fluids.md, "DFSPH").
#ifndef MOTE_DENSITY_TARGET_H
#define MOTE_DENSITY_TARGET_H

#define MOTE_LIVELY 2.0f      // of the excess times the spacings moved in a step is undone by velocities
#define MOTE_SHIFT_PART 0.5f  // of the excess is undone by a shift
#define MOTE_WORST 0.25f      // excess that counts: more is undone in several steps
#define MOTE_SLACK 0.003f     // of a density: room that is left

// `alone`: what solids make of D without any other fluid. What they alone press is not undone: where a body
// lies on the floor with water under it, that would be thrown out, and the body up.
static inline float mote_density_target(float D, float alone, float part, float slack) {
  float excess = D - (alone > 1.0f ? alone : 1.0f);
  if (excess > 0.0f) {
    return D - (part < 1.0f ? part : 1.0f) * (excess < MOTE_WORST ? excess : MOTE_WORST);
  }
  return excess < -slack ? 1.0f - slack : D;
}

#endif
