// The sky, and the ground with its grid and shadows: the same as of stills
// (src/record/render_ground.c).
import * as THREE from 'three';

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

// A disc that fades into the sky, with the shadows of a GroundShadows. It is drawn before everything else, and hides nothing.
export function makeGround(uniforms, { sun, sky }) {
  const material = new THREE.ShaderMaterial({
    depthWrite: false, depthTest: false,
    uniforms: { ...uniforms, sunNear: sun.uniforms.near, sunFar: sun.uniforms.far, sunMap: sun.uniforms.map, skyNear: sky.uniforms.near, skyFar: sky.uniforms.far, skyMap: sky.uniforms.map },
    vertexShader: `
      varying vec2 p;
      void main() {
        vec4 world = modelMatrix * vec4(position, 1.);
        p = world.xy;
        gl_Position = projectionMatrix * viewMatrix * world;
      }`,
    fragmentShader: `
      varying vec2 p;
      uniform vec3 top, bottom, floorColour, line, sunMap, skyMap;
      uniform vec2 resolution, centre;
      uniform float reach, cell;
      uniform sampler2D sunNear, sunFar, skyNear, skyFar;
      float lines(float size) { vec2 g = p / size, w = fwidth(g), d = abs(fract(g - .5) - .5) / w;
        return (1. - min(min(d.x, d.y), 1.)) * (1. - smoothstep(.05, .3, max(w.x, w.y))); }
      // The part of a light that is hidden.
      float hidden(sampler2D near, sampler2D far, vec3 map) {
        vec2 uv = (p - map.xy) * map.z;
        return all(lessThan(abs(uv - .5), vec2(.5))) ? min(texture2D(near, uv).r + texture2D(far, uv).r, 1.) : 0.;
      }
      void main() {
        float away = length(p - centre) / reach, there = 1. - smoothstep(1.2, 5., away);
        float shadow = there * (1. - (1. - .46 * hidden(sunNear, sunFar, sunMap)) * (1. - .60 * hidden(skyNear, skyFar, skyMap)));
        gl_FragColor = vec4(mix(${SKY}, mix(floorColour, line, lines(cell)), there) * (1. - shadow), 1.);
        #include <colorspace_fragment>
      }`,
  });
  const ground = new THREE.Mesh(new THREE.CircleGeometry(1, 96), material);
  ground.renderOrder = -1;
  return ground;
}
