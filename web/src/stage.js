// The stage: sky, ground, light and camera. z is up.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { makeGround, makeSky } from './ground.js';
import { GroundShadows } from './ground_shadow.js';
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
    this.sun.shadow.radius = 2;
    this.environment = new Environment();
    this.shadows = new GroundShadows(this.renderer, isSoftware());
    this.occlusion = new Occlusion(this.renderer);
    this.lens = new Lens(this.renderer);
    this.overlay = new Overlay(canvas.parentElement);
    const { resolution, reach } = this.environment.uniforms, colour = () => ({ value: new THREE.Color() });
    this.uniforms = { resolution, reach, top: colour(), bottom: colour(), floorColour: colour(), line: colour(), cell: { value: 1 },
      centre: { value: new THREE.Vector2() } };
    this.sky = makeSky(this.uniforms);
    this.ground = makeGround(this.uniforms, this.shadows);
    // Surfaces have their own light; the marks of a live run have this one.
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground, new THREE.HemisphereLight('#ffffff', '#b0aaa0', 2));
    new ResizeObserver(() => this.resized()).observe(canvas);
    this.controls.addEventListener('change', () => { this.stayAbove(); this.dirty = true; });
    this.controls.addEventListener('start', () => { this.untouched = false; });
    this.level = this.nearest = 0;
    this.dirty = true;
  }

  // `extent`: of the whole run; `ground`: its height, null: below all of it; `view`: the scene's camera, if it has one.
  frame(extent, ground, view) {
    const whole = extent.ball(), direction = extent.direction();
    this.extent = extent;
    this.size = 2 * whole.reach;
    this.direction = new THREE.Vector3(...direction).negate();
    this.view = view?.from && { from: new THREE.Vector3(...view.from), to: new THREE.Vector3(...view.to) };
    if (this.view) this.direction.copy(this.view.from).sub(this.view.to);
    else if (view) this.direction.set(...view.direction).negate();
    this.direction.normalize();
    if (Math.hypot(this.direction.x, this.direction.y) < 1e-3) this.direction.y -= 1e-3; // from above, −y is below
    this.nearest = whole.reach / 200;
    this.camera.far = whole.reach * 200;
    this.controls.minDistance = whole.reach / 50;
    this.controls.maxDistance = whole.reach * 20;
    this.placeGround(ground.height ?? extent.low(2) - (ground.stage ? 0 : 0.05 * extent.size), this.seen(whole));
    this.ground.visible = this.environment.uniforms.hasGround.value = !ground.hidden;
    this.resize();
    this.home();
  }

  // A ball around what is seen: a camera within a scene much larger than that sees what is near the point that it looks at.
  seen({ centre, reach }) {
    const near = this.view ? 1.2 * this.view.from.distanceTo(this.view.to) : Infinity;
    return near < reach ? { centre: this.view.to.toArray(), reach: near } : { centre, reach };
  }

  // The light comes over the viewer's left shoulder, as the viewer first stands.
  placeGround(z, { centre, reach }) {
    const { uniforms } = this.environment, ahead = this.direction.clone().negate().setZ(0).normalize(), right = ahead.clone().cross(this.camera.up);
    const sunward = new THREE.Vector3(0, 0, 1).addScaledVector(right, -0.40).addScaledVector(ahead, -0.42).normalize(), middle = new THREE.Vector3(...centre);
    uniforms.sunward.value.copy(sunward);
    uniforms.ground.value = z;
    uniforms.reach.value = reach;
    this.ground.position.set(centre[0], centre[1], z);
    this.ground.scale.setScalar(5.2 * reach);
    this.uniforms.centre.value.set(centre[0], centre[1]);
    this.uniforms.cell.value = roundDown(0.45 * reach);
    this.shadows.fit(sunward, z, { farthest: this.extent.farthest, centre, reach });
    this.sun.position.copy(middle).addScaledVector(sunward, 4 * reach);
    this.sun.target.position.copy(middle);
    const camera = this.sun.shadow.camera, side = 1.1 * reach;
    Object.assign(camera, { left: -side, right: side, top: side, bottom: -side, near: reach, far: 9 * reach });
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.004 * reach;
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

  // All of it in the picture.
  fit() {
    const { camera, direction } = this, right = camera.up.clone().cross(direction).normalize(), up = direction.clone().cross(right);
    const axes = Object.fromEntries(Object.entries({ forward: direction.clone().negate(), right, up }).map(([name, v]) => [name, v.toArray()]));
    const { target, distance } = this.extent.fit({ ...axes, slope: Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)), aspect: camera.aspect });
    return { target: new THREE.Vector3(...target), distance };
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
    this.shadows.setCoarse(levels()[level].coarse);
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
    // As far away as it may be: depths near the eye would take the precision of those that are seen.
    camera.near = Math.max(this.nearest, 0.02 * camera.position.distanceTo(this.controls.target));
    camera.updateProjectionMatrix();
    renderer.getDrawingBufferSize(uniforms.resolution.value);
    uniforms.slope.value = slope;
    const shown = this.scene.children.flatMap((group) => group.children);
    const hidden = [this.sky, this.ground, ...shown.filter((child) => child.material?.transparent || child.userData.overlay)];
    if (this.ground.visible) this.shadows.update(this.scene, [...hidden, ...shown.filter((child) => child.isMesh && !child.castShadow)]);
    if (this.occlusion.enabled) this.occlusion.update(this.scene, camera, hidden, uniforms.reach.value);
    uniforms.openness.value = this.occlusion.enabled ? this.occlusion.texture : white;
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    this.overlay.update(right, up, this.pixelNow);
  }
}
