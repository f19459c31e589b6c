// The page: a view of a run, of meshes, or of a scene whose world lives in a worker (worker.mjs). What to show stands in the
// element #data: {kind: 'scene', name, text} | {kind: 'run', title, box, frames...} | {kind: 'mesh', meshes...}.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import GUI from 'lil-gui';
import { makePoints, setPoints } from './points.mjs';
import { Water } from './water.mjs';
import { decodeMesh, decodeMoving, decodeRun, floatsOf, readProbes, unzip } from './decode.mjs';
import { Curves } from './curves.mjs';

const element = (id) => document.getElementById(id);
const note = (text) => { element('note').textContent = text; };
const text = (id) => element(id)?.textContent ?? '';
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const BACKGROUND = 0xeef2f5, HIDDEN = [0, 0, 0, 0];

// --- The stage: camera, lights, particles, meshes -----------------------------------------------------------

class Stage {
  constructor(canvas) {
    const context = canvas.getContext('webgl2', { antialias: true });
    if (!context) throw new Error('This browser cannot draw: WebGL 2 is missing or switched off.');
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true });
    this.renderer.setClearColor(BACKGROUND, 1);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !calm;
    this.controls.addEventListener('change', () => { this.changed = true; });
    this.changed = true;  // what is seen, since the last picture
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position.set(0.35, 0.8, 0.5);
    this.scene.add(sun, new THREE.HemisphereLight(0xffffff, 0x9aa7b2, 1.4));
    this.solid = makePoints();
    this.liquid = makePoints();
    this.water = new Water(this.renderer);
    this.scene.add(this.solid);
    this.radius = 0.01;
    this.look = 'water';
    this.meshes = new THREE.Group();
    this.skins = new THREE.Group();
    this.surfaces = new THREE.Group();
    this.scene.add(this.meshes, this.skins, this.surfaces);
    canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); note('The drawing context was lost: reload the page.'); });
    addEventListener('resize', () => this.resize());
    this.resize();
  }

  resize() {
    const ratio = Math.min(devicePixelRatio, 2), { innerWidth: width, innerHeight: height } = window;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.water.setSize(Math.round(width * ratio), Math.round(height * ratio));
    this.changed = true;
  }

  // All of the box in view; a flat one from the front.
  frame(low, high, flat) {
    const box = new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high)), centre = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3()), ball = 0.5 * size.length();
    const angle = (this.camera.fov * Math.PI) / 360, narrow = Math.min(1, this.camera.aspect);
    const away = (1.05 * ball) / Math.sin(Math.atan(Math.tan(angle) * narrow));
    const from = flat ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0.45, 0.35, 1).normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, away);
    this.camera.near = away / 50;
    this.camera.far = away * 8;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.flat = flat;
    this.addFloor(low, high, flat);
  }

  addFloor(low, high, flat) {
    const corners = new THREE.Box3Helper(new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high)), 0x8fa1b0);
    this.scene.add(corners);
    if (flat) return;
    const cells = 8, step = Math.max(high[0] - low[0], high[2] - low[2]) / cells, plane = new THREE.Group();
    for (let i = 0; i * step < high[0] - low[0] - 1e-9; ++i) {
      for (let k = 0; k * step < high[2] - low[2] - 1e-9; ++k) {
        const width = Math.min(step, high[0] - low[0] - i * step), depth = Math.min(step, high[2] - low[2] - k * step);
        const tile = new THREE.Mesh(new THREE.PlaneGeometry(width, depth),
          new THREE.MeshLambertMaterial({ color: (i + k) % 2 ? 0xd5dce2 : 0xb4c0ca, side: THREE.DoubleSide }));
        tile.rotation.x = -Math.PI / 2;
        tile.position.set(low[0] + i * step + 0.5 * width, low[1] - 1e-3 * step, low[2] + k * step + 0.5 * depth);
        plane.add(tile);
      }
    }
    this.scene.add(plane);
  }

  addMesh({ vertices, triangles, colour }, { clear = false } = {}) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(vertices, 3));
    geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    const flat = geometry.toNonIndexed();
    flat.computeVertexNormals();
    const mesh = new THREE.Mesh(flat, new THREE.MeshLambertMaterial({ color: colour, side: THREE.DoubleSide, transparent: clear,
      opacity: clear ? 0.3 : 1, depthWrite: !clear }));
    mesh.frustumCulled = false;
    this.meshes.add(mesh);
    this.changed = true;
    return mesh;
  }

  // x -> R x + t, R by rows; NaN: it is not there.
  pose(mesh, [a, b, c, d, e, f, g, h, i, x, y, z]) {
    mesh.visible = !Number.isNaN(x);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
  }

  // Meshes that change: skins and surfaces. Those of the last call are taken over where they fit.
  setMoving(group, meshes) {
    while (group.children.length > meshes.length) group.remove(group.children[group.children.length - 1]);
    meshes.forEach(({ vertices, triangles, colour }, k) => {
      let mesh = group.children[k];
      if (!mesh) {
        mesh = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }));
        mesh.frustumCulled = false;
        group.add(mesh);
      }
      mesh.geometry.dispose();
      mesh.geometry = new THREE.BufferGeometry();
      mesh.geometry.setAttribute('position', new THREE.BufferAttribute(vertices, 3));
      mesh.geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
      mesh.geometry.computeVertexNormals();
      mesh.material.color.set(colour);
    });
  }

  setSkins(meshes) { this.setMoving(this.skins, meshes); }
  setSurfaces(meshes) { this.setMoving(this.surfaces, meshes); }

  // x, y, z and value of each; kind, red, green, blue of each; the colours of values, or null: of materials.
  particles(points, kinds, range) {
    const count = points.length / 4, place = new Float32Array(3 * count), wet = new Float32Array(4 * count), dry = new Float32Array(4 * count);
    const colour = new THREE.Color(), asWater = this.look === 'water' && range === null;
    this.surfaces.visible = this.look === 'surface' && range === null;
    this.skins.visible = range === null;
    const hidden = [this.surfaces.visible && this.surfaces.children.length > 0, this.skins.visible && this.skins.children.length > 0];
    let liquids = 0;
    for (let i = 0; i < count; ++i) {
      for (let a = 0; a < 3; ++a) place[3 * i + a] = points[4 * i + a];
      const liquid = kinds[4 * i] === 0;
      if (hidden[Math.min(kinds[4 * i], 1)]) continue;  // a mesh stands for it; tints of 0 hide it
      if (range === null) colour.setRGB(kinds[4 * i + 1] / 255, kinds[4 * i + 2] / 255, kinds[4 * i + 3] / 255, THREE.SRGBColorSpace);
      else setScale(colour, (points[4 * i + 3] - range[0]) / (range[1] - range[0] || 1));
      const tint = [colour.r, colour.g, colour.b, 1], into = liquid && asWater ? wet : dry, other = into === wet ? dry : wet;
      into.set(tint, 4 * i);
      other.set(HIDDEN, 4 * i);
      liquids += into === wet;
    }
    if (liquids > 0) {
      const first = kinds.findIndex((kind, i) => i % 4 === 0 && kind === 0);
      this.water.water.uniforms.colour.value.setRGB(...[1, 2, 3].map((a) => 0.35 + 0.65 * (kinds[first + a] / 255)));
    }
    this.hasWater = liquids > 0;
    this.changed = true;
    setPoints(this.solid, place, dry);
    setPoints(this.liquid, place, wet);
  }

  render() {
    const scale = this.renderer.getDrawingBufferSize(new THREE.Vector2()).y / Math.tan((this.camera.fov * Math.PI) / 360);
    const u = this.solid.material.uniforms;
    u.radius.value = this.radius;
    u.scale.value = scale;
    u.projection.value.copy(this.camera.projectionMatrix);
    if (this.hasWater) {
      this.water.render(this.scene, this.camera, this.liquid, (this.flat ? 1.8 : 1.45) * this.radius, scale, this.flat ? 20 * this.radius : 0);
    } else {
      this.renderer.setRenderTarget(null);
      this.renderer.render(this.scene, this.camera);
    }
  }
}

