// The centreline of a strand at a moment between two frames: smooth rings for the tube, with frames that
// twist evenly and otherwise turn as little as possible between vertices.
import { carry, cross, dot, normalize, turn } from './vectors.js';

const WISHED_RINGS = 3000, MOST_PARTS = 8; // of all strands together; of an edge

export class Centreline {
  constructor(recording, index) {
    const strand = recording.scene.strands[index];
    Object.assign(this, { recording, index, closed: strand.closed });
    this.vertices = strand.vertices;
    this.edges = strand.edges;
    const edges = recording.scene.strands.reduce((sum, s) => sum + s.edges, 0);
    this.division = Math.max(1, Math.min(MOST_PARTS, Math.round(WISHED_RINGS / edges)));
    this.rings = this.edges * this.division + 1;
    const numbers = (n) => new Float64Array(3 * n);
    this.x = numbers(this.vertices);
    this.edgeTangents = numbers(this.edges);
    this.edgeDirectors = numbers(this.edges);
    this.later = { x: numbers(this.vertices), t: numbers(this.edges), d: numbers(this.edges) };
    this.vertexTangents = numbers(this.vertices);
    this.vertexDirectors = numbers(this.vertices);
    this.positions = numbers(this.rings);
    this.tangents = numbers(this.rings);
    this.directors = numbers(this.rings);
  }

  // `part` of the way from `frame` to the next.
  update(frame, part) {
    const { recording, index } = this;
    recording.vertices(index, frame, this.x);
    recording.directors(index, frame, this.x, this.edgeTangents, this.edgeDirectors);
    if (part > 0) this.blend(frame + 1, part);
    this.frameVertices();
    this.makeRings();
  }

  blend(frame, part) {
    const { recording, index, later } = this;
    recording.vertices(index, frame, later.x);
    recording.directors(index, frame, later.x, later.t, later.d);
    mix(this.x, later.x, part);
    mix(this.edgeTangents, later.t, part);
    mix(this.edgeDirectors, later.d, part);
  }

  // At a vertex: half way between the edges that meet there.
  frameVertices() {
    const t = [0, 0, 0], d = [0, 0, 0];
    for (let i = 0; i < this.vertices; i++) {
      const after = Math.min(i, this.edges - 1);
      const before = i > 0 ? i - 1 : this.closed ? this.edges - 1 : 0;
      for (let k = 0; k < 3; k++) {
        t[k] = this.edgeTangents[3 * before + k] + this.edgeTangents[3 * after + k];
        d[k] = this.edgeDirectors[3 * before + k] + this.edgeDirectors[3 * after + k];
      }
      if (normalize(t) < 1e-9) copy(t, this.edgeTangents, after);
      across(d, t);
      if (normalize(d) < 1e-9) {
        copy(d, this.edgeDirectors, after);
        across(d, t);
        normalize(d);
      }
      this.vertexTangents.set(t, 3 * i);
      this.vertexDirectors.set(d, 3 * i);
    }
  }

  makeRings() {
    if (this.division === 1) {
      this.takeVertices();
      return;
    }
    const t0 = [0, 0, 0], t1 = [0, 0, 0], d0 = [0, 0, 0], d1 = [0, 0, 0];
    const side = [0, 0, 0], carried = [0, 0, 0], t = [0, 0, 0], position = [0, 0, 0];
    for (let j = 0, ring = 0; j < this.edges; j++) {
      const next = (j + 1) % this.vertices, last = j === this.edges - 1;
      copy(t0, this.vertexTangents, j);
      copy(t1, this.vertexTangents, next);
      copy(d0, this.vertexDirectors, j);
      copy(d1, this.vertexDirectors, next);
      for (let k = 0; k < 3; k++) carried[k] = d0[k];
      carry(carried, t0, t1);
      const twist = Math.atan2(dot(d1, cross(t1, carried, side)), dot(d1, carried));
      for (let m = 0; m < this.division + (last ? 1 : 0); m++, ring++) {
        const s = m / this.division;
        this.curve(j, next, s, t0, t1, position, t);
        for (let k = 0; k < 3; k++) carried[k] = d0[k];
        turn(carry(carried, t0, t), t, twist * s);
        this.positions.set(position, 3 * ring);
        this.tangents.set(t, 3 * ring);
        this.directors.set(carried, 3 * ring);
      }
    }
  }

  // Where edges are not divided, the rings are at the vertices.
  takeVertices() {
    for (const [to, from] of [[this.positions, this.x], [this.tangents, this.vertexTangents], [this.directors, this.vertexDirectors]]) {
      to.set(from);
      if (this.closed) to.copyWithin(3 * this.vertices, 0, 3);
    }
  }

  // A cubic between two vertices with their tangents (Hermite), whose speed is the chord.
  curve(j, next, s, t0, t1, position, t) {
    const { x } = this;
    let length = 0;
    for (let k = 0; k < 3; k++) length += (x[3 * next + k] - x[3 * j + k]) ** 2;
    length = Math.sqrt(length);
    const r = 1 - s;
    const h0 = r * r * (1 + 2 * s), h1 = s * s * (3 - 2 * s), g0 = s * r * r * length, g1 = -s * s * r * length;
    const c = 6 * s * r, e0 = r * (1 - 3 * s) * length, e1 = s * (3 * s - 2) * length;
    for (let k = 0; k < 3; k++) {
      const a = x[3 * j + k], b = x[3 * next + k];
      position[k] = h0 * a + h1 * b + g0 * t0[k] + g1 * t1[k];
      t[k] = c * (b - a) + e0 * t0[k] + e1 * t1[k];
    }
    if (normalize(t) === 0) for (let k = 0; k < 3; k++) t[k] = t0[k];
  }
}

function mix(a, b, part) {
  for (let i = 0; i < a.length; i++) a[i] += part * (b[i] - a[i]);
}

function copy(to, from, i) {
  for (let k = 0; k < 3; k++) to[k] = from[3 * i + k];
}

function across(d, t) {
  const along = dot(d, t);
  for (let k = 0; k < 3; k++) d[k] -= along * t[k];
}
