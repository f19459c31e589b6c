// view.mjs MOTE WORK [FOLDER]: pages of `mote view` of a scene of each kind, a run and a mesh, opened from the disk in a headless
// Chromium at two sizes: nothing on the console, a picture, motion, the camera by keys, a body pulled by the pointer. FOLDER keeps
// pages and pictures; VIEW_ONLY=rigid is one of them alone.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasFirefox, withPage } from './open.mjs';

const [mote, work, keep] = process.argv.slice(2).map((word) => resolve(word));
const folder = keep ?? mkdtempSync(join(tmpdir(), 'pages-'));
const SIZES = [{ width: 1280, height: 800 }, { width: 360, height: 740 }];
const run = (...words) => execFileSync(mote, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, MOTE_WEB: work } });
const only = process.env.VIEW_ONLY;
const wait = (page, what, ...values) => page.waitForFunction(what, { timeout: 60000, polling: 200 }, ...values);

// In the page: the bytes of a picture that is drawn now, with the bend of light by water and without water.
const helpers = () => {
  window.pixels = ({ bend = 1, water = true } = {}) => {
    const { stage } = window.mote, gl = stage.renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl, bytes = new Uint8Array(4 * w * h);
    stage.water.water.uniforms.bend.value = bend;
    stage.liquid.geometry.setDrawRange(0, water ? Infinity : 0);
    stage.render();
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    stage.water.water.uniforms.bend.value = 1;
    stage.liquid.geometry.setDrawRange(0, Infinity);
    return { w, h, bytes };
  };
  window.differs = (a, b, most) => Uint8Array.from({ length: a.length / 4 }, (_, i) => Math.max(...[0, 1, 2].map((c) => Math.abs(a[4 * i + c] - b[4 * i + c]))) > most);
};

// How many pixels of the canvas are not background.
const drawn = (page) => page.evaluate(() => {
  const { w, h, bytes } = window.pixels();
  let count = 0;
  for (let i = 0; i < bytes.length; i += 4) count += Math.abs(bytes[i] - 238) + Math.abs(bytes[i + 1] - 242) + Math.abs(bytes[i + 2] - 245) > 12;
  return count / (w * h);
});

async function looksRight(name, size, use) {
  if (only && name !== only) return;
  const seen = await withPage(work, join(folder, `${name}.html`), size, async (page, messages) => {
    if (await page.evaluate(() => document.createElement('canvas').getContext('webgl2') === null)) {
      await wait(page, () => document.getElementById('note').textContent !== '');
      assert.match(await page.evaluate(() => document.getElementById('note').textContent), /WebGL 2 is missing/);
      console.log(`${name}${size.browser ? ` in ${size.browser}` : ''}: there is no WebGL 2, and the page says so`);
      assert.ok(size.browser, 'Chromium has WebGL 2');
      return false;
    }
    await wait(page, () => window.mote?.pictures > 0 || document.getElementById('note').textContent !== '');
    assert.equal(await page.evaluate(() => document.getElementById('note').textContent), '');
    await page.evaluate(helpers);
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
    return true;
  });
  if (seen) console.log(`${name} at ${size.width} x ${size.height}${size.browser ? ` in ${size.browser}` : ''}: passed`);
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
  const point = await page.evaluate(() => Array.from(window.mote.shown.frame.bodies.slice(12, 15)));
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

const showLast = async (page) => {
  await isRecorded(page);
  await page.evaluate(() => { window.mote.controls.play(false); window.mote.shown.show(window.mote.shown.frames.length - 1); });
};

// Rigid bodies are moved and turned, not bent.
async function isPosed(page) {
  await showLast(page);
  const [worst, shown] = await page.evaluate(() => {
    const numbers = window.mote.shown.bodies.map(({ mesh }) => mesh.matrix.elements);
    const dot = (m, a, b) => m[4 * a] * m[4 * b] + m[4 * a + 1] * m[4 * b + 1] + m[4 * a + 2] * m[4 * b + 2];
    const off = numbers.flatMap((m) => [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => Math.abs(dot(m, a, b) - (a === b ? 1 : 0)))));
    return [Math.max(...off), numbers.length];
  });
  assert.ok(shown > 3 && worst < 1e-5, `poses of ${shown} bodies are rotations up to ${worst}`);
}

async function hasSkins(page) {
  await showLast(page);
  const triangles = await page.evaluate(() => window.mote.stage.skins.children.map((mesh) => mesh.geometry.index.count / 3));
  assert.ok(triangles.length > 1 && triangles.every((count) => count > 50), `skins of ${triangles} triangles`);
}

async function hasSurface(page) {
  await showLast(page);
  assert.ok((await page.evaluate(() => window.mote.stage.surfaces.visible && window.mote.stage.surfaces.children[0].geometry.index.count)) > 300);
}

// Its probes are curves, and say so.
async function hasCurves(page) {
  await showLast(page);
  const labels = await page.evaluate(() => { document.getElementById('curves').open = true; window.mote.shown.curves.draw();
    return Array.from(document.querySelectorAll('#curves .uplot'), (one) => one.getAttribute('aria-label')); });
  assert.ok(labels.length > 0 && labels.every((label) => /now [-0-9.e+]+$/.test(label)), `curves: ${labels}`);
}

