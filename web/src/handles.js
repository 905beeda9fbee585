// Handles by which a clamp or another anchor of a live session is moved and turned.
import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { AXES } from './overlay.js';

const ARROW = 80, ACTIVE = '#f0a020'; // px; the colour of the part that is dragged

// Arrows along the axes only, without those against them.
function dropBackward(group) {
  const backward = group.children.filter(({ name, geometry }) => {
    geometry.computeBoundingBox();
    return 'XYZ'.includes(name) && name.length === 1 && geometry.boundingBox.getCenter(new THREE.Vector3()).dot(new THREE.Vector3(1, 1, 1)) < -0.1;
  });
  group.remove(...backward);
}

// The rotation vector of a quaternion, in the branch (whole turns about its axis) that is nearest to the last one.
export function unwrapped(quaternion, last) {
  const q = quaternion.w < 0 ? new THREE.Quaternion(-quaternion.x, -quaternion.y, -quaternion.z, -quaternion.w) : quaternion;
  const sine = Math.hypot(q.x, q.y, q.z), angle = 2 * Math.atan2(sine, q.w);
  const axis = sine > 1e-12 ? new THREE.Vector3(q.x, q.y, q.z).divideScalar(sine) : last.clone().normalize();
  const turns = Math.round((last.dot(axis) - angle) / (2 * Math.PI));
  return axis.multiplyScalar(angle + 2 * Math.PI * turns);
}

export class Handles {
  // `moved(anchor, place, rotation)` is called while a handle is dragged.
  constructor(stage, moved) {
    Object.assign(this, { stage, moved, anchor: -1, poses: new Map(), target: new THREE.Object3D() });
    this.controls = new TransformControls(stage.camera, stage.canvas);
    this.controls.setColors(...AXES, ACTIVE);
    const { gizmo, picker } = this.controls.getHelper().children.find((part) => part.gizmo);
    for (const group of [gizmo.translate, picker.translate]) dropBackward(group);
    this.controls.addEventListener('dragging-changed', ({ value }) => { stage.controls.enabled = !value; });
    this.controls.addEventListener('objectChange', () => this.changed());
    this.controls.addEventListener('change', () => { stage.dirty = true; });
    stage.scene.add(this.target, this.controls.getHelper());
  }

  // An anchor at its place; `mode`: translate or rotate.
  show(anchor, place, mode) {
    this.anchor = anchor;
    if (!this.poses.has(anchor)) this.poses.set(anchor, { rotation: new THREE.Vector3() });
    const { rotation } = this.poses.get(anchor), angle = rotation.length();
    this.target.position.set(...place);
    this.target.quaternion.setFromAxisAngle(angle > 0 ? rotation.clone().divideScalar(angle) : new THREE.Vector3(0, 0, 1), angle);
    this.controls.setMode(mode);
    this.controls.size = ARROW / (0.117 * Math.max(1, this.stage.canvas.clientHeight)); // its unit is a part of the picture's height
    this.controls.attach(this.target);
    this.stage.dirty = true;
  }

  hide() {
    this.anchor = -1;
    this.controls.detach();
    this.stage.dirty = true;
  }

  // The scene has begun anew: anchors are in their first pose.
  reset() {
    this.poses.clear();
    this.hide();
  }

  changed() {
    const pose = this.poses.get(this.anchor);
    if (!pose) return;
    pose.rotation = unwrapped(this.target.quaternion, pose.rotation);
    this.moved(this.anchor, this.target.position.toArray(), pose.rotation.toArray());
  }

  // Whether the pointer is on a handle (a finger has not hovered before).
  under({ x, y }) {
    if (this.anchor < 0) return false;
    const { clientWidth, clientHeight } = this.stage.canvas;
    this.controls.pointerHover({ x: 2 * x / clientWidth - 1, y: 1 - 2 * y / clientHeight, button: 0 });
    return this.controls.axis !== null;
  }

  get dragging() { return this.controls.dragging; }

  // It follows the anchor while it is not dragged itself.
  follow(place) {
    if (this.anchor >= 0 && !this.dragging) this.target.position.set(...place);
  }
}