// From dark blue over green to yellow: readable without telling red from green.
const stops = [[0.27, 0.0, 0.33], [0.23, 0.32, 0.55], [0.13, 0.57, 0.55], [0.37, 0.79, 0.38], [0.99, 0.91, 0.14]];
function setScale(colour, t) {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2), part = at - k;
  colour.setRGB(...[0, 1, 2].map((a) => stops[k][a] * (1 - part) + stops[k + 1][a] * part), THREE.SRGBColorSpace);
}

// --- What is shown --------------------------------------------------------------------------------------------

const extent = (about, points) => {
  const low = [...about.low], high = [...about.high], margin = about.spacing;
  for (let a = 0; a < 3; ++a) {
    if (Number.isFinite(low[a]) && Number.isFinite(high[a])) continue;
    let least = Infinity, most = -Infinity;
    for (let i = a; i < points.length; i += 4) least = Math.min(least, points[i]), most = Math.max(most, points[i]);
    if (!Number.isFinite(low[a])) low[a] = Number.isFinite(least) ? least - margin : -1;
    if (!Number.isFinite(high[a])) high[a] = Number.isFinite(most) ? most + margin : 1;
  }
  if (about.dimensions === 2) low[2] = -margin, high[2] = margin;
  return [low, high];
};

// A scene, live.
class Live {
  constructor(stage, data, controls) {
    Object.assign(this, { stage, data, controls, frame: null, picks: new Map(), nextPick: 1 });
  }

