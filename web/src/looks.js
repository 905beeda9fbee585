// Light on surfaces: the sun with its shadow, the sky and what hides it, and the looks of materials. Stills have the same
// (src/record/render_light.c), with the same numbers.
import * as THREE from 'three';

export const LOOKS = { plain: 0, rope: 1, steel: 2, rubber: 3, wood: 4, hair: 5 };

// Values that all surfaces share: the theme, the light, the ground, and the part of the sky that each pixel sees.
export class Environment {
  constructor() {
    const colour = () => ({ value: new THREE.Color() });
    const white = new THREE.DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
    white.needsUpdate = true;
    this.uniforms = {
      key: colour(), sky: colour(), below: colour(), zenith: colour(), horizon: colour(), low: colour(),
      least: { value: 0 }, sunward: { value: new THREE.Vector3(0, 0, 1) }, ground: { value: 0 }, reach: { value: 1 }, hasGround: { value: true },
      openness: { value: white }, resolution: { value: new THREE.Vector2(1, 1) }, slope: { value: 1 },
    };
    Object.assign(this, { white, least: 0, lifted: true });
  }

  setTheme(colours) {
    for (const name of ['key', 'sky', 'below', 'zenith', 'horizon', 'low']) this.uniforms[name].value.setRGB(...colours[name]);
    this.least = colours.least;
    this.setLifted(this.lifted);
  }

  // Whether dark colours are made lighter in the dark theme; those of a scale stay as they are.
  setLifted(on) {
    this.lifted = on;
    this.uniforms.least.value = on ? this.least : 0;
  }

  // `striped`: whether it has a stripe along the first director; `vertexColors`: one of each vertex instead of one for all.
  material({ look = 'plain', vertexColors = false, side = THREE.FrontSide } = {}) {
    const material = new THREE.ShaderMaterial({
      vertexColors, side, lights: true, vertexShader, fragmentShader,
      uniforms: THREE.UniformsUtils.clone(THREE.UniformsLib.lights), defines: { LOOK: LOOKS[look] ?? 0 },
    });
    Object.assign(material.uniforms, this.uniforms,
      { colour: { value: new THREE.Color('#888') }, striped: { value: false }, radius: { value: 1 }, checker: { value: 0 } });
    material.color = material.uniforms.colour.value;
    return material;
  }
}

const vertexShader = `
#include <common>
#include <shadowmap_pars_vertex>
attribute vec3 own, along;
varying vec3 vPosition, vNormal, vAlong, vOwn, vColour;
uniform vec3 colour;
void main() {
  #include <beginnormal_vertex>
  #include <defaultnormal_vertex>
  #include <begin_vertex>
  #include <project_vertex>
  #include <worldpos_vertex>
  #include <shadowmap_vertex>
  vPosition = (modelMatrix * vec4(position, 1.)).xyz;
  vNormal = mat3(modelMatrix) * normal;
  vAlong = mat3(modelMatrix) * along;
  vOwn = own;
  vColour = colour;
  #ifdef USE_COLOR
  vColour = color;
  #endif
}`;

