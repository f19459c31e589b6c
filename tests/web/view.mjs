// view.mjs MOTE WORK [FOLDER]: pages of `mote view` of a scene of each kind, a run and a mesh, opened from the disk in a headless
// Chromium at two sizes: nothing on the console, a picture, motion, the camera by keys, a body pulled by the pointer. FOLDER keeps
// pages and pictures; VIEW_ONLY=rigid is one of them alone.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withPage } from './open.mjs';

const [mote, work, keep] = process.argv.slice(2).map((word) => resolve(word));
const folder = keep ?? mkdtempSync(join(tmpdir(), 'pages-'));
const SIZES = [{ width: 1280, height: 800 }, { width: 360, height: 740 }];
const run = (...words) => execFileSync(mote, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, MOTE_WEB: work } });
const only = process.env.VIEW_ONLY;
const wait = (page, what, ...values) => page.waitForFunction(what, { timeout: 60000, polling: 200 }, ...values);

// How many pixels of the canvas are not background, of a picture that is drawn now.
const drawn = (page) => page.evaluate(() => {
  window.mote.stage.render();
  const gl = window.mote.stage.renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl, bytes = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  let count = 0;
  for (let i = 0; i < bytes.length; i += 4) count += Math.abs(bytes[i] - 238) + Math.abs(bytes[i + 1] - 242) + Math.abs(bytes[i + 2] - 245) > 12;
  return count / (w * h);
});

async function looksRight(name, size, use) {
  if (only && name !== only) return;
  await withPage(work, join(folder, `${name}.html`), size, async (page, messages) => {
    await wait(page, () => window.mote?.pictures > 1 || document.getElementById('note').textContent !== '');
    assert.equal(await page.evaluate(() => document.getElementById('note').textContent), '');
    const camera = () => page.evaluate(() => window.mote.stage.camera.position.toArray());
    await use(page);
    assert.ok((await drawn(page)) > 0.002, `${name}: nothing is drawn`);
    const before = await camera();
    await page.focus('#view');
    await page.keyboard.press('ArrowLeft');
    assert.notDeepEqual(await camera(), before, `${name}: the camera does not answer the keyboard`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name}: wider than the page`);
    assert.deepEqual(messages, [], `${name}: the console says ${messages.join('\n')}`);
    if (keep) await page.screenshot({ path: join(folder, `${name}-${size.width}.png`) });
  });
  console.log(`${name} at ${size.width} x ${size.height}: passed`);
}

// Where a point of the world is on the page.
const placeOf = (page, point) => page.evaluate(([x, y, z]) => {
  const { stage } = window.mote, at = stage.camera.position.clone().set(x, y, z).project(stage.camera);
  return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
}, point);

async function isLive(page) {
  await wait(page, () => window.mote.shown.frame !== null);
  await page.evaluate(() => window.mote.controls.play(true));
  await wait(page, () => window.mote.shown.frame.steps > 2);
}

async function isPulled(page) {
  await isLive(page);
  await page.evaluate(() => window.mote.controls.play(false));  // what moves would be elsewhere when the pointer comes
  await new Promise((done) => { setTimeout(done, 1000); });
  const point = await page.evaluate(() => Array.from(window.mote.shown.frame.bodies.slice(4, 7), (x, a) => x + window.mote.shown.frame.bodies[7 + a]));
  const [x, y] = await placeOf(page, point);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await wait(page, () => window.mote.shown.frame.holds === 2);
  await page.evaluate(() => window.mote.controls.play(true));
  await page.mouse.move(x + 60, y - 60, { steps: 4 });
  const before = await page.evaluate(() => window.mote.shown.frame.steps);
  await wait(page, (steps) => window.mote.shown.frame.steps > steps + 2, before);
  await page.mouse.up();
  await wait(page, () => window.mote.shown.frame.holds === 0);
}

const isRecorded = (page) => wait(page, () => window.mote.shown.frames?.length > 0);
try {
  mkdirSync(folder, { recursive: true });
  run('view', 'dam_break_2d', '--set', 'spacing=0.04', '-o', 'fluid.html', '--overwrite');
  run('view', 'box_stack', '-o', 'rigid.html', '--overwrite');
  run('view', 'soft_boxes', '-o', 'elastic.html', '--overwrite');
  run('view', 'lattice_bounce', '-o', 'lattice.html', '--overwrite');
  run('run', 'dam_break', '-o', 'run', '--overwrite', '--frames', '4', '--quiet', '--set', 'spacing=0.05', '--set', 'outputs.preview=false',
    '--set', 'outputs.formats=[vtp]');
  run('view', 'run', '-o', 'recorded.html', '--overwrite');
  run('mesh', 'run/particles.0004.vtp', '-o', 'water.ply', '--overwrite');
  run('view', 'water.ply', '-o', 'mesh.html', '--overwrite');
  for (const size of SIZES) {
    await looksRight('fluid', size, isLive);
    await looksRight('rigid', size, isPulled);
    await looksRight('elastic', size, isLive);
    await looksRight('lattice', size, isLive);
    await looksRight('recorded', size, isRecorded);
    await looksRight('mesh', size, isRecorded);
  }
} finally {
  if (!keep) rmSync(folder, { recursive: true, force: true });
}
