// Contacts: dots where surfaces touch, and arrows of the forces on them. Those that stick and those that slip have two colours.
import * as THREE from 'three';

export const STICKS = '#2f6fd0', SLIPS = '#d6336c';

const REVISIONS = 60; // of a live source, after which the length of arrows is chosen anew

const UP = new THREE.Vector3(0, 1, 0);

export class Contacts {
  // `size` of the scene.
  constructor(recording, size) {
    Object.assign(this, { recording, size, group: new THREE.Group(), room: 0 });
    this.group.visible = false;
    this.material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
    this.scale = null;
  }

  setVisible(on) { this.group.visible = on; }

  // Instances for so many contacts.
  reserve(count) {
    if (count <= this.room) return;
    this.room = 2 * count;
    this.group.clear();
    const make = (geometry) => {
      const mesh = new THREE.InstancedMesh(geometry, this.material, this.room);
      mesh.frustumCulled = false;
      mesh.renderOrder = 2;
      this.group.add(mesh);
      return mesh;
    };
    const r = 0.0045 * this.size;
    this.dots = make(new THREE.SphereGeometry(r, 12, 8));
    this.shafts = make(new THREE.CylinderGeometry(0.3 * r, 0.3 * r, 1, 8).translate(0, 0.5, 0));
    this.tips = make(new THREE.ConeGeometry(r, 2.6 * r, 12));
  }

  // Of the largest force that is not exceptional, an arrow has an eighth of the size of the scene.
  lengthPerForce() {
    const { live, revision } = this.recording;
    if (this.scale !== null && !(live && revision > this.revision + REVISIONS)) return this.scale;
    this.revision = revision;
    const forces = [];
    for (let f = 0; f < this.recording.frames; f++) for (const { force } of this.recording.contacts(f)) forces.push(Math.hypot(...force));
    forces.sort((a, b) => a - b);
    const most = forces[Math.floor(0.95 * (forces.length - 1))] ?? 0;
    this.scale = most > 0 ? 0.125 * this.size / most : 0;
    return this.scale;
  }

  update(frame) {
    if (!this.group.visible) return;
    const list = this.recording.contacts(frame), scale = this.lengthPerForce();
    this.reserve(Math.max(1, list.length));
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1), colour = new THREE.Color();
    list.forEach(({ place, force, sticks }, i) => {
      const at = new THREE.Vector3(...place), along = new THREE.Vector3(...force);
      const length = Math.min(scale * along.length(), 0.3 * this.size);
      turn.setFromUnitVectors(UP, along.length() > 0 ? along.normalize() : UP);
      this.dots.setMatrixAt(i, matrix.makeTranslation(at));
      this.shafts.setMatrixAt(i, matrix.compose(at, turn, new THREE.Vector3(1, length, 1)));
      this.tips.setMatrixAt(i, matrix.compose(at.clone().addScaledVector(along, length), turn, one));
      colour.set(sticks ? STICKS : SLIPS);
      for (const mesh of [this.dots, this.shafts, this.tips]) mesh.setColorAt(i, colour);
    });
    for (const mesh of [this.dots, this.shafts, this.tips]) {
      mesh.count = list.length;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }
}
