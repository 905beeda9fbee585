// The surface of a strand: its cross-section swept along some of the rings of the centreline.
import * as THREE from 'three';

export class Surface {
  // Every `along`-th ring and the last one; sweeps of `outer` and perhaps `inner` points; `ends`: whether it has caps.
  constructor(line, { outer, inner }, along, ends) {
    Object.assign(this, { line, along, rings: Math.ceil((line.rings - 1) / along) + 1, count: 0, caps: [] });
    this.sweeps = [{ points: outer, inside: false }];
    if (inner) this.sweeps.push({ points: inner, inside: true });
    this.half = ['a', 'b'].map((k) => Math.max(...outer.map((p) => Math.abs(p[k]))) || 1);
    const own = [], index = [];
    for (const sweep of this.sweeps) {
      sweep.start = this.count;
      for (let i = 0; i < this.rings; i++) for (const p of sweep.points) own.push(sweep.inside ? 0 : p.a / this.half[0], sweep.inside ? 0 : p.b / this.half[1], 0);
      this.count += this.rings * sweep.points.length;
    }
    if (ends && !line.closed) this.addCaps(own, outer, inner ?? outer.map((p) => ({ ...p, a: 0, b: 0 })));
    this.addTriangles(index);
    this.makeGeometry(own, index);
  }

  // The two ends: the outline with a middle point, or with the inner outline.
  addCaps(own, outer, inner) {
    for (const end of [0, 1]) {
      this.caps.push({ end, start: this.count, outer, inner });
      for (let m = 0; m < 2 * outer.length; m++) own.push(0, 0, 0);
      this.count += 2 * outer.length;
    }
  }

  addTriangles(index) {
    for (const { points: { length: n }, start, inside } of this.sweeps) {
      for (let i = 0; i + 1 < this.rings; i++) {
        for (let m = 0; m + 1 < n; m++) {
          const a = start + i * n + m, b = a + n, c = a + 1, d = b + 1;
          if (inside) index.push(a, b, c, c, b, d);
          else index.push(a, c, b, c, d, b);
        }
      }
    }
    for (const { end, start, outer: { length: n } } of this.caps) {
      for (let m = start; m + 1 < start + n; m++) {
        if (end) index.push(m, m + 1, m + n, m + 1, m + 1 + n, m + n);
        else index.push(m, m + n, m + 1, m + 1, m + n, m + 1 + n);
      }
    }
  }

  makeGeometry(own, index) {
    const geometry = new THREE.BufferGeometry();
    const attribute = (size) => new THREE.BufferAttribute(new Float32Array(size * this.count), size).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute('position', attribute(3));
    geometry.setAttribute('normal', attribute(3));
    geometry.setAttribute('color', attribute(3));
    geometry.setAttribute('own', new THREE.BufferAttribute(new Float32Array(own), 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('along', attribute(3));
    geometry.setIndex(index);
    this.geometry = geometry;
  }

  // The ring of the centreline that is its i-th.
  ring(i) { return Math.min(i * this.along, this.line.rings - 1); }

  // `scale`: of its thickness.
  update(scale) {
    const { position, normal } = this.geometry.attributes;
    for (const sweep of this.sweeps) this.sweepOut(sweep, scale, position.array, normal.array);
    for (const cap of this.caps) this.closeEnd(cap, scale, position.array, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
  }

  sweepOut({ points, start, inside }, scale, position, normal) {
    const { positions, tangents: t, directors: d } = this.line, sign = inside ? -1 : 1;
    let at = 3 * start;
    for (let i = 0; i < this.rings; i++) {
      const o = 3 * this.ring(i), dx = d[o], dy = d[o + 1], dz = d[o + 2];
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
  followFibres(radius) {
    const { positions: x, tangents: t } = this.line, { along, own } = this.geometry.attributes;
    let length = 0;
    for (let i = 0, ring = 0; i < this.rings; i++) {
      for (const to = this.ring(i); ring < to; ring++) length += Math.hypot(x[3 * ring + 3] - x[3 * ring], x[3 * ring + 4] - x[3 * ring + 1], x[3 * ring + 5] - x[3 * ring + 2]) / radius;
      for (const { points, start } of this.sweeps) {
        for (let m = 0, at = 3 * (start + i * points.length); m < points.length; m++, at += 3) {
          for (let k = 0; k < 3; k++) along.array[at + k] = t[3 * ring + k];
          own.array[at + 2] = length;
        }
      }
    }
    along.needsUpdate = own.needsUpdate = true;
  }

  closeEnd({ end, start, outer, inner }, scale, position, normal) {
    const { positions, tangents: t, directors: d, rings } = this.line;
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
      for (let i = 0; i < this.rings; i++) {
        at(this.ring(i));
        fill(start + i * points.length, points.length);
      }
    }
    for (const cap of this.caps) {
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
