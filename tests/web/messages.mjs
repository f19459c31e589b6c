// messages.mjs MOTE CORE.js COUNT: the core in Node.js says of all scenes of tests/scenes_bad, and of COUNT mutants of the built-in
// scenes, what the tool says, byte by byte; and of one that is larger than memory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openCore } from '../../apps/web/core.mjs';

const [mote, core, count] = process.argv.slice(2).map((word, k) => (k < 2 ? resolve(word) : Number(word)));
const world = await openCore(createRequire(import.meta.url)(core), { wasmBinary: readFileSync(core.replace(/js$/, 'wasm')) });
const BAD = 'tests/scenes_bad', work = mkdtempSync(join(tmpdir(), 'messages-'));
let failures = 0;

const lines = (text) => text.split('\n').filter((line) => line.startsWith('mote: ') && !line.startsWith('mote: warning:')).join('\n');
const said = (...words) => lines(spawnSync(mote, words, { cwd: words.at(-1).includes('/') ? undefined : resolve(BAD), encoding: 'utf8' }).stderr);
function saysHere(call) {
  try { call(); return ''; } catch (error) { return lines(error.message); }
}

function compare(name, here, there) {
  if (here === there) return;
  ++failures;
  console.log(`OTHER ${name}\n  core: ${here}\n  tool: ${there}`);
}

// Files that scenes include are read from the module's own folder of that name.
function giveFiles(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      world.module.FS.mkdir(`${to}${entry.name}`);
      giveFiles(join(from, entry.name), `${to}${entry.name}/`);
    } else {
      world.module.FS.writeFile(to + entry.name, readFileSync(join(from, entry.name)));
    }
  }
}

function compareBad() {
  giveFiles(BAD, './');
  const scenes = readdirSync(BAD).filter((name) => name.endsWith('.yaml'));
  for (const name of scenes) {
    compare(name, saysHere(() => world.open(null, name)), said('check', name));
  }
  console.log(`${scenes.length} scenes of ${BAD}`);
}

// A small generator, so that all machines give the same mutants.
let state = 7;
const random = (below) => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * below);

function mutate(text) {
  const rows = text.split('\n'), k = random(rows.length), row = rows[k], at = random(row.length + 1);
  const odd = [':', '{', '}', '[', ']', '-', '"', "'", '#', ' ', '\t', '0', '1e99', '-1', 'nan', 'x', 'm', '\u00e9', '*', '&a', '!'];
  const changes = [
    () => rows.splice(k, 1),
    () => rows.splice(k, 0, row),
    () => { rows[k] = row.slice(0, at) + odd[random(odd.length)] + row.slice(at); },
    () => { rows[k] = row.slice(0, at) + row.slice(at + 1); },
    () => { rows[k] = row.replace(/[0-9.]+/, odd[random(odd.length)]); },
    () => { rows[k] = ` ${row}`; },
    () => { rows[k] = row.replace(/[a-z_]+/, (word) => word.slice(0, -1)); },
    () => rows.splice(k),
  ];
  changes[random(changes.length)]();
  return rows.join('\n');
}

function compareMutants() {
  const scenes = readdirSync('scenes').filter((name) => name.endsWith('.yaml')).sort(), file = join(work, 'mutant.yaml');
  let refused = 0;
  for (let k = 0; k < count; ++k) {
    let text = readFileSync(join('scenes', scenes[random(scenes.length)]), 'utf8');
    for (let changes = 1 + random(3); changes > 0; --changes) text = mutate(text);
    writeFileSync(file, text);
    const here = saysHere(() => world.read(text, file));
    refused += here !== '';
    compare(`mutant ${k}`, here, said('view', '-o', join(work, 'page.html'), '--overwrite', file));
  }
  console.log(`${count} mutants, ${refused} of them refused`);
}

// More particles than a module's 2 GiB hold; the tool is given as much.
function compareLarge() {
  const scene = 'spacing: 0.00225\nbodies: {sea: {fill: cubic, shape: {box: {low: [0, 0, 0], high: [1, 1, 1]}}}}\n', file = join(work, 'large.yaml');
  writeFileSync(file, scene);
  const there = spawnSync('bash', ['-c', 'ulimit -v 2097152; exec "$@"', 'bash', mote, 'run', '-o', join(work, 'run'), file], { encoding: 'utf8' });
  const here = saysHere(() => world.open(scene, file));
  compare('a scene that is too large', here, lines(there.stderr));
  if (!here.includes('out of memory')) compare('a scene that is too large', here, 'out of memory');
}

try {
  compareLarge();
  compareBad();
  compareMutants();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
