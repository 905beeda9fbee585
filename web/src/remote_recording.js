// A recording that is elsewhere and may be larger than memory: its chunks are loaded when they are looked at, and forgotten when
// others are. A frame that is not there is shown as the nearest one that is.
import { readChunk, Recording } from './recording.js';
import { inflateBytes } from './unpack.js';

const MOST_CHUNKS = 24; // in memory

export class RemoteRecording extends Recording {
  // `list`: { first, frames, from, to } of each chunk; `load(number)`: a promise of its bytes, deflated; `changed()`: some have
  // come; `failed(message)`: some cannot be had.
  constructor(scene, list, { load, changed, failed }) {
    super(scene);
    Object.assign(this, { list, load, changed, failed, coming: new Set(), refused: new Set(), used: [] });
    for (const { frames, from, to } of list) {
      for (let f = 0; f < frames; f++) this.times.push(frames > 1 ? from + (to - from) * f / (frames - 1) : from);
    }
    this.series = scene.series.map(() => new Float32Array(this.frames).fill(NaN));
  }

  // Values of every `stride`-th frame, before their chunks are loaded.
  overview({ stride, values }) {
    this.series.forEach((series, i) => values[i].forEach((value, k) => { series[k * stride] = value; }));
    this.revision++;
    this.changed();
  }

  chunkNumber(frame) {
    let low = 0, high = this.list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.list[middle].first <= frame) low = middle; else high = middle - 1;
    }
    return low;
  }

  // The chunk of the frame, and the one after it, into which the playing runs.
  prepare(frame) {
    const number = this.chunkNumber(frame);
    this.request(number);
    if (number + 1 < this.list.length) this.request(number + 1);
  }

  async request(number) {
    if (this.coming.has(number) || this.refused.has(number)) return;
    this.used = [...this.used.filter((n) => n !== number), number];
    if (this.chunkOf[this.list[number].first]) return;
    this.coming.add(number);
    try {
      this.put(number, await inflateBytes(await this.load(number)));
    } catch (error) {
      this.refused.add(number);
      this.failed(error.message);
    } finally {
      this.coming.delete(number);
    }
    this.revision++;
    this.changed();
  }

  // Connected again: chunks that could not be had may be there now.
  retry() {
    this.refused.clear();
    this.changed();
  }

  put(number, bytes) {
    const { first } = this.list[number], chunk = readChunk(bytes, this.scene, first);
    this.chunks.push(chunk);
    for (let f = 0; f < chunk.frames; f++) {
      this.chunkOf[first + f] = chunk;
      this.times[first + f] = chunk.times[f];
      this.series.forEach((series, i) => { series[first + f] = chunk.series[i][f]; });
    }
    while (this.used.length > MOST_CHUNKS) this.forget(this.used.shift());
  }

  // Its plots stay.
  forget(number) {
    const { first, frames } = this.list[number], chunk = this.chunkOf[first];
    this.chunks = this.chunks.filter((c) => c !== chunk);
    for (let f = 0; f < frames; f++) this.chunkOf[first + f] = undefined;
  }

  near(frame) {
    if (this.chunkOf[frame]) return frame;
    let best = -1;
    for (const { first, frames } of this.chunks) {
      const nearest = Math.min(first + frames - 1, Math.max(first, frame));
      if (best < 0 || Math.abs(nearest - frame) < Math.abs(best - frame)) best = nearest;
    }
    return best;
  }

  vertices(strand, frame, out) { return super.vertices(strand, this.near(frame), out); }
  directors(strand, frame, x, tangents, directors) { super.directors(strand, this.near(frame), x, tangents, directors); }
  scalar(strand, name, frame, out) { return super.scalar(strand, name, this.near(frame), out); }
  point(index, frame) { return super.point(index, this.near(frame)); }
  attached(constraint, frame) { return super.attached(constraint, this.near(frame)); }
  body(index, frame) { return super.body(index, this.near(frame)); }
  contacts(frame) { return super.contacts(this.near(frame)); }
}
