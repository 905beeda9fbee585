// A strand as a solid: its cross-section swept along the centreline.
import * as THREE from 'three';
import { Centreline } from './centreline.js';
import { castsWider } from './ground_shadow.js';
import { outline, halfThickness } from './section.js';

const MOST_VERTICES = 100000; // of all strands together, about
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
    const segments = Math.max(6, Math.min(20, Math.floor(MOST_VERTICES / rings)));
    const drawn = this.thickness > 0 ? strand : { ...strand, section: 'circle', radius: [1e-6, 0] };
    const shape = outline(drawn, segments);
    this.sweeps = [{ points: shape.outer, inside: false }];
    if (shape.inner) this.sweeps.push({ points: shape.inner, inside: true });
    this.makeGeometry();
    this.look = strand.look ?? 'plain';
    this.material = environment.material({ look: this.look, vertexColors: true });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    castsWider(this.mesh, false);
    this.mesh.frustumCulled = false;
  }

  // Of smooth strands: the other looks show the rotation of the section themselves, or have none.
  setStripe(on) { this.material.uniforms.striped.value = on && ['plain', 'rubber'].includes(this.look); }

  makeGeometry() {
    const { rings } = this.line, index = [], own = [];
    const outer = this.sweeps[0].points, half = ['a', 'b'].map((k) => Math.max(...outer.map((p) => Math.abs(p[k]))) || 1);
    this.half = Math.min(...half);
    let count = 0;
    for (const sweep of this.sweeps) {
      sweep.start = count;
      const n = sweep.points.length;
      for (let i = 0; i < rings; i++) for (const p of sweep.points) own.push(sweep.inside ? 0 : p.a / half[0], sweep.inside ? 0 : p.b / half[1], 0);
      count += rings * n;
    }
    if (!this.line.closed) count = this.addCaps(own, count);
    this.parts = [1, 2].map((stride) => { // fine, coarse
      const start = index.length;
      this.addTriangles(index, stride);
      return { start, count: index.length - start };
    });
    this.count = count;
    const geometry = new THREE.BufferGeometry();
    const attribute = (size) => new THREE.BufferAttribute(new Float32Array(size * count), size).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute('position', attribute(3));
    geometry.setAttribute('normal', attribute(3));
    geometry.setAttribute('color', attribute(3));
    geometry.setAttribute('own', new THREE.BufferAttribute(new Float32Array(own), 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('along', attribute(3));
    geometry.setIndex(index);
    this.geometry = geometry;
  }

  // Of every ring and point, or of every second one, with the last one and without leaving out vertices or corners.
  addTriangles(index, stride) {
    const { rings, division } = this.line, along = division % stride === 0 ? stride : 1, around = this.strand.section === 'rectangle' ? 1 : stride;
    for (const { points, start, inside } of this.sweeps) {
      const n = points.length;
      for (let i = 0; i + 1 < rings; i += along) {
        for (let m = 0; m + 1 < n; m += around) {
          const a = start + i * n + m, c = start + i * n + Math.min(m + around, n - 1), b = a + along * n, d = c + along * n;
          if (inside) index.push(a, b, c, c, b, d);
          else index.push(a, c, b, c, d, b);
        }
      }
    }
    for (const { end, start, outer: { length: n } } of this.caps ?? []) {
      for (let m = 0; m + 1 < n; m += around) {
        const a = start + m, c = start + Math.min(m + around, n - 1);
        if (end) index.push(a, c, a + n, c, c + n, a + n);
        else index.push(a, a + n, c, c, a + n, c + n);
      }
    }
  }

  setCoarse(on) { this.geometry.setDrawRange(this.parts[on ? 1 : 0].start, this.parts[on ? 1 : 0].count); }

  // The two ends: the outline with a middle point, or with the inner outline.
  addCaps(own, count) {
    this.caps = [];
    const outer = this.sweeps[0].points, inner = this.sweeps[1]?.points ?? outer.map((p) => ({ ...p, a: 0, b: 0 }));
    for (const end of [0, 1]) {
      const n = outer.length;
      this.caps.push({ end, start: count, outer, inner });
      for (let m = 0; m < 2 * n; m++) own.push(0, 0, 0);
      count += 2 * n;
    }
    return count;
  }

  update(frame, part, colours) {
    this.line.update(frame, part);
    const position = this.geometry.attributes.position, normal = this.geometry.attributes.normal;
    for (const sweep of this.sweeps) this.sweepOut(sweep, position.array, normal.array);
    for (const cap of this.caps ?? []) this.closeEnd(cap, position.array, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
    if (FIBROUS.includes(this.look)) this.followFibres();
    this.material.uniforms.radius.value = this.half * this.scale;
    this.colour(colours);
  }

  sweepOut({ points, start, inside }, position, normal) {
    const { positions, tangents: t, directors: d, rings } = this.line, { scale } = this, sign = inside ? -1 : 1;
    let at = 3 * start;
    for (let i = 0; i < rings; i++) {
      const o = 3 * i, dx = d[o], dy = d[o + 1], dz = d[o + 2];
      const ex = t[o + 1] * dz - t[o + 2] * dy, ey = t[o + 2] * dx - t[o] * dz, ez = t[o] * dy - t[o + 1] * dx;
      for (let m = 0; m < points.length; m++, at += 3) {
        const p = points[m], a = scale * p.a, b = scale * p.b, na = sign * p.na, nb = sign * p.nb;
        position[at] = positions[o] + a * dx + b * ex;
        position[at + 1] = positions[o + 1] + a * dy + b * ey;
        position[at + 2] = positions[o + 2] + a * dz + b * ez;
        normal[at] = na * dx + nb * ex;
        normal[at + 1] = na * dy + nb * ey;
        normal[at + 2] = na * dz + nb * ez;
      }
    }
  }

  // The direction along the strand, and the length from its start over its radius, which the relief follows.
  followFibres() {
    const { positions: x, tangents: t, rings } = this.line, { along, own } = this.geometry.attributes, radius = this.half * this.scale;
    let length = 0;
    for (let i = 0; i < rings; i++) {
      if (i > 0) length += Math.hypot(x[3 * i] - x[3 * i - 3], x[3 * i + 1] - x[3 * i - 2], x[3 * i + 2] - x[3 * i - 1]) / radius;
      for (const { points, start } of this.sweeps) {
        for (let m = 0, at = 3 * (start + i * points.length); m < points.length; m++, at += 3) {
          for (let k = 0; k < 3; k++) along.array[at + k] = t[3 * i + k];
          own.array[at + 2] = length;
        }
      }
    }
    along.needsUpdate = own.needsUpdate = true;
  }

  closeEnd({ end, start, outer, inner }, position, normal) {
    const { positions, tangents: t, directors: d, rings } = this.line, { scale } = this;
    const o = end ? 3 * (rings - 1) : 0, sign = end ? 1 : -1;
    const e = [t[o + 1] * d[o + 2] - t[o + 2] * d[o + 1], t[o + 2] * d[o] - t[o] * d[o + 2], t[o] * d[o + 1] - t[o + 1] * d[o]];
    let at = 3 * start;
    for (const points of [outer, inner]) {
      for (const p of points) {
        for (let k = 0; k < 3; k++) {
          position[at + k] = positions[o + k] + scale * (p.a * d[o + k] + p.b * e[k]);
          normal[at + k] = sign * t[o + k];
        }
        at += 3;
      }
    }
  }

  // `colours`: 3 per vertex of the strand; in between they are mixed.
  colour(colours) {
    if (this.coloured && same(this.coloured, colours)) return;
    this.coloured = colours.slice();
    const out = this.geometry.attributes.color.array, { division, rings, vertices } = this.line;
    let red = 0, green = 0, blue = 0;
    const at = (ring) => {
      const i = Math.floor(ring / division), part = ring / division - i;
      const a = 3 * (i % vertices), b = part > 0 ? 3 * ((i + 1) % vertices) : a;
      red = colours[a] + part * (colours[b] - colours[a]);
      green = colours[a + 1] + part * (colours[b + 1] - colours[a + 1]);
      blue = colours[a + 2] + part * (colours[b + 2] - colours[a + 2]);
    };
    const fill = (start, n) => {
      for (let k = 3 * start; k < 3 * (start + n);) {
        out[k++] = red;
        out[k++] = green;
        out[k++] = blue;
      }
    };
    for (const { points, start } of this.sweeps) {
      for (let i = 0; i < rings; i++) {
        at(i);
        fill(start + i * points.length, points.length);
      }
    }
    for (const cap of this.caps ?? []) {
      at(cap.end ? rings - 1 : 0);
      fill(cap.start, 2 * cap.outer.length);
    }
    this.geometry.attributes.color.needsUpdate = true;
  }
}

function same(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
