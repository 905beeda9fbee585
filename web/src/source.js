// The interface through which picture, colours and plots read a scene and its frames. Recording has the frames of a page,
// LiveSource those of a session. A subclass gives:
//
//   scene                               the description of the scene, as src/record/html_scene.c writes it
//   pixels                              of its images, red, green, blue and opacity, one array per file
//   live                                whether frames are added (and the oldest dropped) while it is shown
//   revision                            a number that grows whenever that happens
//   times                               of the frames, ascending
//   series[i]                           the values of series i, one per frame
//   vertices(strand, frame, out)        positions, 3 per vertex
//   directors(strand, frame, x, t, d)   tangents and first directors, 3 per edge, from the positions x of the frame
//   scalar(strand, name, frame, out)    values, 1 per vertex; null where the model does not have them
//   point(index, frame)                 { place, tangent, director } of a point that anchors and constraints refer to
//   attached(constraint, frame)         whether a constraint acts
//   body(index, frame)                  { place, turn }, a quaternion with its real part last
//   contacts(frame)                     [{ place, normal, force, sticks }]
//   prepare(frame)                      it is about to be shown: a source whose frames are elsewhere asks for it

const SAMPLED_FRAMES = 40;

export class Source {
  constructor(scene) {
    Object.assign(this, { scene, pixels: [], live: false, revision: 0, times: [], series: scene.series.map(() => []) });
  }

  get frames() { return this.times.length; }
  get start() { return this.times[0] ?? 0; }
  get end() { return this.times[this.frames - 1] ?? 0; }

  // The frame at or before a time.
  frameAt(time) {
    let low = 0, high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }

  prepare() {}

  // Some `most` values of a scalar, from frames spread over all of them and from all strands.
  sample(name, most) {
    const { strands } = this.scene, out = [];
    const count = Math.min(this.frames, SAMPLED_FRAMES);
    const total = strands.reduce((sum, s) => sum + s.vertices, 0) * count;
    const stride = Math.max(1, Math.floor(total / most)) | 1, values = new Float64Array(Math.max(1, ...strands.map((s) => s.vertices)));
    for (let m = 0; m < count; m++) {
      const frame = count > 1 ? Math.round(m / (count - 1) * (this.frames - 1)) : 0;
      strands.forEach((strand, i) => {
        if (!this.scalar(i, name, frame, values)) return;
        for (let v = (m * 7) % stride; v < strand.vertices; v += stride) out.push(values[v]);
      });
    }
    return out;
  }

  // The least and the largest value of a scalar of one strand.
  span(strand, name) {
    const values = new Float64Array(this.scene.strands[strand].vertices);
    let low = Infinity, high = -Infinity;
    for (let frame = 0; frame < this.frames; frame++) {
      if (!this.scalar(strand, name, frame, values)) continue;
      for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    return low <= high ? { low, high } : null;
  }
}