// Water covers what the particles of `mote render --preview` cover, and what is behind it is displaced.
async function looksLikeWater(page) {
  await showLast(page);
  const [from, to, size] = await page.evaluate(() => { const { stage } = window.mote; return [stage.camera.position.toArray(), stage.controls.target.toArray(), [innerWidth, innerHeight]]; });
  run('render', 'run', '--frames', '4', '--preview', '--as', 'spheres', '--size', size.join('x'), '--camera', `from ${from} to ${to} angle 40`, '--bare', '-o', 'preview.png',
    '--overwrite');
  const picture = `data:image/png;base64,${readFileSync(join(folder, 'preview.png')).toString('base64')}`;
  const found = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const { w, h, bytes } = window.pixels(), canvas = new OffscreenCanvas(w, h), draw = canvas.getContext('2d');
    draw.drawImage(image, 0, 0, w, h);
    const preview = draw.getImageData(0, 0, w, h).data, water = window.differs(bytes, window.pixels({ water: false }).bytes, 3);
    let both = 0, either = 0, bent = 0, wet = 0;
    const straight = window.differs(bytes, window.pixels({ bend: 0 }).bytes, 12);
    for (let y = 0; y < h; ++y) for (let x = 0; x < w; ++x) {
      const i = 4 * (y * w + x), here = water[(h - 1 - y) * w + x] === 1, there = preview[i + 2] - preview[i] > 20;
      both += here && there, either += here || there;
      wet += water[y * w + x], bent += straight[y * w + x];
    }
    return { overlap: both / either, bent: bent / wet, wet: wet / (w * h) };
  }, picture);
  console.log(`water: ${found.overlap.toFixed(3)} of its pixels and those of the preview are both, ${found.bent.toFixed(3)} are displaced`);
  assert.ok(found.overlap >= 0.9, `overlap ${found.overlap}`);
  assert.ok(found.bent > 0.02, `displaced ${found.bent}`);
}

// The camera turns while the worker is in a step of three seconds: pictures do not wait for it.
async function staysSmooth(page) {
  await isLive(page);
  await page.evaluate(() => window.mote.controls.play(false));
  const turned = await page.evaluate(() => new Promise((done) => {
    const { stage } = window.mote, begin = performance.now(), first = window.mote.pictures;
    const turn = () => {
      stage.camera.position.x += 1e-3;
      if (performance.now() - begin < 2000) requestAnimationFrame(turn); else done((window.mote.pictures - first) / 2);
    };
    turn();
  }));
  const works = page.workers()[0].evaluate(() => { const end = performance.now() + 3000; while (performance.now() < end); });
  const before = await page.evaluate(() => window.mote.pictures);
  for (let k = 0; k < 5; ++k) await page.keyboard.press('ArrowLeft');
  await wait(page, (first) => window.mote.pictures > first, before);
  assert.equal(await Promise.race([works.then(() => 'ended'), Promise.resolve('works')]), 'works', 'the picture came after the step');
  await works;
  console.log(`${turned.toFixed(1)} pictures a second while the camera turns, in this software renderer`);
}

try {
  mkdirSync(folder, { recursive: true });
  run('view', 'dam_break_2d', '--set', 'spacing=0.04', '-o', 'fluid.html', '--overwrite');
  run('view', 'box_stack', '-o', 'rigid.html', '--overwrite');
  run('view', 'soft_boxes', '-o', 'elastic.html', '--overwrite');
  run('view', 'lattice_bounce', '-o', 'lattice.html', '--overwrite');
  run('run', 'dam_break', '-o', 'run', '--overwrite', '--frames', '4', '--quiet', '--set', 'spacing=0.03', '--set', 'outputs.preview=false',
    '--set', 'outputs.formats=[vtp]');
  run('view', 'run', '-o', 'recorded.html', '--overwrite');
  run('run', 'box_stack', '-o', 'stack', '--overwrite', '--frames', '12', '--quiet', '--set', 'outputs.preview=false');
  run('view', 'stack', '-o', 'bodies.html', '--overwrite');
  run('run', 'soft_boxes', '-o', 'soft', '--overwrite', '--frames', '5', '--quiet', '--set', 'outputs.preview=false', '--set', 'outputs.formats=[vtp]');
  run('view', 'soft', '-o', 'skins.html', '--overwrite');
  run('run', 'double_dam_tracked', '-o', 'tracked', '--overwrite', '--frames', '3', '--quiet', '--set', 'spacing=0.06', '--set', 'outputs.preview=false');
  run('view', 'tracked', '-o', 'surface.html', '--overwrite');
  run('mesh', 'run/particles.0004.vtp', '-o', 'water.ply', '--overwrite');
  run('view', 'water.ply', '-o', 'mesh.html', '--overwrite');
  for (const size of SIZES) {
    await looksRight('fluid', size, isLive);
    await looksRight('rigid', size, isPulled);
    await looksRight('elastic', size, isLive);
    await looksRight('lattice', size, isLive);
    await looksRight('recorded', size, hasCurves);
    await looksRight('bodies', size, isPosed);
    await looksRight('skins', size, hasSkins);
    await looksRight('surface', size, hasSurface);
    await looksRight('mesh', size, isRecorded);
  }
  if (!hasFirefox) console.log('there is no Firefox: it is not tested');
  for (const name of hasFirefox ? ['fluid', 'rigid', 'recorded'] : []) {
    const use = { fluid: isLive, rigid: isPulled, recorded: hasCurves }[name];
    await looksRight(name, { ...SIZES[0], browser: 'firefox' }, use);
  }
  await looksRight('recorded', SIZES[0], looksLikeWater);
  await looksRight('rigid', SIZES[1], staysSmooth);
} finally {
  if (!keep) rmSync(folder, { recursive: true, force: true });
}
