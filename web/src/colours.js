// Colours of strands and bodies, and colour scales of scalars. Colours are linear RGB triples, as three.js wants them at vertices.
import { Color } from 'three';

const STRANDS = ['#d9825b', '#5b9bc7', '#7fb069', '#d7b14a', '#a583c4', '#5fb3ac', '#d0708c', '#8d99ae'];
const SEQUENTIAL = ['#5648a8', '#3f7fc0', '#2fb09a', '#97cf55', '#fbe750'];
const DIVERGING = ['#2a63b0', '#86b3de', '#f2efe9', '#e79a7c', '#b3352f'];

export const strandColour = (strand, index) => strand.colour ?? STRANDS[index % STRANDS.length];
// Bodies go on where the strands' colours end.
export const bodyColour = (scene, index) => strandColour(scene.bodies[index], scene.strands.length + index);
export const NEUTRAL = '#a0a6ad'; // of bodies, while colours show a quantity
export const MARKED = '#e3002b'; // of the objects at which a run failed
const linear = (css) => new Color(css).toArray();

// Covers nearly all values in all frames: the outermost half percent is left to saturate.
export function rangeOf(recording, name) {
  const sample = [];
  let total = 0;
  for (const chunk of recording.chunks) for (const s of chunk.strands) total += s.scalars[name]?.values.length ?? 0;
  const stride = Math.max(1, Math.floor(total / 50000)) | 1;
  for (const chunk of recording.chunks) {
    for (const strand of chunk.strands) {
      const field = strand.scalars[name];
      if (!field) continue;
      for (let i = 0; i < field.values.length; i += stride) sample.push(field.low + field.scale * field.values[i]);
    }
  }
  if (sample.length === 0) return null;
  sample.sort((a, b) => a - b);
  const at = (part) => sample[Math.round(part * (sample.length - 1))];
  let low = at(0.005), high = at(0.995);
  if (low < 0 && high > 0 && Math.min(-low, high) > 0.02 * Math.max(-low, high)) { // zero in the middle
    high = Math.max(-low, high);
    return { low: -high, high, colours: DIVERGING };
  }
  if (low > 0 && low < 0.3 * high) low = 0;
  if (high - low < 1e-6 * Math.max(Math.abs(low), Math.abs(high)) || high === low) high = low + (Math.abs(low) * 1e-3 || 1);
  return { low, high, colours: SEQUENTIAL };
}

// A table of 256 colours.
export function table(colours) {
  const stops = colours.map(linear), out = new Float32Array(3 * 256);
  for (let i = 0; i < 256; i++) {
    const place = i / 255 * (stops.length - 1), j = Math.min(stops.length - 2, Math.floor(place)), part = place - j;
    for (let k = 0; k < 3; k++) out[3 * i + k] = stops[j][k] + part * (stops[j + 1][k] - stops[j][k]);
  }
  return out;
}

// Fills 3 numbers per vertex.
export class Painter {
  constructor(recording) {
    this.recording = recording;
    this.use('strand');
    const most = Math.max(1, ...recording.scene.strands.map((s) => s.vertices));
    this.values = new Float64Array(most);
    this.colours = recording.scene.strands.map((s) => new Float32Array(3 * s.vertices));
  }

  use(name) {
    this.name = name;
    this.range = name === 'strand' ? null : rangeOf(this.recording, name);
    this.table = this.range && table(this.range.colours);
  }

  paint(strand, frame) {
    const out = this.colours[strand], count = this.recording.scene.strands[strand].vertices;
    const values = this.range && this.recording.scalar(strand, this.name, frame, this.values);
    if (!values) {
      const own = linear(strandColour(this.recording.scene.strands[strand], strand));
      for (let i = 0; i < count; i++) out.set(own, 3 * i);
      return out;
    }
    const { low, high } = this.range;
    for (let i = 0; i < count; i++) {
      const place = 3 * Math.round(255 * Math.min(1, Math.max(0, (values[i] - low) / (high - low))));
      for (let k = 0; k < 3; k++) out[3 * i + k] = this.table[place + k];
    }
    return out;
  }
}
