// The frames of a live session, with the interface of a recording (source.js): the last ones are kept, so that one can go back,
// plot and film them.
import { Source } from './source.js';
import { anyNormal, carry, normalize } from './vectors.js';

const MOST_FRAMES = 3600, MOST_BYTES = 192 << 20; // kept
const DROPPED = 1 / 8; // of them, at once, when there is no more room

export class LiveSource extends Source {
  constructor(scene, revision) {
    super(scene);
    this.live = true;
    this.sceneRevision = revision;
    this.kept = [];
    this.bytes = 0;
    this.scalarNames = Object.keys(scene.scalars);
  }

  get latest() { return this.kept[this.kept.length - 1]; }

  // Reads a FRAME whose kind and serial have been read. Null if it belongs to another scene.
  read(reader) {
    if (reader.u32() !== this.sceneRevision) return null;
    const frame = { time: reader.f64(), spent: reader.f64(), dropped: reader.f64(), speed: reader.f64(), steps: reader.u32(), command: reader.u32(),
      flags: reader.u32(), scalars: reader.u32() };
    const { scene } = this, sent = this.scalarNames.filter((_, k) => frame.scalars >> k & 1);
    frame.strands = scene.strands.map((strand) => {
      const x = reader.f32s(3 * strand.vertices), directors = strand.frames ? reader.f32s(3 * strand.edges) : null, scalars = {};
      for (const name of sent) if (strand.scalars.includes(name)) scalars[name] = reader.f32s(strand.vertices);
      return { x, directors, scalars };
    });
    frame.points = reader.f32s(9 * scene.points);
    frame.attached = reader.f32s(scene.constraints.length);
    frame.bodies = reader.f32s(7 * scene.bodies.length);
    frame.series = reader.f32s(scene.series.length);
    frame.contacts = reader.f32s(10 * reader.u32());
    frame.holds = reader.list((r) => ({ own: r.u32() === 1, hold: r.u32(), held: r.vector(), hand: r.vector(), force: r.vector() }));
    frame.attachments = reader.list((r) => ({ number: r.u32(), weight: r.u32() === 1, place: r.vector(), centre: r.vector(), radius: r.f32(), mass: r.f32(), force: r.vector() }));
    frame.size = reader.bytes.length;
    return frame;
  }

  // Frames come in ascending time; one of a time that is there already (a paused session was changed) replaces that one.
  add(frame) {
    while (this.kept.length > 0 && this.latest.time >= frame.time) this.drop(this.kept.length - 1, 1);
    this.kept.push(frame);
    this.times.push(frame.time);
    frame.series.forEach((value, i) => this.series[i].push(value));
    this.bytes += frame.size;
    if (this.kept.length > MOST_FRAMES || this.bytes > MOST_BYTES) this.drop(0, Math.max(1, Math.floor(DROPPED * this.kept.length)));
    this.revision++;
  }

  // All frames after a time; one always stays, to be shown until the next comes.
  cut(time) {
    let count = 0;
    while (count + 1 < this.kept.length && this.kept[this.kept.length - 1 - count].time > time + 1e-9) count++;
    if (count > 0) this.drop(this.kept.length - count, count);
  }

  // All frames before the latest.
  forget() { this.drop(0, this.kept.length - 1); }

  drop(first, count) {
    for (const { size } of this.kept.splice(first, count)) this.bytes -= size;
    this.times.splice(first, count);
    for (const values of this.series) values.splice(first, count);
    this.revision++;
  }

  vertices(strand, frame, out) {
    out.set(this.kept[frame].strands[strand].x);
    return out;
  }

  directors(strand, frame, x, tangents, directors) {
    const { edges, vertices } = this.scene.strands[strand], own = this.kept[frame].strands[strand].directors;
    let t = [0, 0, 1], e = [0, 0, 0];
    const u = [0, 0, 0], last = [0, 0, 0];
    for (let j = 0; j < edges; j++) {
      const next = (j + 1) % vertices;
      for (let k = 0; k < 3; k++) {
        e[k] = x[3 * next + k] - x[3 * j + k];
        last[k] = t[k];
      }
      if (normalize(e) > 0) [t, e] = [e, t]; // where vertices coincide it goes on as before
      if (own) for (let k = 0; k < 3; k++) u[k] = own[3 * j + k];
      else if (j === 0) anyNormal(t, u);
      else carry(u, last, t);
      for (let k = 0; k < 3; k++) {
        tangents[3 * j + k] = t[k];
        directors[3 * j + k] = u[k];
      }
    }
  }

  scalar(strand, name, frame, out) {
    const values = this.kept[frame].strands[strand].scalars[name];
    if (!values) return null;
    out.set(values);
    return out;
  }

  // Of the latest frame: who wants that of a longer time keeps the union.
  span(strand, name) {
    const values = this.latest?.strands[strand].scalars[name];
    if (!values) return null;
    let low = Infinity, high = -Infinity;
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return low <= high ? { low, high } : null;
  }

  point(index, frame) {
    const { points } = this.kept[frame], at = (c) => [points[9 * index + c], points[9 * index + c + 1], points[9 * index + c + 2]];
    return { place: at(0), tangent: at(3), director: at(6) };
  }

  attached(constraint, frame) { return this.kept[frame].attached[constraint] !== 0; }

  body(index, frame) {
    const b = this.kept[frame].bodies.subarray(7 * index, 7 * index + 7);
    return { place: [b[0], b[1], b[2]], turn: [b[4], b[5], b[6], b[3]] };
  }

  contacts(frame) {
    const { contacts } = this.kept[frame];
    return Array.from({ length: contacts.length / 10 }, (_, i) => {
      const at = (c) => [0, 1, 2].map((k) => contacts[10 * i + c + k]);
      return { place: at(0), normal: at(3), force: at(6), sticks: contacts[10 * i + 9] !== 0 };
    });
  }
}
