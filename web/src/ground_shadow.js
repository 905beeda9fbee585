// Shadows on the ground, of the sun and of the sky: what casts them is projected onto the ground in layers by height, and each layer is
// blurred the more the higher it is, as the penumbra of a light of some size would be. As in stills (src/record/render_shadow.c),
// with half as many layers: one to a channel.
import * as THREE from 'three';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';

const LAYERS = 4, LAG = 150; // ms by which the sky's may be late, coarse

const CAST = {
  vertex: `
uniform vec3 light;
uniform vec2 origin;
uniform float ground, top, side, spread;
varying float height;
void main() {
  vec4 p = vec4(position, 1.);
  #ifdef USE_INSTANCING
  p = instanceMatrix * p;
  #endif
  p = modelMatrix * p;
  height = (p.z - ground) / top;
  vec2 outward = normalize(mat3(modelMatrix) * normal).xy;
  vec2 on = p.xy - (p.z - ground) / light.z * light.xy + spread * side * outward / max(length(outward), .02);
  gl_Position = vec4(2. * (on - origin) / side - 1., 0., 1.);
}`,
  fragment: `
varying float height;
void main() { gl_FragColor = max(1. - abs(${LAYERS - 1}. * sqrt(clamp(height, 0., 1.)) - vec4(0, 1, 2, 3)), 0.); }`,
};

const QUAD = 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0., 1.); }';

// A bell along one direction, for each of two channels; `sigma`: their standard deviations, in steps. Its values follow from each other:
// exp(-i²/2σ²), by a factor that itself changes by one. The last pass adds the channels up.
const blurShader = (channels, sum) => `
uniform sampler2D from;
uniform vec2 step, sigma;
uniform float reach;
varying vec2 at;
void main() {
  vec2 total = texture2D(from, at).${channels}, weight = vec2(1), bell = vec2(1), factor = exp(-.5 / max(sigma * sigma, .01)), change = factor * factor;
  for (float i = 1.; i <= reach; i++) {
    bell *= factor;
    factor *= change;
    total += bell * (texture2D(from, at + i * step).${channels} + texture2D(from, at - i * step).${channels});
    weight += 2. * bell;
  }
  total /= weight;
  gl_FragColor = ${sum ? 'vec4(total.x + total.y)' : 'vec4(total, 0, 0)'};
}`;

// The mean of 4 × 4 texels.
const shrinkShader = `
uniform sampler2D from;
uniform vec2 step;
varying vec2 at;
void main() { gl_FragColor = .25 * (texture2D(from, at + step) + texture2D(from, at - step) + texture2D(from, at + vec2(step.x, -step.y)) + texture2D(from, at - vec2(step.x, -step.y))); }`;

const pass = (fragmentShader, uniforms) => new FullScreenQuad(new THREE.ShaderMaterial({ vertexShader: QUAD, fragmentShader, depthTest: false, depthWrite: false,
  uniforms: { from: { value: null }, step: { value: new THREE.Vector2() }, ...uniforms } }));

// Bodies cast shadows that are a texel of the finest map wider, as in stills, where that closes the seams between triangles.
export function castsWider(mesh, on) {
  mesh.onBeforeRender = (renderer, scene, camera, geometry, material) => {
    const { spread } = material.uniforms ?? {};
    if (!spread) return;
    spread.value = on ? material.userData.texel : 0;
    material.uniformsNeedUpdate = true;
  };
}

// One light's. `blur`: of its penumbra, per height; `sharp`: at the ground, over the reach of the scene.
export class GroundShadow {
  constructor(renderer, { size, coarse, samples, blur, sharp }) {
    Object.assign(this, { renderer, size, coarse, blur, sharp, camera: new THREE.Camera() });
    this.camera.projectionMatrix.makeScale(1e-12, 1e-12, 1e-12); // the material projects by itself; nothing is out of sight
    const target = (options) => new THREE.WebGLRenderTarget(size, size, { depthBuffer: false, ...options }), half = { type: THREE.HalfFloatType };
    Object.assign(this, { cast: target({ samples }), across: target(half), near: target(half), small: target(), smallAcross: target(half), far: target(half) });
    this.material = new THREE.ShaderMaterial({ vertexShader: CAST.vertex, fragmentShader: CAST.fragment, side: THREE.DoubleSide, depthTest: false, depthWrite: false,
      blending: THREE.CustomBlending, blendEquation: THREE.MaxEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
      uniforms: { light: { value: new THREE.Vector3(0, 0, 1) }, origin: { value: new THREE.Vector2() }, ground: { value: 0 }, top: { value: 1 }, side: { value: 1 }, spread: { value: 0 } } });
    this.material.userData.texel = 1 / size;
    const bell = (channels, sum) => pass(blurShader(channels, sum), { sigma: { value: new THREE.Vector2() }, reach: { value: 0 } });
    Object.assign(this, { shrink: pass(shrinkShader), low: [bell('rg', false), bell('rg', true)], high: [bell('ba', false), bell('rg', true)] });
    // For the ground: what is near it and what is far above; where the map begins, and over its side.
    this.uniforms = { near: { value: this.near.texture }, far: { value: this.far.texture }, map: { value: new THREE.Vector3() } };
    this.setCoarse(false);
  }