  async begin() {
    if (!WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11])))
      return note('This browser is too old for the simulation: it has no SIMD for WebAssembly. Browsers since 2023 do.');
    const [wasm, program] = await Promise.all([unzip(text('core-wasm')), unzip(text('core-js'))]);
    this.worker = new Worker(URL.createObjectURL(new Blob([program], { type: 'text/javascript' })));
    this.worker.onmessage = ({ data: message }) => this.take(message);
    this.worker.onerror = (event) => note(`The simulation stopped: ${event.message || 'the browser ended it, perhaps for want of memory'}.`);
    this.worker.postMessage({ type: 'core', wasm }, [wasm]);
    return undefined;
  }

  send(message) { this.worker.postMessage(message); }

  take(message) {
    if (message.type === 'error') { this.controls.stopped(); note(message.text.trim()); }
    if (message.type === 'ready') this.send({ type: 'open', text: this.data.text, name: this.data.name });
    if (message.type === 'open') this.opened(message);
    if (message.type === 'frame') this.shown(message);
    if (message.type === 'picked') { this.picks.get(message.id)?.(message.hit); this.picks.delete(message.id); }
    if (message.type === 'hash') this.hash = message.hash;
  }

  opened({ about, meshes, probes }) {
    const again = this.about !== undefined;
    this.about = about;
    this.curves = new Curves(element('curves'), probes);
    this.stage.radius = 0.5 * about.spacing;
    if (again) return;
    document.title = about.title || this.data.name;
    element('title').textContent = document.title;
    this.bodies = meshes.bodies.map((mesh) => this.stage.addMesh(mesh));
    this.colliders = meshes.colliders.map((mesh) => this.stage.addMesh(mesh, { clear: about.dimensions === 3 }));
    element('back').onclick = () => this.send({ type: 'restart' });
    if (!calm) this.controls.play(true);
  }

  shown(frame) {
    const first = this.frame === null;
    this.frame = frame;
    requestAnimationFrame(() => this.send({ type: 'drawn' }));
    if (first) this.stage.frame(...extent(this.about, frame.points), this.about.dimensions === 2);
    this.bodies.forEach((mesh, k) => this.stage.pose(mesh, frame.bodies.subarray(15 * k, 15 * k + 12)));
    this.colliders.forEach((mesh, k) => this.stage.pose(mesh, frame.colliders.subarray(12 * k, 12 * k + 12)));
    this.stage.setSkins(frame.skins);
    this.curves.add(frame.samples);
    this.recolour();
    const slow = this.controls.playing && frame.behind ? ' · slow motion' : '';
    const speed = frame.stepMs > 0 ? `${frame.stepMs.toFixed(frame.stepMs < 10 ? 1 : 0)} ms a step` : '';
    element('state').textContent = `${frame.time.toFixed(3)} s · ${frame.steps} steps · ${frame.points.length / 4} particles · ${speed}${slow}`;
  }

  recolour() { if (this.frame) this.stage.particles(this.frame.points, this.frame.kinds, this.controls.range(this.frame.points)); }
  play(on) { this.send({ type: 'play', on }); }
  field(name) { this.send({ type: 'field', name }); }

  pick(origin, direction) {
    const id = this.nextPick++;
    this.send({ type: 'pick', origin, direction, id });
    return new Promise((resolve) => this.picks.set(id, resolve));
  }

  pull(command) { this.send({ type: 'command', command: { command: 'pull', ...command } }); }
}

