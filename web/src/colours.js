// Colours of strands and bodies, and colour scales of scalars, as of stills (src/record/render_colour.c). Colours are linear RGB triples, as three.js wants them at vertices.
import { Color } from 'three';

const STRANDS = ['#e0762f', '#2f7fb8', '#4a9c5d', '#b8506a', '#8a6bb5', '#c9a227', '#3aa6a0', '#8d6e53'];
const SEQUENTIAL = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];
const DIVERGING = ['#2c4fb5', '#4a7bd6', '#7ea6ee', '#b5cdf7', '#e3e1de', '#f3bfa3', '#e98a6b', '#cf4f45', '#ab1730'];
const SAMPLES = 20000; // of a scalar, to find its range

// The family of an array's members and of fragments: `box` of `box[3]`, `rope` of `rope.2`; any other name is a family of its own.
export const familyOf = (name) => name.replace(/(\[.*|\.\d+)$/, '');

// The families of strands and bodies in the order in which they first appear, each with a colour of the palette and its
// members [{ list: 'strands' or 'bodies', index }]. An object without a name is alone in its family.
export function families(scene) {
  const found = new Map();
  for (const list of ['strands', 'bodies']) {
    scene[list].forEach(({ name, shape, scenery }, index) => {
      if (scenery) return; // its colour is given, and the legend does not name it
      const key = name ? `${list} ${familyOf(name)}` : `${list} ${index}`;
      if (!found.has(key)) found.set(key, { name: name ? familyOf(name) : `${list === 'strands' ? 'strand' : 'body'} ${index + 1}`, members: [], shape });
      found.get(key).members.push({ list, index });
    });
  }
  return [...found.values()].map((family, i) => ({ ...family, colour: STRANDS[i % STRANDS.length] }));
}

const SHADES = [0, 0.09, -0.09, 0.045, -0.045]; // lightness of an array's members, one after the other

// The colours of all strands and bodies, found once per scene: their own, or that of their family, members of an array in
// neighbouring shades.
const found = new WeakMap();
function colourTable(scene) {
  if (found.has(scene)) return found.get(scene);
  const table = { strands: [], bodies: [] };
  for (const { members, colour } of families(scene)) {
    members.forEach(({ list, index }, i) => {
      const shade = members.length > 1 ? SHADES[i % SHADES.length] : 0;
      table[list][index] = `#${new Color(scene[list][index].colour ?? colour).offsetHSL(0, 0, shade).getHexString()}`;
    });
  }
  scene.bodies.forEach(({ colour }, index) => { table.bodies[index] ??= colour; });
  found.set(scene, table);
  return table;
}

// `marked` objects are those at which a run failed.
const colourOf = (scene, list, index) => (scene[list][index].marked ? MARKED : colourTable(scene)[list][index]);
export const strandColour = (scene, index) => colourOf(scene, 'strands', index);
export const bodyColour = (scene, index) => colourOf(scene, 'bodies', index);
export const familyColour = (scene, { members: [{ list, index }] }) => colourOf(scene, list, index);
export const NEUTRAL = '#a0a6ad'; // of bodies, while colours show a quantity
export const MARKED = '#e3002b'; // of the objects at which a run failed
const linear = (css) => new Color(css).toArray();

// Covers nearly all values in all frames: the outermost half percent is left to saturate.
export function rangeOf(source, name) {
  const sample = source.sample(name, SAMPLES).filter(Number.isFinite);
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
  constructor(source, name = 'strand') {
    this.source = source;
    const most = Math.max(1, ...source.scene.strands.map((s) => s.vertices));
    this.values = new Float64Array(most);
    this.colours = source.scene.strands.map((s) => new Float32Array(3 * s.vertices));
    this.use(name);
  }

  use(name) {
    this.name = name;
    this.setRange(name === 'strand' ? null : rangeOf(this.source, name));
  }

  setRange(range) {
    this.range = range;
    this.own = []; // strands whose own colour is in `colours`
    this.table = range && table(range.colours);
  }

  // Frames were added: the range grows with the values, never shrinks. True when it has changed.
  widen() {
    if (this.name === 'strand') return false;
    const now = rangeOf(this.source, this.name), old = this.range;
    if (!now) return false;
    if (!old || now.colours !== old.colours) {
      this.setRange(now);
      return true;
    }
    const room = 0.02 * (old.high - old.low);
    if (now.low > old.low - room && now.high < old.high + room) return false;
    this.setRange({ ...now, low: Math.min(now.low, old.low), high: Math.max(now.high, old.high) });
    return true;
  }

  paint(strand, frame) {
    const out = this.colours[strand], count = this.source.scene.strands[strand].vertices;
    const values = this.range && this.source.scalar(strand, this.name, frame, this.values);
    if (!values) {
      const own = this.own[strand] ? null : linear(strandColour(this.source.scene, strand));
      for (let i = 0; own && i < count; i++) out.set(own, 3 * i);
      this.own[strand] = true;
      return out;
    }
    this.own[strand] = false;
    const { low, high } = this.range;
    for (let i = 0; i < count; i++) {
      const place = 3 * Math.round(255 * Math.min(1, Math.max(0, (values[i] - low) / (high - low))));
      for (let k = 0; k < 3; k++) out[3 * i + k] = this.table[place + k];
    }
    return out;
  }
}
