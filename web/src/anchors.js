// Dots at anchors, bars, and paths as fine lines; on request constraints: clamps as vices, pins as cones, other kinds as one
// would sketch them. Released constraints are not drawn.
import * as THREE from 'three';
import { MARKED } from './colours.js';

const Y = new THREE.Vector3(0, 1, 0), Z = new THREE.Vector3(0, 0, 1);

// A recorded point as a matrix: columns tangent, first director, second director, place.
function matrixOf({ place, tangent, director }) {
  const t = new THREE.Vector3(...tangent), d = new THREE.Vector3(...director), e = t.clone().cross(d);
  return new THREE.Matrix4().makeBasis(t, d, e).setPosition(...place);
}

export class Anchors {
  // `thickness`: how thick the strands are drawn.
  constructor(recording, tubes, { size, pixel, environment }, thickness) {
    Object.assign(this, { recording, tubes, pixel, environment, group: new THREE.Group(), shown: false, dots: [] });
    this.metal = environment.material({ look: 'steel' });
    this.sketch = new THREE.MeshBasicMaterial();
    this.glass = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false });
    this.size = size;
    const crowd = Math.min(1, Math.cbrt(10 / Math.max(1, recording.scene.anchors.length)));
    this.unit = Math.max(0.011 * size * crowd, 1.3 * thickness);
    this.gap = thickness;
    this.line = 0.0016 * size;
    const { anchors, constraints, paths = [] } = recording.scene;
    this.items = [...anchors.map((a) => this.anchor(a)), ...constraints.map((c, i) => this.attached(this.constraint(c), i)), ...paths.map((p) => this.path(p))];
    const marked = new THREE.MeshBasicMaterial({ color: MARKED });
    [...anchors, ...constraints].forEach((described, i) => {
      if (described.marked) this.items[i].object.traverse((o) => { if (o.isMesh) o.material = marked; });
    });
    for (const item of this.items) {
      this.group.add(item.object);
      item.object.traverse((o) => { if (o.isMesh && o.material === this.metal) o.castShadow = o.receiveShadow = true; });
    }
  }

  // Meshes that are not drawn now.
  dispose() {
    for (const { fine, coarse } of this.dots) for (const geometry of [fine, coarse]) geometry.dispose();
  }

  setTheme(colours) {
    this.metal.color.set(colours.metal);
    this.sketch.color.set(colours.sketch);
    this.glass.color.set(colours.plane);
  }

  update(frame) {
    this.frame = frame;
    for (const item of this.items) item.place(frame);
  }

  // Constraints, besides dots, bars and paths.
  setVisible(on) {
    this.shown = on;
    if (this.frame !== undefined) this.update(this.frame);
  }

  solid(geometry, material = this.metal) { return new THREE.Mesh(geometry, material); }

  anchor({ kind, point }) {
    const acting = kind === 'point' ? this.constraintsOn(point) : null;
    const object = new THREE.Group(), tube = this.strandAt(point), dot = this.dot(tube), fixed = kind === 'clamp' ? this.vice(tube) : this.pin();
    object.add(dot, fixed);
    object.matrixAutoUpdate = false;
    const place = (frame) => {
      const pose = this.recording.point(point, frame);
      const acts = !acting || acting.some((i) => this.recording.attached(i, frame));
      fixed.visible = acts && this.shown;
      dot.visible = acts && !this.shown;
      if (kind === 'clamp') object.matrix.copy(matrixOf(pose));
      else object.matrix.makeTranslation(...pose.place);
    };
    return { object, place };
  }

  // The constraints that a named point carries, other than those whose plane or axis it only marks.
  constraintsOn(point) {
    const { constraints } = this.recording.scene, place = this.recording.point(point, 0).place.join();
    return constraints.flatMap(({ kind, second }, i) => (second >= 0 && kind !== 'plane' && kind !== 'axis' &&
      this.recording.point(second, 0).place.join() === place ? [i] : []));
  }

  // An item that is shown while the constraint is attached.
  attached({ object, place, always = false }, constraint) {
    return { object, place: (frame) => { place(frame); object.visible = (always || this.shown) && this.recording.attached(constraint, frame); } };
  }

  // The tube that is nearest to a point at the beginning.
  strandAt(point) {
    const place = this.recording.point(point, 0).place;
    let best = null, least = Infinity;
    for (const tube of this.tubes) {
      const x = this.recording.vertices(tube.index, 0, tube.line.x);
      for (let i = 0; i < x.length; i += 3) {
        const distance = Math.hypot(x[i] - place[0], x[i + 1] - place[1], x[i + 2] - place[2]);
        if (distance < least) [least, best] = [distance, tube];
      }
    }
    return best;
  }

  // Two jaws, on the flatter sides of the strand.
  vice(tube) {
    const object = new THREE.Group(), u = this.unit, flat = tube && ['rectangle', 'ellipse'].includes(tube.strand.section);
    const [a, b] = flat ? tube.strand.size.map((side) => side / 2 * tube.scale) : [0, 1].map(() => (tube ? tube.thickness * tube.scale : this.gap));
    const thin = Math.min(a, b), wide = Math.max(2 * u, 2.3 * Math.max(a, b));
    for (const side of [-1, 1]) {
      const jaw = this.solid(new THREE.BoxGeometry(1.5 * u, a <= b ? 0.9 * u : wide, a <= b ? wide : 0.9 * u));
      jaw.position.setComponent(a <= b ? 1 : 2, side * (thin + 0.45 * u));
      object.add(jaw);
    }
    return object;
  }

  // As Tube.setCoarse(): of dots.
  setCoarse(pixel) {
    for (const { mesh, fine, coarse } of this.dots) {
      mesh.geometry = pixel > 0 ? coarse : fine;
      mesh.castShadow = pixel === 0;
    }
  }

  // Just around the strand.
  dot(tube) {
    const thin = tube ? Math.min(...(['rectangle', 'ellipse'].includes(tube.strand.section) ? tube.strand.size.map((side) => side / 2) : [tube.thickness])) * tube.scale : this.gap;
    const radius = Math.max(1.25 * thin, 2.8 * this.pixel), [fine, coarse] = [24, 8].map((n) => new THREE.SphereGeometry(radius, n, Math.round(0.7 * n)));
    const mesh = this.solid(fine);
    this.dots.push({ mesh, fine, coarse });
    return mesh;
  }

  // The tip of the cone is the constrained point.
  pin() {
    const object = new THREE.Group(), u = this.unit;
    const cone = this.solid(new THREE.ConeGeometry(1.1 * u, 2.4 * u, 28));
    cone.rotation.x = -Math.PI / 2;
    cone.position.z = 1.6 * u;
    object.add(cone, this.solid(new THREE.SphereGeometry(Math.max(0.7 * u, 1.15 * this.gap), 24, 16)));
    return object;
  }

  constraint(constraint) {
    switch (constraint.kind) {
      case 'distance': return constraint.bar ? this.bar(constraint) : this.distance(constraint);
      case 'plane': return this.plane(constraint);
      case 'axis': return this.axis(constraint);
      case 'align': return this.still(constraint, this.solid(new THREE.BoxGeometry(1, 1, 1).scale(this.unit, 2 * this.gap + 0.8 * this.unit, 2 * this.gap + 0.8 * this.unit)));
      default: return this.still(constraint, this.solid(new THREE.SphereGeometry(Math.max(0.6 * this.unit, 1.15 * this.gap), 24, 16)));
    }
  }

  // A symbol at the first point.
  still({ first }, object) {
    object.matrixAutoUpdate = false;
    return { object, place: (frame) => object.matrix.copy(matrixOf(this.recording.point(first, frame))) };
  }

  secondOf({ second }, frame) {
    return second >= 0 ? this.recording.point(second, frame) : { place: [0, 0, 0], tangent: [1, 0, 0], director: [0, 1, 0] };
  }

  // A thin line with a tick at either end.
  distance(constraint) {
    const object = new THREE.Group(), r = this.line;
    const rod = this.solid(new THREE.CylinderGeometry(r, r, 1, 8), this.sketch);
    const ends = [-1, 1].map(() => this.solid(new THREE.CylinderGeometry(0.7 * this.unit, 0.7 * this.unit, r, 20), this.sketch));
    object.add(rod, ...ends);
    const place = (frame) => {
      const a = new THREE.Vector3(...this.recording.point(constraint.first, frame).place);
      const b = new THREE.Vector3(...this.secondOf(constraint, frame).place);
      const along = b.clone().sub(a), length = along.length();
      const turn = new THREE.Quaternion().setFromUnitVectors(Y, length > 0 ? along.divideScalar(length) : Y);
      rod.position.copy(a).add(b).multiplyScalar(0.5);
      rod.scale.y = Math.max(length, 1e-9);
      for (const part of [rod, ...ends]) part.quaternion.copy(turn);
      ends[0].position.copy(a);
      ends[1].position.copy(b);
    };
    return { object, place };
  }

  // A bar or plank between two points, which lies on its wider side.
  bar(constraint) {
    const { width, thickness, colour, look } = constraint.bar, material = this.environment.material({ look });
    material.color.set(colour);
    material.uniforms.radius.value = Math.min(width, thickness) / 2;
    const geometry = new THREE.BoxGeometry(1, 1, 1), { position } = geometry.attributes, thin = Math.min(width, thickness) / 2;
    const own = new Float32Array(3 * position.count), along = new Float32Array(3 * position.count);
    const length = new THREE.Vector3(...this.secondOf(constraint, 0).place).distanceTo(new THREE.Vector3(...this.recording.point(constraint.first, 0).place));
    for (let i = 0; i < position.count; i++) {
      own.set([position.getX(i) * width / thin, position.getY(i) * thickness / thin, position.getZ(i) * length / thin], 3 * i);
      along[3 * i + 2] = 1;
    }
    geometry.setAttribute('own', new THREE.BufferAttribute(own, 3));
    geometry.setAttribute('along', new THREE.BufferAttribute(along, 3));
    const object = this.solid(geometry, material);
    object.castShadow = object.receiveShadow = true;
    object.matrixAutoUpdate = false;
    const place = (frame) => {
      const a = new THREE.Vector3(...this.recording.point(constraint.first, frame).place), b = new THREE.Vector3(...this.secondOf(constraint, frame).place);
      const z = b.clone().sub(a), x = Z.clone().cross(z);
      if (x.length() < 1e-6 * z.length()) x.set(1, 0, 0);
      const y = z.clone().cross(x).normalize().multiplyScalar(thickness);
      object.matrix.makeBasis(x.normalize().multiplyScalar(width), y, z).setPosition(a.add(b).multiplyScalar(0.5));
    };
    return { object, place, always: true };
  }

  // A fine tube, in the axes of the body that carries it.
  path({ points, body }) {
    const positions = [];
    for (let i = 0; i < points.length; i += 3) positions.push(new THREE.Vector3(points[i], points[i + 1], points[i + 2]));
    const curve = new THREE.CatmullRomCurve3(positions);
    const object = this.solid(new THREE.TubeGeometry(curve, 2 * positions.length, this.line, 8), this.sketch);
    const place = (frame) => {
      if (body < 0) return;
      const pose = this.recording.body(body, frame);
      object.position.set(...pose.place);
      object.quaternion.set(...pose.turn);
    };
    return { object, place };
  }

  direction(constraint, pose) {
    const matrix = matrixOf(pose).setPosition(0, 0, 0);
    return new THREE.Vector3(...constraint.direction).applyMatrix4(matrix).normalize();
  }

  // A pane of glass under the first point.
  plane(constraint) {
    const side = 0.5 * this.size, geometry = new THREE.PlaneGeometry(side, side);
    const object = this.solid(geometry, this.glass);
    object.add(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => new THREE.Vector3(x * side / 2, y * side / 2, 0))), new THREE.LineBasicMaterial({ color: '#888', transparent: true, opacity: 0.6 })));
    object.renderOrder = 2;
    const place = (frame) => {
      const pose = this.secondOf(constraint, frame), normal = this.direction(constraint, pose);
      const first = new THREE.Vector3(...this.recording.point(constraint.first, frame).place);
      const height = first.clone().sub(new THREE.Vector3(...pose.place)).dot(normal);
      object.quaternion.setFromUnitVectors(Z, normal);
      object.position.copy(first).addScaledVector(normal, -height);
    };
    return { object, place };
  }

  axis(constraint) {
    const object = new THREE.Group(), r = this.line, length = 0.8 * this.size;
    object.add(this.solid(new THREE.CylinderGeometry(r, r, length, 8), this.sketch));
    for (const side of [-1, 1]) {
      const end = this.solid(new THREE.ConeGeometry(4 * r, 12 * r, 12), this.sketch);
      end.position.y = side * length / 2;
      if (side < 0) end.rotation.x = Math.PI;
      object.add(end);
    }
    const place = (frame) => {
      const pose = this.secondOf(constraint, frame);
      object.quaternion.setFromUnitVectors(Y, this.direction(constraint, pose));
      object.position.set(...pose.place);
    };
    return { object, place };
  }
}
