// Bodies: solids that move as a whole.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { bodyColour } from './colours.js';
import { castsWider } from './ground_shadow.js';

const CREASE = 40 * Math.PI / 180;
const CELL_PIXELS = 2, SMALL_MESH = 100; // of coarse pictures: of a grid; triangles of a mesh that is drawn as it is

// The normal of a plane in a frame; null for other shapes.
function normalOf(recording, index, frame) {
  if (recording.scene.bodies[index].shape !== 'plane') return null;
  return new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(...recording.body(index, frame).turn));
}

// A horizontal plane is the ground, at its height. Where a plane rises no other ground is shown.
export function groundOf(recording) {
  const all = recording.scene.bodies.map((_, i) => ({ i, normal: normalOf(recording, i, 0) })).filter(({ normal }) => normal);
  const floors = all.filter(({ normal }) => normal.z > 1 - 1e-6);
  const height = floors.length > 0 ? Math.min(...floors.map(({ i }) => recording.body(i, 0).place[2])) : null;
  const stage = recording.scene.bodies.some(({ scenery }) => scenery); // it stands on the ground
  return { height, stage, floors: floors.map(({ i }) => i), hidden: height === null && all.some(({ normal }) => normal.z > 0.3) };
}

// Its edges are rounded a little: light catches on them.
function cylinder(radius, length, segments, rounding) {
  const bevel = Math.min(0.03 * Math.hypot(radius, length / 2), 0.45 * Math.min(radius, length / 2)), profile = [new THREE.Vector2(0, -length / 2)];
  for (const side of [-1, 1]) {
    for (let i = 0; i <= rounding; i++) {
      const angle = Math.PI / 2 * (side < 0 ? i / rounding - 1 : i / rounding);
      profile.push(new THREE.Vector2(radius - bevel + bevel * Math.cos(angle), side * (length / 2 - bevel) + bevel * Math.sin(angle)));
    }
  }
  profile.push(new THREE.Vector2(0, length / 2));
  return toCreasedNormals(new THREE.LatheGeometry(profile, segments).rotateX(Math.PI / 2), CREASE);
}

// Positions in its own axes, the longest of them last, over half the size of the others, for grain; and that axis.
function addGrain(geometry) {
  geometry.computeBoundingBox();
  const half = geometry.boundingBox.getSize(new THREE.Vector3()).toArray().map((x) => Math.max(x / 2, 1e-12));
  const third = half.indexOf(Math.max(...half)), [u, v] = [(third + 1) % 3, (third + 2) % 3];
  const thick = Math.min(Math.max(half[u], half[v]), half[third]), { position } = geometry.attributes;
  const own = new Float32Array(3 * position.count), along = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) {
    [u, v, third].forEach((axis, k) => { own[3 * i + k] = position.getComponent(i, axis) / thick; });
    along[3 * i + third] = 1;
  }
  geometry.setAttribute('own', new THREE.BufferAttribute(own, 3));
  geometry.setAttribute('along', new THREE.BufferAttribute(along, 3));
  return thick;
}

// Vertices in the same cell of a grid become one, their mean; triangles without extent are left out.
function clustered(vertices, triangles, cell) {
  const cells = new Map(), sums = [], of = [];
  for (let i = 0; i < vertices.length; i += 3) {
    const key = [0, 1, 2].map((k) => Math.round(vertices[i + k] / cell)).join();
    if (!cells.has(key)) cells.set(key, sums.push([0, 0, 0, 0]) - 1);
    const sum = sums[cells.get(key)];
    for (let k = 0; k < 3; k++) sum[k] += vertices[i + k];
    sum[3]++;
    of.push(cells.get(key));
  }
  const left = [], seen = new Set();
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [of[triangles[i]], of[triangles[i + 1]], of[triangles[i + 2]]], key = [...corners].sort((a, b) => a - b).join();
    if (new Set(corners).size === 3 && !seen.has(key)) left.push(...corners);
    seen.add(key);
  }
  return { vertices: sums.flatMap(([x, y, z, n]) => [x / n, y / n, z / n]), triangles: left };
}

function meshOf({ vertices, triangles }) {
  const plain = new THREE.BufferGeometry();
  plain.setAttribute('position', new THREE.BufferAttribute(new Float32Array(vertices), 3));
  plain.setIndex(triangles);
  return toCreasedNormals(plain, CREASE);
}

