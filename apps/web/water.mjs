// Water as seen: depth of the particles' spheres, smoothed on the screen where it is continuous, then normals of it, and
// light that is refracted from what is behind (a picture of all else), absorbed by the thickness and reflected at grazing angles.
import * as THREE from 'three';
import { sphere } from './points.mjs';

const vertexShader = `
  attribute vec4 tint;
  uniform float radius, scale;
  varying vec3 centre;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    centre = at.xyz;
    gl_Position = tint.a > 0.0 ? projectionMatrix * at : vec4(2.0, 2.0, 2.0, 1.0);  // a point of size 0 is a pixel
    gl_PointSize = tint.a * radius * scale / max(1e-6, -at.z);
  }`;
const depthShader = `
  ${sphere}
  void main() {
    vec3 normal, x = surface(normal);
    gl_FragColor = vec4(-x.z, 0.0, 0.0, 1.0);
    gl_FragDepth = depthOf(x);
  }`;
const thicknessShader = `
  ${sphere}
  void main() {
    vec3 normal, x = surface(normal);
    gl_FragColor = vec4(0.8 * radius * normal.z, 0.0, 0.0, 1.0);  // spheres overlap
  }`;
const screenShader = `
  varying vec2 place;
  void main() { place = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;
// One direction of a blur that keeps edges: neighbours count less the more their depth differs.
const smoothShader = `
  varying vec2 place;
  uniform sampler2D depth;
  uniform vec2 direction;
  uniform float reach, radius;
  void main() {
    float own = texture2D(depth, place).r;
    if (own <= 0.0) { gl_FragColor = vec4(0.0); return; }
    float width = clamp(reach / own, 1.0, 24.0), sum = 0.0, weight = 0.0;
    for (float k = -12.0; k <= 12.0; k += 1.0) {
      float other = texture2D(depth, place + direction * k * width / 12.0).r;
      float step = (other - own) / (2.0 * radius);
      float w = other > 0.0 ? exp(-k * k / 60.0 - step * step) : 0.0;
      sum += w * other;
      weight += w;
    }
    gl_FragColor = vec4(sum / weight, 0.0, 0.0, 1.0);
  }`;
const waterShader = `
  varying vec2 place;
  uniform sampler2D depth, thickness, behind, behindDepth;
  uniform vec2 pixel, view;
  uniform vec3 colour;
  uniform float radius, near, far, least, bend;
  vec3 pointAt(vec2 at) {
    float z = texture2D(depth, at).r;
    return vec3((2.0 * at - 1.0) * view * z, -z);
  }
  float solidAt(vec2 at) { return near * far / (far - texture2D(behindDepth, at).r * (far - near)); }
  void main() {
    float z = texture2D(depth, place).r;
    vec4 back = texture2D(behind, place);
    if (z <= 0.0 || z > solidAt(place)) { gl_FragColor = back; return; }
    vec3 x = pointAt(place);
    vec3 right = pointAt(place + vec2(pixel.x, 0.0)) - x, left = x - pointAt(place - vec2(pixel.x, 0.0));
    vec3 up = pointAt(place + vec2(0.0, pixel.y)) - x, down = x - pointAt(place - vec2(0.0, pixel.y));
    vec3 dx = abs(right.z) < abs(left.z) ? right : left, dy = abs(up.z) < abs(down.z) ? up : down;
    vec3 normal = normalize(cross(dx, dy)), eye = normalize(-x);
    float thick = max(least, texture2D(thickness, place).r);
    vec2 shifted = clamp(place + bend * normal.xy * min(0.06, 0.5 * thick / z), pixel, 1.0 - pixel);
    if (solidAt(shifted) < z) shifted = place;  // what stands before the water is not seen through it
    vec3 through = texture2D(behind, shifted).rgb;
    float sun = max(0.0, dot(normal, normalize(vec3(0.35, 0.8, 0.5)))), deep = thick / (10.0 * radius);
    vec3 absorbed = through * pow(colour, vec3(deep));
    vec3 scattered = colour * colour * (0.45 + 0.4 * sun);  // light from within, more of it the deeper
    absorbed = mix(absorbed, scattered, 0.65 * (1.0 - exp(-0.7 * deep)));
    float facing = clamp(dot(normal, eye), 0.0, 1.0), mirror = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 sky = mix(vec3(0.36, 0.47, 0.57), vec3(0.97, 0.99, 1.0), smoothstep(-0.2, 0.9, reflect(-eye, normal).y));
    float shine = pow(max(0.0, dot(reflect(-eye, normal), normalize(vec3(0.35, 0.8, 0.5)))), 90.0);
    gl_FragColor = vec4(mix(absorbed, sky, mirror) + 0.55 * shine, 1.0);
  }`;
const copyShader = `
  varying vec2 place;
  uniform sampler2D picture;
  void main() { gl_FragColor = texture2D(picture, place); 
    #include <colorspace_fragment>
  }`;

export class Water {
  constructor(renderer) {
    this.renderer = renderer;
    this.uniforms = { radius: { value: 1 }, scale: { value: 1 }, projection: { value: new THREE.Matrix4() } };
    const shared = { vertexShader, uniforms: this.uniforms };
    this.depthMaterial = new THREE.ShaderMaterial({ ...shared, fragmentShader: depthShader });
    this.thicknessMaterial = new THREE.ShaderMaterial({ ...shared, fragmentShader: thicknessShader, depthTest: false, depthWrite: false,
      blending: THREE.AdditiveBlending });
    this.scene = new THREE.Scene();
    this.screen = new THREE.Scene();
    this.flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
    this.quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2));
    this.screen.add(this.quad);
    const pass = (fragmentShader, uniforms) => new THREE.ShaderMaterial({ vertexShader: screenShader, fragmentShader, depthTest: false,
      depthWrite: false, uniforms: Object.fromEntries(Object.entries(uniforms).map(([k, value]) => [k, { value }])) });
    this.smooth = pass(smoothShader, { depth: null, direction: new THREE.Vector2(), reach: 1, radius: 1 });
    this.water = pass(waterShader, { depth: null, thickness: null, behind: null, behindDepth: null, pixel: new THREE.Vector2(),
      view: new THREE.Vector2(), colour: new THREE.Color(0.55, 0.8, 0.92), least: 0, bend: 1, radius: 1, near: 1, far: 2 });
    this.copy = pass(copyShader, { picture: null });
    const target = (type, depth) => new THREE.WebGLRenderTarget(4, 4, { type, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter,
      depthBuffer: depth });
    const nearest = { type: THREE.FloatType, format: THREE.RGBAFormat, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter };
    this.behind = target(THREE.HalfFloatType, true);
    this.behind.samples = 4;
    this.behind.depthTexture = new THREE.DepthTexture(4, 4);
    this.depths = [new THREE.WebGLRenderTarget(4, 4, nearest), new THREE.WebGLRenderTarget(4, 4, { ...nearest, depthBuffer: false })];
    this.thickness = target(THREE.HalfFloatType, false);
    this.result = target(THREE.HalfFloatType, false);
  }

  setSize(width, height) {
    for (const one of [this.behind, ...this.depths, this.thickness, this.result]) one.setSize(width, height);
    this.water.uniforms.pixel.value.set(1 / width, 1 / height);
  }

  draw(material, target) {
    this.quad.material = material;
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.screen, this.flat);
  }

  // The picture of `scene` with the water of `points`, which is no part of it.
  // least: thickness of a single layer, which stands for a slab.
  render(scene, camera, points, radius, scale, least) {
    const { renderer, uniforms } = this, w = this.water.uniforms, s = this.smooth.uniforms;
    uniforms.radius.value = radius;
    uniforms.scale.value = scale;
    uniforms.projection.value.copy(camera.projectionMatrix);
    renderer.setRenderTarget(this.behind);
    renderer.render(scene, camera);
    const clear = renderer.getClearColor(new THREE.Color()), alpha = renderer.getClearAlpha();
    renderer.setClearColor(0x000000, 0);
    const own = points.material;
    this.scene.add(points);
    for (const [material, target] of [[this.depthMaterial, this.depths[0]], [this.thicknessMaterial, this.thickness]]) {
      points.material = material;
      renderer.setRenderTarget(target);
      renderer.clear();
      renderer.render(this.scene, camera);
    }
    points.material = own;
    this.scene.remove(points);
    s.radius.value = radius;
    s.reach.value = 0.45 * scale * radius;
    for (let round = 0; round < 3; ++round) {
      for (const [from, to, x, y] of [[0, 1, 1, 0], [1, 0, 0, 1]]) {
        s.depth.value = this.depths[from].texture;
        s.direction.value.set(x * w.pixel.value.x, y * w.pixel.value.y);
        this.draw(this.smooth, this.depths[to]);
      }
    }
    renderer.setClearColor(clear, alpha);
    w.depth.value = this.depths[0].texture;
    w.thickness.value = this.thickness.texture;
    w.behind.value = this.behind.texture;
    w.behindDepth.value = this.behind.depthTexture;
    w.view.value.set(Math.tan((camera.fov * Math.PI) / 360) * camera.aspect, Math.tan((camera.fov * Math.PI) / 360));
    w.radius.value = radius;
    w.least.value = least;
    w.near.value = camera.near;
    w.far.value = camera.far;
    this.draw(this.water, this.result);
    this.copy.uniforms.picture.value = this.result.texture;
    this.draw(this.copy, null);
  }
}
