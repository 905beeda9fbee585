// usage: node engine.mjs ENGINE.WASM SCENE...
// Runs scenes in the engine, as a page would, and compares their expected results. Prints a line per scene; fails where a
// scene does not meet all of them.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const OPEN = 2, SEEK = 7, KEEP = 23, RESULTS = 29;
const DONE = 132, FAILED = 133, STOPPED = 135, SCENE = 130, RESULTS_ARE = 144;

class Writer {
  constructor(kind, serial) { this.parts = []; this.u32(kind).u32(serial); }
  add(size, put) { const view = new DataView(new ArrayBuffer(size)); put(view); this.parts.push(new Uint8Array(view.buffer)); return this; }
  u32(v) { return this.add(4, (view) => view.setUint32(0, v, true)); }
  f64(v) { return this.add(8, (view) => view.setFloat64(0, v, true)); }
  bytes(b) { this.u32(b.length); this.parts.push(b, new Uint8Array(-b.length & 3)); return this; }
  text(t) { return this.bytes(new TextEncoder().encode(t)); }
  done() { return Buffer.concat(this.parts); }
}

class Reader {
  constructor(bytes) { this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length); this.at = 0; this.all = bytes; }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  f64() { this.at += 8; return this.view.getFloat64(this.at - 8, true); }
  text() { const n = this.u32(), from = this.at; this.at += (n + 3) & ~3; return new TextDecoder().decode(this.all.subarray(from, from + n)); }
}

async function start(module) {
  let engine = null;
  const wasi = {
    clock_time_get(clock, precision, out) {
      new DataView(engine.memory.buffer).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
  };
  const imports = new Proxy(wasi, { get: (target, name) => target[name] ?? (() => 8) });
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
  engine = exports;
  engine._initialize();
  if (!engine.cordage_create()) throw new Error('no memory');
  return engine;
}

function send(engine, bytes) {
  const at = engine.cordage_take(bytes.length);
  new Uint8Array(engine.memory.buffer).set(bytes, at);
  engine.cordage_receive(at, bytes.length);
  engine.cordage_give(at);
}

function* answers(engine) {
  for (let at = engine.cordage_next(); at; at = engine.cordage_next()) {
    const r = new Reader(new Uint8Array(engine.memory.buffer, at, engine.cordage_size()).slice());
    yield { kind: r.u32(), serial: r.u32(), r };
  }
}

function diagnostics(r) {
  const list = [];
  for (let n = r.u32(); n > 0; n--) { const file = r.text(), line = r.u32(), column = r.u32(); list.push(`${file}:${line}:${column}: ${r.text()}`); }
  return list.join('; ');
}

// Files that a scene names: its includes and the files of its shapes and images.
function filesOf(path, name = basename(path), found = new Map()) {
  if (found.has(name)) return found;
  const bytes = readFileSync(join(dirname(path), name));
  found.set(name, bytes);
  if (!name.endsWith('.yaml')) return found;
  for (const [, other] of bytes.toString().matchAll(/(?:file|include):\s*\[?\s*([\w./-]+\.\w+)/g)) filesOf(path, other, found);
  return found;
}

async function run(module, path) {
  const engine = await start(module), files = filesOf(path);
  const open = new Writer(OPEN, 1).u32(0).u32(files.size);
  for (const [name, bytes] of files) open.text(name).bytes(bytes);
  send(engine, open.u32(0).u32(0).f64(0).done());
  let until = 0;
  for (const { kind, r } of answers(engine)) {
    if (kind === FAILED) throw new Error(diagnostics(r));
    if (kind === SCENE) { r.u32(); until = JSON.parse(r.text()).live.until; }
  }
  send(engine, new Writer(SEEK, 2).f64(until).done());
  const began = performance.now();
  let busy = true;
  while (busy) {
    busy = engine.cordage_advance(0, 0.25);
    for (const { kind, r } of answers(engine)) if (kind === FAILED || kind === STOPPED) throw new Error(diagnostics(r));
  }
  const seconds = (performance.now() - began) / 1000;
  send(engine, new Writer(RESULTS, 3).done());
  const missed = [];
  let count = 0;
  for (const { kind, r } of answers(engine)) {
    if (kind !== RESULTS_ARE) continue;
    for (count = r.u32(); missed.length < 1000 && r.at < r.all.length;) {
      const name = `${r.text()}.${r.text()}`, passed = r.u32(), measured = r.f64();
      if (!passed) missed.push(`${name} = ${measured}`);
    }
  }
  return { seconds, count, missed, memory: engine.cordage_memory() / 2 ** 20 };
}

const [wasm, ...scenes] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(wasm));
let failed = 0;
for (const path of scenes) {
  try {
    const { seconds, count, missed, memory } = await run(module, path);
    console.log(`${missed.length ? 'MISSED' : 'ok    '} ${path}: ${count} results, ${seconds.toFixed(2)} s, ${memory.toFixed(0)} MiB${missed.map((m) => `; ${m}`).join('')}`);
    failed += missed.length > 0;
  } catch (error) {
    console.log(`FAILED ${path}: ${error.message}`);
    failed++;
  }
}
if (failed) { console.log(`${failed} of ${scenes.length} scenes`); process.exit(1); }
