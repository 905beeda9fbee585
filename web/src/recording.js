// A recording in the page: the description of the scene, and frames in chunks. See src/record/html.c.
import { Source } from './source.js';
import { inflate, Reader } from './unpack.js';
import { anyNormal, carry, normalize, turn } from './vectors.js';

const TURN = 512;

export class Recording extends Source {
  constructor(scene) {
    super(scene);
    this.chunks = [];
    this.chunkOf = []; // per frame
  }

  async add(base64) {
    this.addBytes(await inflate(base64));
  }

  addBytes(bytes) {
    const chunk = readChunk(bytes, this.scene, this.frames);
    this.chunks.push(chunk);
    for (let f = 0; f < chunk.frames; f++) {
      this.times.push(chunk.times[f]);
      this.chunkOf.push(chunk);
      this.series.forEach((series, i) => series.push(chunk.series[i][f]));
    }
  }

  vertices(strand, frame, out) {
    const chunk = this.chunkOf[frame], data = chunk.strands[strand];
    const count = this.scene.strands[strand].vertices, start = (frame - chunk.first) * count;
    for (let axis = 0; axis < 3; axis++) {
      const origin = data.origin[axis], values = data.axes[axis];
      for (let i = 0; i < count; i++) out[3 * i + axis] = origin + data.step * values[start + i];
    }
    return out;
  }

  // Tangent and first director of each edge, from the frame's vertices (in double precision).
  directors(strand, frame, x, tangents, directors) {
    const chunk = this.chunkOf[frame], data = chunk.strands[strand];
    const { edges, vertices } = this.scene.strands[strand];
    const start = (frame - chunk.first) * edges;
    let t = [0, 0, 1], e = [0, 0, 0];
    const u = [0, 0, 0], d = [0, 0, 0], last = [0, 0, 0];
    for (let j = 0; j < edges; j++) {
      const next = (j + 1) % vertices;
      for (let k = 0; k < 3; k++) {
        e[k] = x[3 * next + k] - x[3 * j + k];
        last[k] = t[k];
      }
      if (normalize(e) > 0) [t, e] = [e, t]; // where vertices coincide it goes on as before
      if (j === 0) anyNormal(t, u); else carry(u, last, t);
      for (let k = 0; k < 3; k++) d[k] = u[k];
      if (data.angles) turn(d, t, 2 * Math.PI * data.angles[start + j] / TURN);
      for (let k = 0; k < 3; k++) {
        tangents[3 * j + k] = t[k];
        directors[3 * j + k] = d[k];
      }
    }
  }

  // Values per vertex; null when the strand's model does not know them.
  scalar(strand, name, frame, out) {
    const chunk = this.chunkOf[frame], field = chunk.strands[strand].scalars[name];
    if (!field) return null;
    const count = this.scene.strands[strand].vertices, start = (frame - chunk.first) * count;
    for (let i = 0; i < count; i++) out[i] = field.low + field.scale * field.values[start + i];
    return out;
  }

  // Place, tangent, first director.
  point(index, frame) {
    const chunk = this.chunkOf[frame];
    const at = (c) => chunk.points[(9 * index + c) * chunk.frames + frame - chunk.first];
    return { place: [at(0), at(1), at(2)], tangent: [at(3), at(4), at(5)], director: [at(6), at(7), at(8)] };
  }

  // Whether a constraint is attached, that is, not released.
  attached(constraint, frame) {
    const chunk = this.chunkOf[frame];
    return chunk.attached[constraint * chunk.frames + frame - chunk.first] !== 0;
  }

  // Place, and quaternion in the order of three.js: x, y, z, w.
  body(index, frame) {
    const chunk = this.chunkOf[frame];
    const at = (c) => chunk.bodies[(7 * index + c) * chunk.frames + frame - chunk.first];
    return { place: [at(0), at(1), at(2)], turn: [at(4), at(5), at(6), at(3)] };
  }

  // Place, normal, force on the first object, and whether it sticks.
  contacts(frame) {
    const chunk = this.chunkOf[frame], f = frame - chunk.first, list = [];
    if (!chunk.contacts) return list;
    for (let i = chunk.contactStart[f]; i < chunk.contactStart[f + 1]; i++) {
      const at = (c) => [0, 1, 2].map((k) => chunk.contacts[10 * i + c + k]);
      list.push({ place: at(0), normal: at(3), force: at(6), sticks: chunk.contacts[10 * i + 9] !== 0 });
    }
    return list;
  }

  // Quicker than looking at all values: each chunk has the range of its own.
  span(strand, name) {
    let low = Infinity, high = -Infinity;
    for (const chunk of this.chunks) {
      const field = chunk.strands[strand].scalars[name];
      if (!field) return null;
      low = Math.min(low, field.low);
      high = Math.max(high, field.low + 255 * field.scale);
    }
    return low <= high ? { low, high } : null;
  }

  // The box around all strands in all frames, from the chunks' own boxes.
  bounds() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const chunk of this.chunks) {
      for (const { origin, top } of chunk.strands) {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], origin[k]);
          high[k] = Math.max(high[k], top[k]);
        }
      }
    }
    return low[0] <= high[0] ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
  }
}

// A chunk whose first frame has the given number.
export function readChunk(bytes, scene, first) {
  const reader = new Reader(bytes), frames = reader.u32(), chunk = { first, frames, times: reader.f64s(frames) };
  chunk.strands = scene.strands.map((strand) => readStrand(reader, strand, frames));
  chunk.points = reader.f32s(9 * scene.points * frames);
  chunk.attached = reader.f32s(scene.constraints.length * frames);
  chunk.bodies = reader.f32s(7 * scene.bodies.length * frames);
  chunk.series = scene.series.map(() => reader.f32s(frames));
  if (scene.contacts) readContacts(reader, chunk);
  return chunk;
}

function readContacts(reader, chunk) {
  chunk.contactStart = [0];
  for (let f = 0; f < chunk.frames; f++) chunk.contactStart.push(chunk.contactStart[f] + reader.u32());
  chunk.contacts = reader.f32s(10 * chunk.contactStart[chunk.frames]);
}

function readStrand(reader, strand, frames) {
  const origin = reader.f64s(3), step = reader.f64();
  const axes = [0, 1, 2].map(() => reader.channel(frames, strand.vertices));
  const top = axes.map((values, k) => origin[k] + step * largest(values));
  const angles = strand.frames ? reader.channel(frames, strand.edges) : null;
  const scalars = {};
  for (const name of strand.scalars) scalars[name] = reader.scalars(frames, strand.vertices);
  return { origin, step, axes, top, angles, scalars };
}

function largest(values) {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i];
  return most;
}
