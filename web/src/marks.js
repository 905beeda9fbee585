// What a live session adds to the picture: the hands that pull, with their forces, pins and weights.
import * as THREE from 'three';
import { element } from './elements.js';
import { project } from './pick.js';
import { tidy } from './numbers.js';

const HAND = '#d0344b', OTHER = '#7d8590', PIN = '#2f6fd0', UP = new THREE.Vector3(0, 1, 0);

export class Marks {
  // `labels`: the element in which the numbers are written.
  constructor(stage, labels) {
    Object.assign(this, { stage, labels, group: new THREE.Group(), used: [] });
    stage.scene.add(this.group);
    const plain = (color) => new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.95 });
    this.materials = { hand: plain(HAND), other: plain(OTHER), pin: plain(PIN), weight: new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0.2 }) };
    this.ball = new THREE.SphereGeometry(1, 20, 14);
    this.rod = new THREE.CylinderGeometry(1, 1, 1, 8);
  }

  setTheme({ weight }) { this.materials.weight.color.set(weight); }

  clear() {
    this.group.clear();
    this.labels.replaceChildren();
  }

  sphere(material, place, radius) {
    const mesh = new THREE.Mesh(this.ball, material);
    mesh.position.set(...place);
    mesh.scale.setScalar(radius);
    mesh.renderOrder = 3;
    this.group.add(mesh);
    return mesh;
  }

  line(material, from, to, radius) {
    const a = new THREE.Vector3(...from), along = new THREE.Vector3(...to).sub(a), length = along.length();
    if (!(length > 0)) return;
    const mesh = new THREE.Mesh(this.rod, material);
    mesh.position.copy(a).addScaledVector(along, 0.5);
    mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
    mesh.scale.set(radius, length, radius);
    mesh.renderOrder = 3;
    this.group.add(mesh);
  }

  label(place, text) {
    const { x, y, behind } = project(this.stage, place), label = element('span', '', text);
    if (behind) return;
    label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    this.labels.append(label);
  }

  // Of a frame of a session; null: nothing.
  show(frame) {
    this.clear();
    if (!frame) return;
    const u = this.stage.pixel;
    for (const { own, held, hand, force } of frame.holds) {
      const material = own ? this.materials.hand : this.materials.other;
      this.sphere(material, held, 5 * u);
      this.line(material, held, hand, 1.2 * u);
      this.sphere(material, hand, 3 * u);
      this.label(hand, `${tidy(Math.hypot(...force), 2)} N`);
    }
    for (const { weight, place, centre, radius, mass } of frame.attachments) {
      this.sphere(this.materials.pin, place, weight ? 2.5 * u : 5 * u);
      if (!weight) continue;
      this.line(this.materials.weight, place, centre, 1.2 * u);
      this.sphere(this.materials.weight, centre, Math.max(radius, 4 * u)).castShadow = true;
      this.label(centre, `${tidy(mass, 2)} kg`);
    }
    this.stage.dirty = true;
  }
}
