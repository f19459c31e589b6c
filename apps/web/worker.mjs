// The world's thread: owns the world, steps it while the page asks for frames, and hands arrays over. The page sends
// {type: 'core', wasm} | 'open' {text, name, threads} | 'play' {on} | 'command' {command} | 'pick' {ray, id} | 'field' {field} | 'run' {steps}.
import { openCore, CoreError } from './core.mjs';

const STEP_MS = 12;  // after so long a picture is due, whether the frame has ended or not
let world = null, playing = false, field = 'velocity', scene = null, stepMs = 0, over = false;

function fail(error) {
  playing = false;
  const memory = error instanceof RangeError || /memory|abort/i.test(String(error.message));
  const text = error instanceof CoreError ? error.message : memory ? 'mote: out of memory\n' : String(error.stack || error);
  postMessage({ type: 'error', text });
}

const guarded = (work) => { try { return work(); } catch (error) { fail(error); return undefined; } };

// Not before the page has drawn the last one, so that messages of the page never wait behind pictures.
let waits = false, missed = false;
function show() {
  missed = waits;
  if (waits) return;
  waits = true;
  const points = world.particles(field), kinds = world.colours(), bodies = world.bodyPoses(), colliders = world.colliderPoses();
  const skins = world.skins() ?? [], buffers = skins.flatMap((one) => [one.vertices.buffer, one.triangles.buffer]);
  postMessage({ type: 'frame', points, kinds, bodies, colliders, skins, samples: samples.splice(0), time: world.time(), steps: world.steps(), stepMs, behind,
    holds: world.holds() }, [points.buffer, kinds.buffer, bodies.buffer, colliders.buffer, ...buffers]);
}

// Of the probes, at the ends of frames: the time, and a value of each.
const samples = [];
const sample = () => samples.push([world.time(), ...world.probes()]);

function open(data) {
  scene = data;
  world.open(data.text, data.name, data.sets || [], data.threads || 1);
  const about = world.about(), meshes = { bodies: [], colliders: [] };
  for (let k = 0; k < about.bodies; ++k) meshes.bodies.push(world.mesh(false, k, 20));
  for (let k = 0; k < about.colliders; ++k) meshes.colliders.push(world.mesh(true, k, 40));
  over = false;
  samples.length = 0;
  sample();
  postMessage({ type: 'open', about, meshes, probes: world.probeNames() });
  show();
}

// Never faster than the clock: `start` is when time 0 would have been.
let start = 0, behind = 0;
function loop() {
  if (!playing || over) return;
  const begin = performance.now(), early = 1000 * world.time() - (begin - start);
  behind = early < -100 ? 1 : behind * 0.9 > 0.3 ? behind * 0.9 : 0;
  if (early < -100) start = begin - 1000 * world.time() - 100;  // slow motion: nothing is made up for
  if (early > 0) { setTimeout(loop, Math.min(early, 50)); return; }
  let steps = world.steps();
  if (guarded(() => world.step(() => performance.now() - begin > STEP_MS))) sample();
  steps = world.steps() - steps;
  if (steps > 0) stepMs = stepMs === 0 ? (performance.now() - begin) / steps : 0.8 * stepMs + (0.2 * (performance.now() - begin)) / steps;
  guarded(show);
  if (playing) setTimeout(loop, 0);
}

const tasks = {
  open,
  play({ on }) { const was = playing; playing = on; start = performance.now() - 1000 * world.time(); if (on && !was) loop(); },
  drawn() { waits = false; if (missed) show(); },
  command({ command }) { world.command(JSON.stringify({ step: 0, ...command })); show(); },
  pick({ origin, direction, id }) { postMessage({ type: 'picked', id, hit: world.pick(origin, direction) }); },
  field({ name }) { field = name; show(); },
  restart() { open(scene); start = performance.now(); },
  record() { postMessage({ type: 'record', text: world.record() }); },
  run({ steps }) { const end = world.steps() + steps; while (world.steps() < end) world.step(() => world.steps() >= end); show();
    postMessage({ type: 'hash', hash: world.hash() }); },
};

onmessage = async ({ data }) => {
  try {
    if (data.type === 'core') {
      world = await openCore(globalThis.MoteCore, { wasmBinary: data.wasm });
      postMessage({ type: 'ready' });
    } else {
      tasks[data.type](data);
    }
  } catch (error) {
    fail(error);
  }
};
