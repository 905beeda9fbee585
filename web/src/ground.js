// The sky, and the ground with its grid, the shadow of the sun and that of the sky: the same as of stills
// (src/record/render_ground.c).
import * as THREE from 'three';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';

const SKY = 'mix(top, bottom, 1. - gl_FragCoord.y / resolution.y)';

export function makeSky(uniforms) {
  const material = new THREE.ShaderMaterial({
    depthWrite: false, depthTest: false, uniforms,
    vertexShader: 'void main() { gl_Position = vec4(position.xy, 1., 1.); }',
    fragmentShader: `uniform vec3 top, bottom; uniform vec2 resolution; void main() { gl_FragColor = vec4(${SKY}, 1.);
      #include <colorspace_fragment>
    }`,
  });
  const sky = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
  sky.frustumCulled = false;
  sky.renderOrder = -2;
  return sky;
}

// A disc that receives shadows and fades into the sky. It is drawn before everything else, and hides nothing.
export function makeGround(uniforms) {
  const material = new THREE.ShaderMaterial({
    depthWrite: false, depthTest: false, lights: true, uniforms: THREE.UniformsUtils.clone(THREE.UniformsLib.lights),
    vertexShader: `
      #include <common>
      #include <shadowmap_pars_vertex>
      varying vec2 p;
      void main() {
        #include <beginnormal_vertex>
        #include <defaultnormal_vertex>
        #include <begin_vertex>
        #include <project_vertex>
        #include <worldpos_vertex>
        #include <shadowmap_vertex>
        p = (modelMatrix * vec4(position, 1.)).xy;
      }`,
    fragmentShader: `
      #include <common>
      #include <lights_pars_begin>
      #include <shadowmap_pars_fragment>
      #include <shadowmask_pars_fragment>
      varying vec2 p;
      uniform vec3 top, bottom, floorColour, line;
      uniform vec2 resolution, centre;
      uniform float reach, cell, coverSize;
      uniform sampler2D cover;
      float lines(float size) { vec2 g = p / size, w = fwidth(g), d = abs(fract(g - .5) - .5) / w;
        return (1. - min(min(d.x, d.y), 1.)) * (1. - smoothstep(.05, .3, max(w.x, w.y))); }
      void main() {
        float away = length(p - centre) / reach, there = 1. - smoothstep(1.2, 5., away);
        vec2 uv = vec2(1, -1) * (p - centre) / coverSize + .5; // seen from below
        float hidden = all(lessThan(abs(uv - .5), vec2(.5))) ? texture2D(cover, uv).r : 0.;
        float shadow = there * (1. - (1. - .46 * (1. - getShadowMask())) * (1. - .60 * hidden));
        gl_FragColor = vec4(mix(${SKY}, mix(floorColour, line, lines(cell)), there) * (1. - shadow), 1.);
        #include <colorspace_fragment>
      }`,
  });
  Object.assign(material.uniforms, uniforms);
  const ground = new THREE.Mesh(new THREE.CircleGeometry(1, 96), material);
  ground.receiveShadow = true;
  ground.renderOrder = -1;
  return ground;
}

const blurShader = (step) => `uniform sampler2D from; varying vec2 vUv; void main() { float sum = 0., count = 0.;
  for (int i = -12; i <= 12; i++) { float w = exp(-float(i * i) / 60.); sum += w * texture2D(from, vUv + float(i) / 256. * vec2(${step})).r; count += w; }
  gl_FragColor = vec4(vec3(sum / count), 1.); }`;

const FINE = 256, COARSE = 96, LAG = 150; // pixels of its map; ms by which a coarse one may be late

// The part of the sky that things near the ground hide from it: what is above, fainter with its height, and blurred.
export class Cover {
  constructor(renderer) {
    this.renderer = renderer;
    this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
    const target = () => new THREE.WebGLRenderTarget(FINE, FINE, { depthBuffer: true });
    [this.first, this.second] = [target(), target()];
    this.material = new THREE.ShaderMaterial({
      side: THREE.DoubleSide, vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.); }',
      fragmentShader: 'void main() { float z = 1. - gl_FragCoord.z; gl_FragColor = vec4(vec3(z * z), 1.); }' });
    const vertexShader = 'varying vec2 vUv; void main() { vUv = uv; gl_Position = vec4(position.xy, 0., 1.); }';
    this.quads = ['1, 0', '0, 1'].map((step, i) => new FullScreenQuad(new THREE.ShaderMaterial({ vertexShader, fragmentShader: blurShader(step), depthTest: false, depthWrite: false,
      uniforms: { from: { value: [this.first, this.second][i].texture } } })));
  }

  get texture() { return this.first.texture; }

  setCoarse(on) {
    Object.assign(this, { coarse: on, drawn: -Infinity });
    for (const target of [this.first, this.second]) target.setSize(on ? COARSE : FINE, on ? COARSE : FINE);
  }

  // From the ground at z, looking up.
  place(centre, z, size, height) {
    Object.assign(this.camera, { left: -size / 2, right: size / 2, top: size / 2, bottom: -size / 2, near: 0, far: height });
    this.camera.position.set(centre.x, centre.y, z - 1e-3 * height);
    this.camera.up.set(0, -1, 0);
    this.camera.lookAt(centre.x, centre.y, z + height);
    this.camera.updateProjectionMatrix();
  }

  // Coarse, it is not drawn for every picture.
  follow(scene, hidden) {
    const now = performance.now();
    if (this.coarse && now - this.drawn < LAG) return;
    this.drawn = now;
    this.update(scene, hidden);
  }

  update(scene, hidden) {
    const { renderer } = this, shown = hidden.filter((object) => object.visible), { shadowMap } = renderer, automatic = shadowMap.autoUpdate;
    for (const object of shown) object.visible = false;
    shadowMap.autoUpdate = false;
    scene.overrideMaterial = this.material;
    renderer.setClearColor('#000');
    renderer.setRenderTarget(this.first);
    renderer.clear();
    renderer.render(scene, this.camera);
    scene.overrideMaterial = null;
    for (const object of shown) object.visible = true;
    shadowMap.autoUpdate = automatic;
    renderer.setRenderTarget(this.second);
    this.quads[0].render(renderer);
    renderer.setRenderTarget(this.first);
    this.quads[1].render(renderer);
    renderer.setRenderTarget(null);
  }
}