// Frames of a run, or meshes one after the other.
class Recorded {
  constructor(stage, data, controls) {
    Object.assign(this, { stage, data, controls, at: 0, playing: false });
    const slider = element('time');
    slider.max = data.frames - 1;
    slider.oninput = () => this.show(Number(slider.value));
    element('back').onclick = () => this.show(0);
    document.title = data.title;
    element('title').textContent = data.title;
  }

  async begin() {
    const { data, stage } = this;
    this.frames = data.kind === 'run' ? await decodeRun(data) : data.meshes.map(decodeMesh);
    stage.radius = 0.5 * data.spacing;
    if (data.kind === 'run') {
      this.bodies = data.bodies.map((body) => ({ mesh: stage.addMesh({ ...decodeMesh(body), colour: body.colour }, { clear: body.clear }), poses: floatsOf(body.poses) }));
      this.moving = [data.skins, data.surfaces].map((list) => list.map((one) => decodeMoving(one, data)));
      this.curves = new Curves(element('curves'), []);
      this.curves.show(readProbes(data.probes));
    }
    this.show(0);
    this.stage.frame(this.data.low, this.data.high, this.data.dimensions === 2);
    if (!calm && this.data.frames > 1) this.controls.play(true);
  }

  show(k) {
    this.at = k;
    element('time').value = k;
    element('time').setAttribute('aria-valuetext', `frame ${k + 1} of ${this.data.frames}`);
    if (this.data.kind === 'mesh') {
      this.stage.meshes.clear();
      this.stage.addMesh({ ...this.frames[k], colour: 0x5b8db8 });
    } else {
      this.bodies.forEach(({ mesh, poses }) => this.stage.pose(mesh, poses.subarray(12 * k, 12 * k + 12)));
      this.stage.setSkins(this.moving[0].map((frames) => frames[k]));
      this.stage.setSurfaces(this.moving[1].map((frames) => frames[k]));
      this.recolour();
      this.curves.mark(this.data.times[k]);
    }
    const time = this.data.times?.[k];
    element('state').textContent = `${time === undefined ? '' : `${time.toFixed(3)} s · `}frame ${k + 1} of ${this.data.frames}`;
  }

  recolour() {
    const { points, kinds } = this.frames[this.at];
    if (this.data.kind === 'run') this.stage.particles(points, kinds, this.controls.range(points));
  }

  field() { this.recolour(); }
  play(on) {
    clearInterval(this.timer);
    if (on) this.timer = setInterval(() => this.show((this.at + 1) % this.data.frames), 1000 / this.data.fps);
  }
}

// --- Hands and knobs ------------------------------------------------------------------------------------------

class Controls {
  constructor(stage) {
    Object.assign(this, { stage, playing: false, settings: { look: 'water', colours: 'material', stiffness: 200 } });
    element('play').onclick = () => this.play(!this.playing);
    document.addEventListener('visibilitychange', () => {
      if (document.hidden && this.playing) { this.paused = true; this.play(false); } else if (!document.hidden && this.paused) { this.paused = false; this.play(true); }
    });
    addEventListener('keydown', (event) => this.key(event));
  }

  watch(shown) {
    this.shown = shown;
    const gui = new GUI({ title: 'View' }), live = shown instanceof Live, points = shown.data.kind !== 'mesh';
    const surface = shown.data.surfaces?.length > 0;
    if (surface) this.settings.look = this.stage.look = 'surface';
    if (points) gui.add(this.settings, 'look', { ...(surface ? { surface: 'surface' } : {}), water: 'water', particles: 'particles' }).name('Liquids as').onChange((look) => { this.stage.look = look; shown.recolour(); });
    if (points) gui.add(this.settings, 'colours', { material: 'material', speed: 'velocity', ...(live ? { pressure: 'pressure', density: 'density' } : {}) })
      .name('Colours by').onChange((name) => { shown.field(name === 'material' ? 'velocity' : name); shown.recolour(); });
    if (live) {
      gui.add(this.settings, 'stiffness', 20, 2000, 10).name('Strength of the hand');
      this.hand = new Hand(this.stage, shown, this.settings);
    }
    if (innerWidth < 600) gui.close();
    if (!points) gui.hide();
    gui.domElement.querySelectorAll('.controller').forEach((row) => {
      const name = row.querySelector('.name')?.textContent;
      row.querySelectorAll('input, select').forEach((input) => input.setAttribute('aria-label', name));
    });
  }

