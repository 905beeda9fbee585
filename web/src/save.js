// What a live run leaves: its frames as a page of their own, packed as src/record/html.c packs them, and the values of its plots.
import { deflate, toBase64 } from './share.js';
import { anyNormal, carry, cross, dot, normalize } from './vectors.js';

const LEVELS = 65535, TURN = 512, CHUNK = 120; // of a coordinate; of an angle; frames at most

// Little-endian numbers one after another, as Reader (unpack.js) reads them.
class Packer {
  constructor() { this.parts = []; }
  put(array) { this.parts.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)); }
  u8(v) { this.put(Uint8Array.of(v)); }
  u32(v) { this.put(Uint32Array.of(v)); }
  f32s(values) { this.put(Float32Array.from(values)); }
  f64s(values) { this.put(Float64Array.from(values)); }

  // Prediction from the neighbour of the difference in time, sign in the lowest bit, low bytes before high bytes.
  channel(values, frames, items, bits) {
    const half = 1 << (bits - 1), mask = (1 << bits) - 1, low = new Uint8Array(values.length), high = new Uint8Array(bits > 8 ? values.length : 0);
    const order = 1;
    for (let f = 0, k = 0; f < frames; f++) {
      for (let i = 0, last = 0; i < items; i++, k++) {
        const now = (values[k] - (f > 0 ? values[k - items] : 0)) | 0, d = ((now - last + half) & mask) - half;
        const z = (d < 0 ? -2 * d - 1 : 2 * d) & mask;
        low[k] = z & 255;
        if (bits > 8) high[k] = z >> 8;
        last = now;
      }
    }
    this.u8(bits);
    this.u8(order);
    this.put(low);
    if (bits > 8) this.put(high);
  }

  bytes() { return join(this.parts); }
}

function join(parts) {
  const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

// Positions on a lattice of 16 bits; they are changed to what they will be when unpacked.
function packVertices(packer, x, frames, vertices) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    if (x[i] < low[i % 3]) low[i % 3] = x[i];
    if (x[i] > high[i % 3]) high[i % 3] = x[i];
  }
  const step = Math.max(...high.map((h, k) => (h - low[k]) / LEVELS));
  packer.f64s([...low, step]);
  for (let axis = 0; axis < 3; axis++) {
    const levels = new Uint16Array(frames * vertices);
    for (let i = 0; i < levels.length; i++) {
      levels[i] = step > 0 ? Math.min(LEVELS, Math.max(0, Math.round((x[3 * i + axis] - low[axis]) / step))) : 0;
      x[3 * i + axis] = low[axis] + step * levels[i];
    }
    packer.channel(levels, frames, vertices, 16);
  }
}

// The angle of each first director against a frame carried along the unpacked vertices.
function anglesOf(x, d, edges, vertices, out) {
  let t = [0, 0, 1], e = [0, 0, 0];
  const u = [0, 0, 0], w = [0, 0, 0], last = [0, 0, 0];
  for (let j = 0; j < edges; j++) {
    const next = (j + 1) % vertices;
    for (let k = 0; k < 3; k++) {
      e[k] = x[3 * next + k] - x[3 * j + k];
      last[k] = t[k];
    }
    if (normalize(e) > 0) [t, e] = [e, t];
    if (j === 0) anyNormal(t, u); else carry(u, last, t);
    cross(t, u, w);
    const director = [d[3 * j], d[3 * j + 1], d[3 * j + 2]];
    out[j] = Math.round(Math.atan2(dot(director, w), dot(director, u)) / (2 * Math.PI) * TURN) & (TURN - 1);
  }
}

function packScalar(packer, rows, vertices) {
  let low = Infinity, high = -Infinity;
  for (const row of rows) for (const v of row) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  if (!(low <= high)) low = high = 0;
  const levels = new Uint8Array(rows.length * vertices);
  rows.forEach((row, f) => row.forEach((v, i) => { levels[f * vertices + i] = high > low && Number.isFinite(v) ? Math.round((v - low) / (high - low) * 255) : 0; }));
  packer.f32s([low, high]);
  packer.channel(levels, rows.length, vertices, 8);
}

function packStrand(packer, source, index, first, frames, scalars) {
  const { vertices, edges, frames: directed } = source.scene.strands[index], x = new Float64Array(3 * vertices * frames);
  for (let f = 0; f < frames; f++) source.vertices(index, first + f, x.subarray(3 * vertices * f, 3 * vertices * (f + 1)));
  packVertices(packer, x, frames, vertices);
  if (directed) {
    const angles = new Uint16Array(frames * edges), t = new Float64Array(3 * edges), d = new Float64Array(3 * edges);
    for (let f = 0; f < frames; f++) {
      const at = x.subarray(3 * vertices * f, 3 * vertices * (f + 1));
      source.directors(index, first + f, at, t, d);
      anglesOf(at, d, edges, vertices, angles.subarray(f * edges, (f + 1) * edges));
    }
    packer.channel(angles, frames, edges, 9);
  }
  for (const name of scalars) {
    packScalar(packer, Array.from({ length: frames }, (_, f) => source.scalar(index, name, first + f, new Float64Array(vertices)) ?? new Float64Array(vertices)), vertices);
  }
}

