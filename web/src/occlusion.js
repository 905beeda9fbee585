// Ambient occlusion: the part of the sky that each pixel sees past its neighbours, by the estimator of scalable ambient
// obscurance (McGuire, Mara and Luebke, 2012), as in stills (src/record/render_occlusion.c).
import * as THREE from 'three';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
import { isSoftware } from './quality.js';

const COMMON = `
uniform sampler2D depth, normals, raw;
uniform vec2 size;
uniform mat4 inverse;
varying vec2 vUv;
vec3 at(vec2 uv) { vec4 p = inverse * vec4(vec3(uv, texture2D(depth, uv).r) * 2. - 1., 1.); return p.xyz / p.w; }`;

const vertexShader = 'varying vec2 vUv; void main() { vUv = uv; gl_Position = vec4(position.xy, 0., 1.); }';

const ESTIMATE = `${COMMON}
uniform float R, bias, most, scale;
void main() {
  if (texture2D(depth, vUv).r >= 1.) { gl_FragColor = vec4(1.); return; }
  vec3 p = at(vUv), n = normalize(texture2D(normals, vUv).xyz * 2. - 1.);
  float reach = min(R * scale / -p.z, most), sum = 0.;
  vec2 cell = mod(gl_FragCoord.xy, 4.);
  float turn = (floor(cell.x) * 4. + floor(cell.y)) / 16.;
  for (int i = 0; i < 14; i++) {
    float angle = 6.2831853 * (float(i) * 5. / 14. + turn), away = (float(i) + .5) / 14.;
    // In the middle of a texel, where its depth is.
    vec2 uv = (floor(vUv * size + reach * away * vec2(cos(angle), sin(angle))) + .5) / size;
    if (texture2D(depth, uv).r >= 1.) continue;
    vec3 v = at(uv) - p;
    float vv = dot(v, v), vn = dot(v, n) - bias, near = max(1. - vv / (R * R), 0.);
    sum += near * near * near * max(vn, 0.) / (vv + 1e-4 * R * R);
  }
  gl_FragColor = vec4(vec3(reach < 2. ? 1. : max(1. - 2.2 * R * sum / 14., 0.)), 1.);
}`;

const BLUR = `${COMMON}
uniform float R;
void main() {
  float z = at(vUv).z, sum = 0., count = 0.;
  for (int j = -2; j < 2; j++) for (int i = -2; i < 2; i++) {
    vec2 uv = vUv + vec2(i, j) / size;
    if (abs(at(uv).z - z) > .5 * R) continue;
    sum += texture2D(raw, uv).r;
    count++;
  }
  gl_FragColor = vec4(vec3(count > 0. ? sum / count : 1.), 1.);
}`;

// Without a graphics processor occlusion would cost more than all else.
export class Occlusion {
  constructor(renderer) {
    Object.assign(this, { renderer, enabled: !isSoftware(), override: new THREE.MeshNormalMaterial({ side: THREE.DoubleSide }) });
    const target = () => new THREE.WebGLRenderTarget(1, 1, { type: THREE.UnsignedByteType });
    this.geometry = target();
    this.geometry.depthTexture = new THREE.DepthTexture(1, 1);
    [this.raw, this.result] = [target(), target()];
    this.uniforms = {
      depth: { value: this.geometry.depthTexture }, normals: { value: this.geometry.texture }, raw: { value: this.raw.texture },
      size: { value: new THREE.Vector2() }, inverse: { value: new THREE.Matrix4() }, R: { value: 1 }, bias: { value: 0 }, most: { value: 40 }, scale: { value: 1 },
    };
    const quad = (fragmentShader) => new FullScreenQuad(new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, depthTest: false, depthWrite: false }));
    [this.estimate, this.blur] = [quad(ESTIMATE), quad(BLUR)];
  }

  get texture() { return this.result.texture; }

  // Of the scene without the objects `hidden`; `reach`: the radius of the scene.
  update(scene, camera, hidden, reach) {
    const { renderer, uniforms } = this, size = renderer.getDrawingBufferSize(new THREE.Vector2()).divideScalar(2).ceil();
    for (const target of [this.geometry, this.raw, this.result]) target.setSize(size.x, size.y);
    uniforms.size.value.copy(size);
    uniforms.inverse.value.copy(camera.projectionMatrixInverse);
    uniforms.scale.value = size.y / 2 * camera.projectionMatrix.elements[5];
    Object.assign(uniforms.R, { value: 0.07 * reach });
    uniforms.bias.value = 0.0012 * reach;
    uniforms.most.value = 0.05 * size.y;
    const shown = hidden.filter((object) => object.visible), { shadowMap } = renderer, automatic = shadowMap.autoUpdate;
    for (const object of shown) object.visible = false;
    shadowMap.autoUpdate = false;
    scene.overrideMaterial = this.override;
    renderer.setRenderTarget(this.geometry);
    renderer.clear();
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
    shadowMap.autoUpdate = automatic;
    for (const object of shown) object.visible = true;
    renderer.setRenderTarget(this.raw);
    this.estimate.render(renderer);
    renderer.setRenderTarget(this.result);
    this.blur.render(renderer);
    renderer.setRenderTarget(null);
  }
}