  setCoarse(on) {
    const size = on ? this.coarse : this.size;
    for (const target of [this.cast, this.across, this.near]) target.setSize(size, size);
    for (const target of [this.small, this.smallAcross, this.far]) target.setSize(size / 4, size / 4);
    this.place();
  }

  // Of everything within the farthest positions, on the ground at z.
  fit(light, z, { farthest, centre, reach }) {
    const box = [Infinity, Infinity, -Infinity, -Infinity], top = Math.max(centre[2] + reach - z, 1e-9 * reach);
    for (const p of farthest) {
      const above = Math.max(p[2] - z, 0), margin = 2.5 * (this.sharp * reach + this.blur * above);
      [light.x, light.y].forEach((l, k) => {
        const q = p[k] - above / light.z * l;
        box[k] = Math.min(box[k], Math.max(q - margin, centre[k] - 4 * reach));
        box[2 + k] = Math.max(box[2 + k], Math.min(q + margin, centre[k] + 4 * reach));
      });
    }
    const side = Math.max(box[2] - box[0], box[3] - box[1], 0.01 * reach), { uniforms } = this.material;
    uniforms.light.value.copy(light);
    uniforms.origin.value.set(...[0, 1].map((k) => (Number.isFinite(box[k]) ? (box[k] + box[2 + k] - side) / 2 : 0)));
    Object.assign(uniforms.ground, { value: z });
    Object.assign(uniforms.top, { value: top });
    Object.assign(uniforms.side, { value: side });
    this.uniforms.map.value.set(uniforms.origin.value.x, uniforms.origin.value.y, 1 / side);
    this.sigmas = Array.from({ length: LAYERS }, (_, i) => (this.sharp * reach + this.blur * top * (i / (LAYERS - 1)) ** 2) / side); // over the side
    this.place();
  }

  // The passes' steps and widths, for the size of the maps.
  place() {
    const set = ([across, along], size, first) => {
      const sigma = new THREE.Vector2(...(this.sigmas ?? [0, 0, 0, 0]).slice(first, first + 2)).multiplyScalar(size), reach = Math.min(40, Math.ceil(2.5 * sigma.y));
      for (const { material: { uniforms } } of [across, along]) {
        uniforms.sigma.value.copy(sigma);
        uniforms.reach.value = reach;
      }
      across.material.uniforms.step.value.set(1 / size, 0);
      along.material.uniforms.step.value.set(0, 1 / size);
    };
    set(this.low, this.cast.width, 0);
    set(this.high, this.small.width, 2);
    this.shrink.material.uniforms.step.value.setScalar(1 / this.cast.width);
  }

  update(scene) {
    const { renderer } = this;
    scene.overrideMaterial = this.material;
    renderer.setClearColor('#000', 0);
    renderer.setRenderTarget(this.cast);
    renderer.clear();
    renderer.render(scene, this.camera);
    scene.overrideMaterial = null;
    this.draw(this.low[0], this.cast, this.across);
    this.draw(this.low[1], this.across, this.near);
    this.draw(this.shrink, this.cast, this.small);
    this.draw(this.high[0], this.small, this.smallAcross);
    this.draw(this.high[1], this.smallAcross, this.far);
    renderer.setRenderTarget(null);
    renderer.setClearColor('#000', 1);
  }

  draw(quad, from, to) {
    quad.material.uniforms.from.value = from.texture;
    this.renderer.setRenderTarget(to);
    quad.render(this.renderer);
  }
}

// Both lights'.
export class GroundShadows {
  constructor(renderer, software) {
    const samples = software ? 0 : 4;
    this.renderer = renderer;
    this.sun = new GroundShadow(renderer, { size: software ? 512 : 1024, coarse: 256, samples, blur: 0.045, sharp: 0.002 });
    this.sky = new GroundShadow(renderer, { size: 256, coarse: 128, samples, blur: 0.5, sharp: 0.006 });
    this.lights = [this.sun, this.sky];
    Object.assign(this, { coarse: false, drawn: -Infinity });
  }

  setCoarse(on) {
    for (const light of this.lights) light.setCoarse(on);
    Object.assign(this, { coarse: on, drawn: -Infinity });
  }

  fit(sunward, z, extent) {
    this.drawn = -Infinity;
    this.sun.fit(sunward, z, extent);
    this.sky.fit(new THREE.Vector3(0, 0, 1), z, extent);
  }

  // Of the scene without the objects `hidden`. In a coarse motion the sky's are late, and one light's are drawn for a picture.
  update(scene, hidden) {
    const shown = hidden.filter((object) => object.visible), { shadowMap } = this.renderer, automatic = shadowMap.autoUpdate;
    for (const object of shown) object.visible = false;
    shadowMap.autoUpdate = false;
    const now = performance.now(), both = !this.coarse || this.drawn < 0, late = now - this.drawn > LAG;
    if (both || !late) this.sun.update(scene);
    if (both || late) {
      this.sky.update(scene);
      this.drawn = now;
    }
    shadowMap.autoUpdate = automatic;
    for (const object of shown) object.visible = true;
  }
}