// Frames `first` and following, as a chunk of a page.
export function packChunk(source, scene, first, frames) {
  const packer = new Packer(), all = Array.from({ length: frames }, (_, f) => first + f);
  const columns = (width, row) => { const rows = all.map(row); for (let c = 0; c < width; c++) packer.f32s(rows.map((r) => r[c])); };
  packer.u32(frames);
  packer.f64s(all.map((f) => source.times[f]));
  scene.strands.forEach((strand, i) => packStrand(packer, source, i, first, frames, strand.scalars));
  for (let p = 0; p < scene.points; p++) columns(9, (f) => { const { place, tangent, director } = source.point(p, f); return [...place, ...tangent, ...director]; });
  scene.constraints.forEach((_, c) => packer.f32s(all.map((f) => (source.attached(c, f) ? 1 : 0))));
  scene.bodies.forEach((_, b) => columns(7, (f) => { const { place, turn } = source.body(b, f); return [...place, turn[3], turn[0], turn[1], turn[2]]; }));
  for (const values of source.series) packer.f32s(all.map((f) => values[f]));
  if (scene.contacts) {
    const lists = all.map((f) => source.contacts(f));
    packer.put(Uint32Array.from(lists.map((list) => list.length)));
    packer.f32s(lists.flat().flatMap(({ place, normal, force, sticks }) => [...place, ...normal, ...force, sticks ? 1 : 0]));
  }
  return packer.bytes();
}

function packPixels(rgba, { columns, rows }) {
  const packer = new Packer();
  for (let k = 0; k < 4; k++) packer.channel(Uint8Array.from({ length: columns * rows }, (_, i) => rgba[4 * i + k]), rows, columns, 8);
  return packer.bytes();
}

// Scalars that all frames have: a page says which ones its chunks hold.
function describe(source) {
  const { live, ...scene } = source.scene, held = (i, name) => source.kept.every((frame) => frame.strands[i].scalars[name]);
  return { ...scene, strands: scene.strands.map((strand, i) => ({ ...strand, scalars: strand.scalars.filter((name) => held(i, name)) })) };
}

const inert = (text) => JSON.stringify(text).replaceAll('<', '\\u003c'); // in a script element

// The parts of this page that every page of Cordage has, before it has changed anything in them.
export function shellOf(page) {
  const data = [...page.querySelectorAll('#connection, #scene, #files, #failure-data, .frames, .pixels, .state')];
  const copy = page.documentElement.cloneNode(false), head = page.head.cloneNode(true), body = page.createElement('body');
  for (const child of page.body.children) if (!data.includes(child)) body.append(child.cloneNode(true));
  copy.append(head, body);
  return () => {
    const engine = copy.querySelector('#engine[data-src]'); // of a site: the page that is saved has its own
    if (engine && globalThis.cordage_engine) {
      engine.removeAttribute('data-src');
      engine.textContent = globalThis.cordage_engine;
    }
    return copy.outerHTML;
  };
}

const block = (type, mark, text) => `<script type="${type}" ${mark}>${text}</script>`;

// A page with the frames of a live source. `files`: of the scene, so that it can be taken over again.
export async function pageOf(source, shell, files) {
  const scene = describe(source), parts = [], html = shell();
  for (let first = 0; first < source.frames; first += CHUNK) {
    const packed = await deflate(packChunk(source, scene, first, Math.min(CHUNK, source.frames - first)));
    parts.push(block('text/plain', 'class="frames"', toBase64(packed)));
  }
  for (const [file, rgba] of source.pixels.entries()) {
    if (!rgba) continue;
    parts.push(block('text/plain', 'class="pixels"', toBase64(await deflate(packPixels(rgba, scene.images.find((image) => image.file === file))))));
  }
  const data = [block('application/json', 'id="scene"', inert(scene)), block('application/json', 'id="files"', inert(files)), ...parts].join('\n');
  return `<!doctype html>\n${html.replace(/<\/body>\s*<\/html>\s*$/, () => `${data}\n</body>\n</html>\n`)}`;
}

// Time and all series, with names and units.
export function valuesOf(source) {
  const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const names = source.scene.series.map(({ group, name, unit }) => quote(`${group}.${name}${unit ? ` [${unit}]` : ''}`));
  const rows = source.times.map((time, f) => [time, ...source.series.map((values) => (Number.isFinite(values[f]) ? values[f] : ''))].join());
  return [['time [s]', ...names].join(), ...rows].join('\n').concat('\n');
}
