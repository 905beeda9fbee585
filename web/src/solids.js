// Bodies: solids that move as a whole.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { bodyColour } from './colours.js';
import { stripes } from './tube.js';

const CREASE = 40 * Math.PI / 180;

// How far a body reaches from its origin along its own axes, both ways: [[x, y, z] low, high].
export function boxOf({ shape, radius, length, size, vertices }) {
  const r = radius, end = shape === 'capsule' ? length / 2 + r : length / 2;
  switch (shape) {
    case 'sphere': return [[-r, -r, -r], [r, r, r]];
    case 'cylinder':
    case 'capsule': return [[-r, -r, -end], [r, r, end]];
    case 'box': return [size.map((s) => -s / 2), size.map((s) => s / 2)];
    case 'mesh': {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      vertices.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); });
      return [low, high];
    }
    default: return [[0, 0, 0], [0, 0, 0]];
  }
}

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
  return { height, floors: floors.map(({ i }) => i), hidden: height === null && all.some(({ normal }) => normal.z > 0.3) };
}

// Squares of a checker.
function checker() {
  const side = 16, data = new Uint8Array(4 * side * side);
  for (let i = 0; i < side * side; i++) data.fill((i + Math.floor(i / side)) % 2 ? 235 : 255, 4 * i, 4 * i + 3).fill(255, 4 * i + 3, 4 * i + 4);
  const texture = new THREE.DataTexture(data, side, side);
  Object.assign(texture, { magFilter: THREE.NearestFilter, minFilter: THREE.LinearMipmapLinearFilter, generateMipmaps: true, anisotropy: 8, needsUpdate: true });
  return texture;
}

// Solids of revolution have the axis z in the scene and y in three.js.
function geometryOf(body) {
  const { shape, radius, length, size, vertices, triangles } = body;
  switch (shape) {
    case 'sphere': return new THREE.SphereGeometry(radius, 64, 40).rotateX(Math.PI / 2);
    case 'cylinder': return new THREE.CylinderGeometry(radius, radius, length, 72).rotateX(Math.PI / 2);
    case 'capsule': return new THREE.CapsuleGeometry(radius, length, 20, 64).rotateX(Math.PI / 2);
    case 'plane': return new THREE.PlaneGeometry(size[0], size[1]);
    case 'box': return new RoundedBoxGeometry(...size, 3, Math.min(0.015 * Math.hypot(...size), 0.2 * Math.min(...size)));
    case 'mesh': {
      const plain = new THREE.BufferGeometry();
      plain.setAttribute('position', new THREE.BufferAttribute(new Float32Array(vertices), 3));
      plain.setIndex(triangles);
      return toCreasedNormals(plain, CREASE);
    }
    default: return null;
  }
}

export class Solid {
  constructor(recording, index) {
    const body = recording.scene.bodies[index], geometry = geometryOf(body);
    Object.assign(this, { recording, index, own: bodyColour(recording.scene, index), round: ['sphere', 'cylinder', 'capsule'].includes(body.shape) });
    this.material = new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0 });
    this.mesh = geometry ? new THREE.Mesh(geometry, this.material) : new THREE.Group(); // a body without a shape is not drawn
    this.plane = body.shape === 'plane';
    this.mesh.castShadow = !this.plane;
    this.mesh.receiveShadow = true;
    if (this.plane) this.material.map = checker();
    this.setStripe(true);
    this.setColour(null);
  }

  // The stripe shows the rotation of a round body.
  setStripe(on) {
    if (this.plane) return;
    this.material.map = on && this.round ? stripes() : null;
    this.material.needsUpdate = true;
  }

  // null: its own.
  setColour(colour) { this.material.color.set(colour ?? this.own); }

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

// The corners of its box in a frame, for who wants to see all of it.
export function cornersOf(recording, index, frame) {
  const [low, high] = boxOf(recording.scene.bodies[index]), { place, turn } = recording.body(index, frame);
  const rotation = new THREE.Quaternion(...turn), origin = new THREE.Vector3(...place), corners = [];
  for (let i = 0; i < 8; i++) {
    const own = new THREE.Vector3(...[0, 1, 2].map((k) => (i >> k & 1 ? high[k] : low[k])));
    corners.push(own.applyQuaternion(rotation).add(origin).toArray());
  }
  return corners;
}
