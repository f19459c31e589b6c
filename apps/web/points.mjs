// Particles as lit spheres: points whose fragments are cut to discs, with the normal and depth of a sphere.
import * as THREE from 'three';

const vertexShader = `
  attribute vec4 tint;
  uniform float radius, scale;
  varying vec3 centre;
  varying vec3 colour;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    centre = at.xyz;
    colour = tint.rgb;
    gl_Position = tint.a > 0.0 ? projectionMatrix * at : vec4(2.0, 2.0, 2.0, 1.0);  // a point of size 0 is a pixel
    gl_PointSize = tint.a * radius * scale / max(1e-6, -at.z);
  }`;

export const sphere = `
  varying vec3 centre;
  uniform float radius;
  uniform mat4 projection;
  // The point of the sphere under this fragment, seen from the camera; its normal.
  vec3 surface(out vec3 normal) {
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float square = dot(at, at);
    if (square > 1.0) discard;
    normal = vec3(at.x, -at.y, sqrt(1.0 - square));
    return centre + radius * normal;
  }
  float depthOf(vec3 x) {
    vec4 clip = projection * vec4(x, 1.0);
    return 0.5 * clip.z / clip.w + 0.5;
  }`;

const fragmentShader = `
  varying vec3 colour;
  ${sphere}
  void main() {
    vec3 normal, x = surface(normal);
    float light = 0.45 + 0.55 * max(0.0, dot(normal, normalize(vec3(0.35, 0.8, 0.5))));
    gl_FragColor = vec4(colour * light, 1.0);
    gl_FragDepth = depthOf(x);
    #include <colorspace_fragment>
  }`;

export function makePoints() {
  const geometry = new THREE.BufferGeometry();
  const uniforms = { radius: { value: 1 }, scale: { value: 1 }, projection: { value: new THREE.Matrix4() } };
  const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms });
  const points = new THREE.Points(geometry, material);
  points.frustumCulled = false;
  return points;
}

// positions: x, y, z and a value of each; tints: red, green, blue of each, 0 hides it.
export function setPoints(points, positions, tints) {
  const geometry = points.geometry, count = positions.length / 3;
  if (!geometry.attributes.position || geometry.attributes.position.count !== count) {
    geometry.dispose();
    points.geometry = new THREE.BufferGeometry();
    points.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3).setUsage(THREE.DynamicDrawUsage));
    points.geometry.setAttribute('tint', new THREE.BufferAttribute(tints, 4).setUsage(THREE.DynamicDrawUsage));
    return;
  }
  for (const [name, array] of [['position', positions], ['tint', tints]]) {
    geometry.attributes[name].array = array;
    geometry.attributes[name].needsUpdate = true;
  }
}
