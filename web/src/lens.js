// Depth of field: while the picture stands still, the mean of pictures from points of a lens, as in stills (src/record/render.c,
// draw_through_lens()). What is at the point that the camera turns about is sharp.
import * as THREE from 'three';

const POINTS = 40;
const VERTEX = 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0., 1.); }';
const FRAGMENT = 'uniform sampler2D picture; uniform float part; varying vec2 at; void main() { gl_FragColor = vec4(texture2D(picture, at).rgb, part); }';

export class Lens {
  constructor(renderer) {
    Object.assign(this, { renderer, aperture: 0, count: POINTS });
    this.uniforms = { picture: { value: null }, part: { value: 1 } };
    const material = new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });
    this.quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
    this.quad.frustumCulled = false;
    this.camera = new THREE.Camera();
  }

  get waiting() { return this.aperture > 0 && this.count < POINTS; }

  // The view has changed.
  restart() { this.count = 0; }

  // One point more.
  add(scene, camera, target) {
    const { renderer, count } = this, away = 0.5 * this.aperture * Math.sqrt((count + 0.5) / POINTS), angle = 2.399963 * count;
    this.fit();
    this.look(scene, camera, target, away * Math.cos(angle), away * Math.sin(angle));
    renderer.copyFramebufferToTexture(this.copy);
    renderer.autoClear = false;
    renderer.setRenderTarget(this.mean);
    this.lay(this.copy, 1 / (count + 1));
    renderer.setRenderTarget(null);
    this.lay(this.mean.texture, 1);
    renderer.autoClear = true;
    this.count++;
  }

  fit() {
    const { width, height } = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    if (this.mean?.width === width && this.mean.height === height) return;
    this.mean?.dispose();
    this.copy?.dispose();
    this.mean = new THREE.WebGLRenderTarget(width, height, { type: THREE.HalfFloatType, depthBuffer: false });
    this.copy = new THREE.FramebufferTexture(width, height);
  }

  // The eye moves to the right and up, by these parts of the distance in focus; what is in focus stays where it is on the picture.
  look(scene, camera, target, right, up) {
    const distance = camera.position.distanceTo(target), { position, projectionMatrix } = camera, before = position.clone(), projection = projectionMatrix.clone();
    position.addScaledVector(new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0), distance * right)
      .addScaledVector(new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1), distance * up);
    projectionMatrix.elements[8] -= projection.elements[0] * right;
    projectionMatrix.elements[9] -= projection.elements[5] * up;
    camera.projectionMatrixInverse.copy(projectionMatrix).invert();
    camera.updateMatrixWorld();
    this.renderer.render(scene, camera);
    position.copy(before);
    projectionMatrix.copy(projection);
    camera.projectionMatrixInverse.copy(projection).invert();
    camera.updateMatrixWorld();
  }

  // Over what is there, with this opacity.
  lay(picture, part) {
    this.uniforms.picture.value = picture;
    this.uniforms.part.value = part;
    this.renderer.render(this.quad, this.camera);
  }
}