const fragmentShader = `
#include <common>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
varying vec3 vPosition, vNormal, vAlong, vOwn, vColour;
uniform vec3 key, sky, below, zenith, horizon, low, sunward;
uniform float ground, reach, slope, radius, checker, least;
uniform bool hasGround, striped;
uniform sampler2D openness;
uniform vec2 resolution;

float hash(vec3 p) { p = fract(p * .3183099 + .1); p *= 17.; return fract(p.x * p.y * p.z * (p.x + p.y + p.z)); }
float noise(vec3 x) {
  vec3 i = floor(x), f = fract(x);
  f = f * f * (3. - 2. * f);
  return mix(mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
             mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x), mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}

// The sky, the horizon and the ground in a direction, and a wide soft light where the sun is.
vec3 reflected(vec3 r) {
  vec3 c = mix(horizon, zenith, smoothstep(0., .75, r.z));
  return mix(c, low, 1. - smoothstep(-.35, .05, r.z)) + .55 * smoothstep(.72, .97, dot(r, sunward));
}

void main() {
  vec3 n = normalize(vNormal), albedo = vColour, eye = cameraPosition - vPosition, view = normalize(eye);
  if (dot(n, view) < -.3) n = -n; // a sheet, from behind
  albedo += max(least - dot(albedo, vec3(.2126, .7152, .0722)), 0.);
  float pixels = radius / (length(eye) * slope), groove = 1., gloss = .16, fresnel = 1., metal = 0.;
  // Of a plane: one of the first two of its own coordinates is its thickness, 0.
  if (checker > 0.) { vec2 q = floor(vec2(vOwn.x + vOwn.y, vOwn.z) * checker); if (mod(q.x + q.y, 2.) > .5) albedo *= .9; }
  if (striped && dot(vOwn.xy, vOwn.xy) > .1) {
    float side = abs(vOwn.y);
    if (vOwn.x > 0. && side < .30) albedo = mix(albedo, vec3(.93, .89, .79), .62);
    if (vOwn.x < 0. && side < .18) albedo *= .42;
  }
#if LOOK == 1
  // Three strands in a right-handed lay of 9 radii, each a round bulge across its direction, and yarns in them.
  gloss = 0.; fresnel = .15;
  float shown = smoothstep(1.3, 3., pixels) * step(.1, dot(vOwn.xy, vOwn.xy));
  float phase = 3. * (atan(vOwn.y, vOwn.x) / 6.2831853 - vOwn.z / 9.), u = phase - floor(phase + .5);
  vec3 t = normalize(vAlong + 1e-9), around = cross(t, n), over = -.82 * around - .57 * t;
  float yarn = .16 * smoothstep(5., 14., pixels) * sin(6.2831853 * (5. * u + 1.1 * vOwn.z));
  n = normalize(n + shown * (2. * u + yarn) * over);
  groove = 1. - shown * .6 * smoothstep(.30, .5, abs(u));
  albedo *= 1. + .35 * yarn * shown;
#elif LOOK == 2
  gloss = .5; metal = 1.; fresnel = 0.;
#elif LOOK == 3
  gloss = .035; fresnel = .35;
#elif LOOK == 4
  gloss = .10; fresnel = .5;
  float waves = .9 * noise(vec3(1.3, 1.3, .35) * vOwn);
  float rings = 5.5 * sqrt((vOwn.x + .7) * (vOwn.x + .7) + .35 * vOwn.y * vOwn.y) + 2.2 * waves, late = fract(rings);
  float dark = .34 * late * late + .16 * noise(vec3(26., 26., 1.6) * vOwn);
  albedo *= 1.1 - smoothstep(1.5, 4., pixels) * dark * vec3(.8, 1.05, 1.3);
#elif LOOK == 5
  fresnel = .4; gloss = 0.;
#endif
  vec3 halfway = normalize(view + sunward);
  float towards = dot(n, sunward), lit = 0., glint = 0.;
  if (towards > 0.) {
    float reaching = getShadowMask() * (.4 + .6 * groove);
    lit = towards * reaching;
    glint = gloss * pow(max(dot(n, halfway), 0.), 32.) * reaching;
  }
  float facing = max(dot(n, view), 0.), edge = 1. - facing, up = .5 + .5 * n.z;
  float above = max(vPosition.z - ground, 0.) / (.12 * reach);
  float near = texture2D(openness, gl_FragCoord.xy / resolution).r * groove * (hasGround ? 1. - .30 * exp(-above * above) : 1.);
  vec3 light = key * lit + near * mix(below, sky, up);
  vec3 c = (1. - .8 * metal) * albedo * light + glint + fresnel * .10 * edge * edge * edge * up * near * sky;
#if LOOK == 5
  // Kajiya and Kay's highlight of a fibre, twice: from its surface, and a wider one of its colour.
  float cosine = dot(normalize(vAlong + 1e-9), halfway), wide = pow(max(1. - cosine * cosine, 0.), 8.);
  c += max(lit, .25 * near) * (.16 * pow(wide, 8.) + .55 * wide * albedo);
#endif
  if (metal > 0.) {
    vec3 tint = mix(albedo, vec3(1.), pow(edge, 5.));
    c += .85 * tint * reflected(2. * facing * n - view) * near * (.35 + .65 * max(lit, up));
  }
  gl_FragColor = vec4(min(c, 1.), 1.);
  #include <colorspace_fragment>
}`;
