// The stage: sky, ground, light and camera. z is up.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const FIELD_OF_VIEW = 32;

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.ambient = new THREE.HemisphereLight('#ffffff', '#d2c6b4', 1);
    this.ambient.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight('#fff4e2', 2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 7;
    this.sky = makeSky();
    this.ground = makeGround();
    this.shadow = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.ShadowMaterial({ opacity: 0.3, depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = 1;
    this.scene.add(this.ambient, this.sun, this.sun.target, this.sky, this.ground, this.shadow);
    new ResizeObserver(() => this.resized()).observe(canvas);
    this.controls.addEventListener('change', () => { this.dirty = true; });
    this.controls.addEventListener('start', () => { this.untouched = false; });
    this.dirty = true;
  }

  // `points`: positions to keep in view, of the whole run; `thin`: the horizontal direction in which
  // there is least of it; `aside`: how far from it the camera stands, rad; `ground`: its height, null: below all of it.
  frame(points, { low, high }, thin, aside, ground) {
    const centre = new THREE.Vector3(...low).add(new THREE.Vector3(...high)).multiplyScalar(0.5);
    const radius = Math.max(1e-9, 0.5 * Math.hypot(...high.map((h, k) => h - low[k])));
    this.size = 2 * radius;
    this.points = points.map((p) => new THREE.Vector3(...p).sub(centre));
    this.centre = centre;
    // The more it lies on the ground, the more it is seen from above.
    const lying = Math.min(high[0] - low[0], high[1] - low[1]) / this.size, standing = (high[2] - low[2]) / this.size;
    const elevation = 0.17 + 0.5 * lying * (1 - standing), azimuth = Math.atan2(thin[1], thin[0]) + aside;
    this.direction = new THREE.Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.controls.minDistance = radius / 50;
    this.controls.maxDistance = radius * 20;
    this.placeGround(ground.height ?? low[2] - 0.08 * radius, centre, radius);
    this.ground.visible = this.shadow.visible = !ground.hidden;
    this.resize();
    this.home();
  }

  placeGround(z, centre, radius) {
    for (const disc of [this.ground, this.shadow]) {
      disc.position.set(centre.x, centre.y, z);
      disc.scale.setScalar(radius * 14);
    }
    this.shadow.position.z += 1e-3 * radius;
    const cell = 10 ** Math.floor(Math.log10(radius * 1.6));
    this.ground.material.uniforms.cell.value = cell;
    this.sky.position.copy(centre);
    this.sky.scale.setScalar(radius * 80);
    this.sun.position.copy(centre).add(new THREE.Vector3(0.45, -0.4, 1).multiplyScalar(4 * radius));
    this.sun.target.position.copy(centre);
    const camera = this.sun.shadow.camera, reach = 1.5 * radius;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius, far: 9 * radius });
    camera.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.002 * radius;
  }

  // Back to where all of it is in sight, in the middle, a little below the centre of the picture.
  home() {
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
    this.pixel = 2 * distance * Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / Math.max(1, this.canvas.clientHeight);
    target.addScaledVector(up, 0.05 * distance * tall).add(this.centre);
    this.controls.enableDamping = false; // forget the swing it is in
    this.controls.update();
    this.controls.target.copy(target);
    camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.controls.enableDamping = true;
    this.untouched = true;
    this.dirty = true;
  }

  setTheme(colours) {
    const set = (target, value) => target.set(value);
    set(this.sky.material.uniforms.top.value, colours.skyTop);
    set(this.sky.material.uniforms.low.value, colours.skyLow);
    set(this.ground.material.uniforms.ground.value, colours.ground);
    set(this.ground.material.uniforms.grid.value, colours.grid);
    set(this.ground.material.uniforms.far.value, colours.skyLow);
    this.shadow.material.opacity = colours.shadow;
    this.ambient.intensity = colours.ambient;
    this.sun.intensity = colours.sun;
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
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // Draws when the view has changed.
  draw() {
    this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
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

function makeSky() {
  const material = new THREE.ShaderMaterial({
    side: THREE.BackSide, depthWrite: false,
    uniforms: { top: { value: new THREE.Color() }, low: { value: new THREE.Color() } },
    vertexShader: 'varying vec3 p; void main() { p = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.); }',
    fragmentShader: `varying vec3 p; uniform vec3 top, low;
      void main() { gl_FragColor = vec4(mix(low, top, smoothstep(-.02, .3, normalize(p).z)), 1.);
        #include <colorspace_fragment>
      }`,
  });
  const sky = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 24), material);
  sky.frustumCulled = false;
  return sky;
}

// A floor with a faint grid that fades into the sky.
function makeGround() {
  const material = new THREE.ShaderMaterial({
    transparent: true, depthWrite: false,
    uniforms: { ground: { value: new THREE.Color() }, grid: { value: new THREE.Color() }, far: { value: new THREE.Color() }, cell: { value: 1 } },
    vertexShader: `varying vec2 p, q; void main() { p = position.xy; vec4 w = modelMatrix * vec4(position, 1.); q = w.xy;
      gl_Position = projectionMatrix * viewMatrix * w; }`,
    fragmentShader: `varying vec2 p, q; uniform vec3 ground, grid, far; uniform float cell;
      float lines(float size) { vec2 g = q / size, w = fwidth(g); vec2 d = abs(fract(g - .5) - .5) / w;
        return (1. - min(min(d.x, d.y), 1.)) * (1. - smoothstep(.1, .5, max(w.x, w.y))); }
      void main() { float r = length(p);
        vec3 c = mix(ground, grid, max(.7 * lines(cell), .22 * lines(cell / 5.)) * (1. - smoothstep(.05, .45, r)));
        c = mix(c, far, smoothstep(.05, .7, r));
        gl_FragColor = vec4(c, 1. - smoothstep(.6, 1., r));
        #include <colorspace_fragment>
      }`,
  });
  const ground = new THREE.Mesh(new THREE.CircleGeometry(1, 96), material);
  ground.renderOrder = 0;
  return ground;
}
