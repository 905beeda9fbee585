// A strand in the picture: a fine surface, and one for motion that is as coarse as it may be.
import * as THREE from 'three';
import { Centreline } from './centreline.js';
import { castsWider } from './ground_shadow.js';
import { outline, halfThickness } from './section.js';
import { Surface } from './surface.js';

const MOST_VERTICES = 100000; // of all strands together, about
const RING_PIXELS = 6, LEAST_RINGS = 12, THREAD = 1.5; // of coarse pictures: px between rings, rings, px of radius
const FIBROUS = ['rope', 'wood', 'hair'];

export class Tube {
  constructor(recording, index, environment) {
    const strand = recording.scene.strands[index];
    this.strand = strand;
    this.index = index;
    this.line = new Centreline(recording, index);
    this.thickness = halfThickness(strand);
    this.scale = 1;
    const rings = recording.scene.strands.reduce((sum, s) => sum + s.edges * this.line.division + 1, 0);
    this.segments = Math.max(6, Math.min(20, Math.floor(MOST_VERTICES / rings)));
    this.surface = this.fine = new Surface(this.line, this.outline(this.segments), 1, true);
    this.half = Math.min(...this.fine.half);
    this.look = strand.look ?? 'plain';
    this.material = environment.material({ look: this.look, vertexColors: true });
    this.mesh = new THREE.Mesh(this.fine.geometry, this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    castsWider(this.mesh, false);
    this.mesh.frustumCulled = false;
  }

  outline(segments) { return outline(this.thickness > 0 ? this.strand : { ...this.strand, section: 'circle', radius: [1e-6, 0] }, segments); }

  // Of smooth strands: the other looks show the rotation of the section themselves, or have none.
  setStripe(on) { this.material.uniforms.striped.value = on && ['plain', 'rubber'].includes(this.look); }

  // `pixel`: the size of a pixel of the picture, m, for which the surface is fine enough; 0: as fine as can be.
  setCoarse(pixel) {
    if (pixel > 0 && (!this.coarse || pixel < 0.7 * this.coarseFor || pixel > 1.4 * this.coarseFor)) {
      this.coarse?.geometry.dispose();
      this.coarse = this.coarseSurface(pixel);
      this.coarseFor = pixel;
    }
    const surface = pixel > 0 ? this.coarse : this.fine;
    if (surface === this.surface) return;
    this.surface = surface;
    this.mesh.geometry = surface.geometry;
    if (this.colours) this.draw();
  }

  // Rings some pixels apart; the thicker, the more corners, and a thread has three and no ends.
  coarseSurface(pixel) {
    const radius = this.thickness * this.scale / pixel, corners = radius < THREAD ? 3 : Math.min(this.segments, Math.round(3 + 2.5 * Math.sqrt(radius)));
    const wished = Math.max(LEAST_RINGS, this.strand.length[0] / (RING_PIXELS * pixel));
    return new Surface(this.line, this.outline(corners), Math.max(1, Math.floor((this.line.rings - 1) / wished)), radius >= THREAD);
  }

  update(frame, part, colours) {
    this.line.update(frame, part);
    this.colours = colours;
    this.draw();
  }

  draw() {
    this.surface.update(this.scale);
    if (FIBROUS.includes(this.look)) this.surface.followFibres(this.half * this.scale);
    this.material.uniforms.radius.value = this.half * this.scale;
    this.surface.colour(this.colours);
  }

  // Surfaces that are not drawn now.
  dispose() {
    this.fine.geometry.dispose();
    this.coarse?.geometry.dispose();
  }
}
