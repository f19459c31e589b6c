// bits.mjs MOTE CORE.js THREADS SCENE...: the core in Node.js prints the state hash of `mote run` for each scene, after so
// many frames that at least STEPS steps are done or SECONDS are over; and once more with COMMANDS random commands, recorded there
// and replayed by `mote run`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { openCore } from '../../apps/web/core.mjs';

const STEPS = 100, SECONDS = 10, COMMANDS = 50;
const [mote, core, threads, ...scenes] = process.argv.slice(2);
const make = createRequire(import.meta.url)(resolve(core));
const work = mkdtempSync(join(tmpdir(), 'bits-'));

// A small generator, so that all machines give the same commands.
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const between = (low, high) => low + (high - low) * random();

function randomCommand(world, about) {
  const points = world.particles('velocity'), bodies = world.bodyPoses();
  let at = null;
  if (points.length > 0) {
    const k = 4 * Math.floor(random() * (points.length / 4));
    at = [points[k], points[k + 1], points[k + 2]];
  }
  if (bodies.length > 0 && (at === null || random() < 0.5)) {
    const k = 15 * Math.floor((random() * bodies.length) / 15);
    at = [0, 1, 2].map((a) => bodies[k + 12 + a]);
  }
  if (at === null || random() < 0.2) return { command: 'gravity', gravity: [between(-2, 2), between(-11, -8), 0] };
  const reach = 4 * about.spacing, flat = about.dimensions === 2;
  const to = at.map((x, a) => (flat && a === 2 ? 0 : x + between(-reach, reach)));
  return { command: 'pull', at, to, radius: reach, stiffness: between(10, 300), seconds: between(0.01, 0.1) };
}

// Frames until enough is done; the record is that of the commands that were taken.
function runHere(world, text, name, commands) {
  world.open(text, name, [], Number(threads));
  const about = world.about(), begin = Date.now();
  let frames = 1, taken = 0;
  do {
    for (let k = 0; commands && k < 10 && taken < COMMANDS; ++k) {
      try {
        world.command(JSON.stringify({ step: 0, ...randomCommand(world, about) }));
        ++taken;
      } catch (error) {
        if (!String(error.message).startsWith('mote: ')) throw error;
      }
    }
    world.step();
    ++frames;
  } while ((world.steps() < STEPS && Date.now() - begin < 1000 * SECONDS) || (commands && taken < COMMANDS && frames < 40));
  return { frames, steps: world.steps(), taken, record: world.record(), hash: world.frameHash() };
}

function runThere(scene, frames, record) {
  const out = join(work, 'run'), file = join(work, 'record.jsonl');
  rmSync(out, { recursive: true, force: true });
  writeFileSync(file, record);
  const said = execFileSync(mote, ['run', scene, '-o', out, '--frames', String(frames), '--quiet', '--set', 'outputs.preview=false',
    ...(record ? ['--commands', file] : [])], { encoding: 'utf8' });
  return /state ([0-9a-f]+)/.exec(said)?.[1];
}

let failures = 0;
try {
  const world = await openCore(make, { wasmBinary: readFileSync(core.replace(/js$/, 'wasm')) });
  for (const scene of scenes) {
    for (const commands of [false, true]) {
      const here = runHere(world, readFileSync(scene, 'utf8'), scene, commands);
      const there = runThere(scene, here.frames, commands ? here.record : '');
      const same = here.hash === there;
      failures += !same;
      console.log(`${same ? 'same' : 'OTHER'} ${basename(scene)}: ${here.steps} steps, ${here.taken} commands, ${here.hash}${same ? '' : ' ' + there}`);
    }
  }
  world.close();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
