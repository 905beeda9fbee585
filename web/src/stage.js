// The stage: sky, ground, light and camera. z is up.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Cover, makeGround, makeSky } from './ground.js';
import { Lens } from './lens.js';
import { Environment } from './looks.js';
import { Occlusion } from './occlusion.js';
import { Overlay, roundDown } from './overlay.js';
import { finest, isSoftware, levels } from './quality.js';

const FIELD_OF_VIEW = 29.8;

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !isSoftware(), preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.sun = new THREE.DirectionalLight('#ffffff', 1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(isSoftware() ? 1024 : 2048);
    this.sun.shadow.radius = 4;
    this.environment = new Environment();
    this.cover = new Cover(this.renderer);
    this.occlusion = new Occlusion(this.renderer);
    this.lens = new Lens(this.renderer);
    this.overlay = new Overlay(canvas.parentElement);
    const { resolution, reach } = this.environment.uniforms, colour = () => ({ value: new THREE.Color() });
    this.uniforms = { resolution, reach, top: colour(), bottom: colour(), floorColour: colour(), line: colour(), cell: { value: 1 },
      centre: { value: new THREE.Vector2() }, cover: { value: this.cover.texture }, coverSize: { value: 1 } };
    this.sky = makeSky(this.uniforms);
    this.ground = makeGround(this.uniforms);
    // Surfaces have their own light; the marks of a live run have this one.
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground, new THREE.HemisphereLight('#ffffff', '#b0aaa0', 2));
    new ResizeObserver(() => this.resized()).observe(canvas);
    this.controls.addEventListener('change', () => { this.stayAbove(); this.dirty = true; });
    this.controls.addEventListener('start', () => { this.untouched = false; });
    this.level = 0;
    this.dirty = true;
  }

  // `points`: positions to keep in view, of the whole run; `thin`: the horizontal direction in which
  // there is least of it; `aside`: how far from it the camera stands, rad; `ground`: its height, null: below all of it;
  // `view`: the scene's camera, if it has one.
  frame(points, { low, high }, thin, aside, ground, view) {
    const centre = new THREE.Vector3(...low).add(new THREE.Vector3(...high)).multiplyScalar(0.5);
    const radius = Math.max(1e-9, 0.5 * Math.hypot(...high.map((h, k) => h - low[k])));
    this.size = 2 * radius;
    this.points = points.map((p) => new THREE.Vector3(...p).sub(centre));
    this.centre = centre;
    // The more it lies on the ground, the more it is seen from above.
    const lying = Math.min(high[0] - low[0], high[1] - low[1]) / this.size, standing = (high[2] - low[2]) / this.size;
    const elevation = 0.17 + 0.5 * lying * (1 - standing), azimuth = Math.atan2(thin[1], thin[0]) + aside;
    this.direction = new THREE.Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
    this.view = view?.from && { from: new THREE.Vector3(...view.from), to: new THREE.Vector3(...view.to) };
    if (this.view) this.direction.copy(this.view.from).sub(this.view.to);
    else if (view) this.direction.set(...view.direction).negate();
    this.direction.normalize();
    if (Math.hypot(this.direction.x, this.direction.y) < 1e-3) this.direction.y -= 1e-3; // from above, −y is below
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.controls.minDistance = radius / 50;
    this.controls.maxDistance = radius * 20;
    this.placeGround(ground.height ?? low[2] - (ground.stage ? 0 : 0.05 * Math.max(...high.map((h, k) => h - low[k]))), centre, radius);
    this.ground.visible = this.environment.uniforms.hasGround.value = !ground.hidden;
    this.resize();
    this.home();
  }

  // The light comes over the viewer's left shoulder, as the viewer first stands.
  placeGround(z, centre, radius) {
    const { uniforms } = this.environment, ahead = this.direction.clone().negate().setZ(0).normalize(), right = ahead.clone().cross(this.camera.up);
    const sunward = new THREE.Vector3(0, 0, 1).addScaledVector(right, -0.40).addScaledVector(ahead, -0.42).normalize();
    uniforms.sunward.value.copy(sunward);
    uniforms.ground.value = z;
    uniforms.reach.value = radius;
    this.ground.position.set(centre.x, centre.y, z);
    this.ground.scale.setScalar(radius * 5.2);
    this.uniforms.centre.value.set(centre.x, centre.y);
    this.uniforms.cell.value = roundDown(0.45 * radius);
    this.uniforms.coverSize.value = 3 * radius;
    this.cover.place(centre, z, 3 * radius, 0.5 * radius);
    this.sun.position.copy(centre).addScaledVector(sunward, 4 * radius);
    this.sun.target.position.copy(centre);
    const camera = this.sun.shadow.camera, reach = 1.6 * radius;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius, far: 9 * radius });
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.002 * radius;
  }

  // The camera stays above the ground.
  stayAbove() {
    const least = this.ground.position.z + 0.02 * this.size, { position } = this.camera;
    if (!this.ground.visible || position.z >= least) return;
    position.z = least;
    this.camera.lookAt(this.controls.target);
  }

  // Back to the scene's camera, or to where all of it is in sight.
  home() {
    const { camera, direction } = this, { target, distance } = this.view ? this.given() : this.fit();
    this.pixel = distance * this.slope;
    this.controls.enableDamping = false; // forget the swing it is in
    this.controls.update();
    this.controls.target.copy(target);
    camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.controls.enableDamping = true;
    this.untouched = true;
    this.dirty = true;
  }

  // As wide as in a still of 4:3 at least: a narrow window has its camera farther away.
  given() {
    const { from, to } = this.view;
    return { target: to, distance: from.distanceTo(to) * Math.max(1, 1 / (0.75 * this.camera.aspect)) };
  }

  // In the middle, a little below the centre of the picture.
  fit() {
    const { camera, direction } = this;
    const right = direction.clone().cross(camera.up).normalize().negate(), up = direction.clone().cross(right);
    const tall = 0.72 * Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)), wide = 1.12 * tall * camera.aspect;
    const target = new THREE.Vector3();
    let distance = 0;
    for (let round = 0; round < 4; round++) { // perspective moves the middle: a few rounds settle it
      const r = extent(this.points, right, target, direction, distance), u = extent(this.points, up, target, direction, distance);
      target.addScaledVector(right, r.middle).addScaledVector(up, u.middle);
      distance = 0;
      for (const p of this.points) {
        const q = p.clone().sub(target), nearer = q.dot(direction);
        distance = Math.max(distance, nearer + Math.abs(q.dot(right)) / wide, nearer + Math.abs(q.dot(up)) / tall);
      }
    }
    distance = Math.max(distance, 0.1 * this.size);
    return { target: target.addScaledVector(up, 0.05 * distance * tall).add(this.centre), distance };
  }

  setTheme(colours) {
    const { top, bottom, floorColour, line } = this.uniforms, set = (uniform, rgb) => uniform.value.setRGB(...rgb, THREE.SRGBColorSpace);
    set(top, colours.top);
    set(bottom, colours.bottom);
    set(floorColour, colours.ground);
    set(line, colours.line);
    this.environment.setTheme(colours);
    this.dirty = true;
  }

  // All of it stays in sight while nobody has moved the camera.
  resized() {
    this.resize();
    if (this.untouched) this.home();
    this.dirty = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(finest(width, height) * levels()[this.level].pixels);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // A row of levels(): how finely it is drawn from now on.
  setQuality(level) {
    this.level = level;
    this.cover.setCoarse(levels()[level].coarse);
    this.resize();
    this.dirty = true;
  }

  // What a pixel of the screen shows, at a distance of 1 and of where the camera looks, m.
  get slope() { return 2 * Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / Math.max(1, this.canvas.clientHeight); }
  get pixelNow() { return this.slope * this.camera.position.distanceTo(this.controls.target); }

  // Draws when the view has changed.
  draw() {
    if (!this.dirty) {
      if (this.lens.waiting) this.lens.add(this.scene, this.camera, this.controls.target);
      return;
    }
    this.dirty = false;
    this.prepare();
    this.renderer.render(this.scene, this.camera);
    this.lens.restart();
  }

  // What the shaders need to know of the view, and the passes before the picture.
  prepare() {
    const { camera, renderer, slope, environment: { uniforms, white } } = this;
    renderer.getDrawingBufferSize(uniforms.resolution.value);
    uniforms.slope.value = slope;
    const hidden = [this.sky, this.ground, ...this.scene.children.flatMap((group) => group.children.filter((child) => child.material?.transparent || child.userData.overlay))];
    if (this.ground.visible) this.cover.follow(this.scene, hidden);
    if (this.occlusion.enabled) this.occlusion.update(this.scene, camera, hidden, uniforms.reach.value);
    uniforms.openness.value = this.occlusion.enabled ? this.occlusion.texture : white;
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    this.overlay.update(right, up, this.pixelNow);
  }
}

// The middle, along an axis, of where points are seen from a distance (0: from infinitely far).
function extent(points, axis, target, direction, distance) {
  let low = Infinity, high = -Infinity;
  for (const p of points) {
    const q = p.clone().sub(target), scale = distance > 0 ? distance / Math.max(0.1 * distance, distance - q.dot(direction)) : 1;
    low = Math.min(low, q.dot(axis) * scale);
    high = Math.max(high, q.dot(axis) * scale);
  }
  return { middle: (low + high) / 2 };
}