// Solids of revolution have the axis z in the scene and y in three.js. `pixel`: 0, or the size of a pixel for which the shape is fine
// enough, m.
function geometryOf(body, pixel) {
  const { shape, radius, length, size, vertices, triangles } = body, round = pixel > 0 ? Math.min(64, Math.max(8, Math.round(6 * Math.sqrt(radius / pixel)))) : 64;
  switch (shape) {
    case 'sphere': return new THREE.SphereGeometry(radius, round, pixel > 0 ? Math.ceil(round / 2) : 40).rotateX(Math.PI / 2);
    case 'cylinder': return cylinder(radius, length, pixel > 0 ? round : 72, pixel > 0 ? 1 : 4);
    case 'capsule': return new THREE.CapsuleGeometry(radius, length, pixel > 0 ? Math.ceil(round / 4) : 20, round).rotateX(Math.PI / 2);
    case 'plane': return new THREE.PlaneGeometry(size[0], size[1]);
    case 'box': return new RoundedBoxGeometry(...size, pixel > 0 ? 1 : 3, Math.min(0.015 * Math.hypot(...size), 0.2 * Math.min(...size)));
    case 'mesh': return meshOf(pixel > 0 && triangles.length > 3 * SMALL_MESH ? clustered(vertices, triangles, CELL_PIXELS * pixel) : body);
    default: return null;
  }
}

export class Solid {
  constructor(recording, index, environment) {
    const body = recording.scene.bodies[index], geometry = geometryOf(body, 0);
    Object.assign(this, { recording, index, own: bodyColour(recording.scene, index), scenery: body.scenery === true, plane: body.shape === 'plane' });
    this.material = environment.material({ look: body.look });
    this.mesh = geometry ? new THREE.Mesh(geometry, this.material) : new THREE.Group(); // a body without a shape is not drawn
    if (geometry) this.material.uniforms.radius.value = addGrain(geometry);
    this.mesh.castShadow = !this.plane;
    castsWider(this.mesh, true);
    this.mesh.receiveShadow = true;
    if (this.plane) this.material.uniforms.checker.value = 8;
    this.fine = geometry;
    this.setColour(null);
  }

  // null: its own. A plane is as dark as the ground in the dark theme.
  setColour(colour) {
    this.colour = colour;
    this.material.color.set(this.dark ?? (this.scenery ? null : colour) ?? this.own);
  }

  setTheme({ least, ground }) {
    this.dark = this.plane && least > 0 ? new THREE.Color().setRGB(...ground, THREE.SRGBColorSpace) : null;
    this.setColour(this.colour);
  }

  // As Tube.setCoarse().
  setCoarse(pixel) {
    if (!this.fine || this.plane) return;
    if (pixel > 0 && (!this.coarse || pixel < 0.7 * this.coarseFor || pixel > 1.4 * this.coarseFor)) {
      this.coarse?.dispose();
      this.coarse = geometryOf(this.recording.scene.bodies[this.index], pixel);
      this.coarseFor = pixel;
      addGrain(this.coarse);
    }
    this.mesh.geometry = pixel > 0 ? this.coarse : this.fine;
  }

  // What the mesh does not have now.
  dispose() {
    this.fine?.dispose();
    this.coarse?.dispose();
  }

  // `part` of the way to the next frame.
  update(frame, part) {
    const { place, turn } = this.recording.body(this.index, frame);
    this.mesh.position.set(...place);
    this.mesh.quaternion.set(...turn);
    if (this.ground !== undefined) this.mesh.visible = Math.abs(place[2] - this.ground) > 1e-6;
    if (!(part > 0) || frame + 1 >= this.recording.frames) return;
    const next = this.recording.body(this.index, frame + 1);
    this.mesh.position.lerp(new THREE.Vector3(...next.place), part);
    this.mesh.quaternion.slerp(new THREE.Quaternion(...next.turn), part);
  }
}

// In a frame: where positions in its own axes are.
export function bodyFrame(recording, index, frame) {
  const { place, turn } = recording.body(index, frame), rotation = new THREE.Quaternion(...turn), origin = new THREE.Vector3(...place);
  return (own) => new THREE.Vector3(...own).applyQuaternion(rotation).add(origin).toArray();
}