  // The range of the values that colours stand for; null: colours of materials.
  range(points) {
    if (this.settings.colours === 'material') return null;
    let low = Infinity, high = -Infinity;
    for (let i = 3; i < points.length; i += 4) low = Math.min(low, points[i]), high = Math.max(high, points[i]);
    return [low, high];
  }

  stopped() { this.playing = false; this.label(); }
  label() {
    element('play').textContent = this.playing ? 'Pause' : 'Play';
    element('play').setAttribute('aria-pressed', String(this.playing));
  }
  play(on) {
    this.playing = on;
    this.shown.play(on);
    this.label();
  }

  key(event) {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLButtonElement) return;
    const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (event.key === ' ') this.play(!this.playing);
    if (turns) {
      const camera = this.stage.camera, target = this.stage.controls.target, at = new THREE.Spherical().setFromVector3(camera.position.clone().sub(target));
      at.theta += turns[0];
      at.phi = Math.min(Math.max(at.phi - turns[1], 0.05), Math.PI - 0.05);
      camera.position.setFromSpherical(at).add(target);
    }
    if (turns || event.key === ' ') event.preventDefault();
  }
}

// A drag that begins on something that moves pulls it, in the plane through the point that faces the camera.
class Hand {
  constructor(stage, live, settings) {
    Object.assign(this, { stage, live, settings, plane: null, at: null });
    const canvas = stage.renderer.domElement;
    canvas.addEventListener('pointerdown', (event) => { if (event.isPrimary && event.button === 0) this.down(event); }, { capture: true });
    addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => this.up());
  }

  ray(event) {
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight), this.stage.camera);
    return caster.ray;
  }

  async down(event) {
    const ray = this.ray(event), about = this.live.about, flat = about?.dimensions === 2;
    if (!about) return;
    let { origin, direction } = ray, hit;
    this.pressed = true;
    this.stage.controls.enabled = false;
    if (flat) {
      const plane = ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), 0), new THREE.Vector3());
      hit = plane && { point: [plane.x, plane.y, 0] };
    } else {
      hit = await this.live.pick(origin.toArray(), direction.toArray());
    }
    if (!hit || !this.pressed) { this.stage.controls.enabled = true; return; }
    this.point = new THREE.Vector3(...hit.point);
    const facing = flat ? new THREE.Vector3(0, 0, 1) : this.stage.camera.getWorldDirection(new THREE.Vector3());
    this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, this.point);
    this.radius = 3 * about.spacing;
    this.first = { at: hit.point, radius: this.radius };
    this.live.pull({ ...this.first, stiffness: this.settings.stiffness });
  }

  // Held bodies follow; liquid is taken anew where the pointer was.
  move(event) {
    if (!this.plane) return;
    const to = this.ray(event).intersectPlane(this.plane, new THREE.Vector3());
    if (!to) return;
    const place = this.live.about.dimensions === 2 ? [to.x, to.y, 0] : to.toArray(), liquid = this.live.frame?.holds === 1;
    this.live.pull({ ...(liquid ? { at: this.point.toArray(), radius: 2 * this.radius } : {}), to: place, stiffness: this.settings.stiffness });
    if (liquid) this.point.lerp(to, 0.5);
  }

  up() {
    if (this.plane) this.live.pull({ stiffness: 0 });
    this.plane = null;
    this.pressed = false;
    this.stage.controls.enabled = true;
  }
}

// --- Beginning ------------------------------------------------------------------------------------------------

async function begin() {
  const data = JSON.parse(text('data')), stage = new Stage(element('view')), controls = new Controls(stage);
  const shown = data.kind === 'scene' ? new Live(stage, data, controls) : new Recorded(stage, data, controls);
  controls.watch(shown);
  element('time').hidden = data.kind === 'scene' || data.frames < 2;
  element('play').hidden = data.kind !== 'scene' && data.frames < 2;
  element('back').hidden = element('play').hidden;
  window.mote = { stage, shown, controls, pictures: 0 };
  const draw = () => {
    requestAnimationFrame(draw);
    stage.controls.update();
    if (!stage.changed) return;
    stage.changed = false;
    stage.render();
    window.mote.pictures += 1;
  };
  await shown.begin();
  draw();
}

begin().catch((error) => note(error.message));
