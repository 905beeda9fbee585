// A session in the engine, for tests: messages as src/live/message.h has them.
export const OPEN = 2, STEP = 5, SEEK = 7, RESULTS = 29;
export const SCENE = 130, DONE = 132, FAILED = 133, WARNED = 134, STOPPED = 135, RESULTS_ARE = 144;

export class Writer {
  constructor(kind, serial) { this.parts = []; this.u32(kind).u32(serial); }
  add(size, put) { const view = new DataView(new ArrayBuffer(size)); put(view); this.parts.push(new Uint8Array(view.buffer)); return this; }
  u32(v) { return this.add(4, (view) => view.setUint32(0, v, true)); }
  f64(v) { return this.add(8, (view) => view.setFloat64(0, v, true)); }
  bytes(b) { this.u32(b.length); this.parts.push(b, new Uint8Array(-b.length & 3)); return this; }
  text(t) { return this.bytes(new TextEncoder().encode(t)); }
  done() { return Buffer.concat(this.parts); }
}

export class Reader {
  constructor(bytes) { this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length); this.at = 0; this.all = bytes; }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  f64() { this.at += 8; return this.view.getFloat64(this.at - 8, true); }
  text() { const n = this.u32(), from = this.at; this.at += (n + 3) & ~3; return new TextDecoder().decode(this.all.subarray(from, from + n)); }
}

export async function start(module) {
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

export function send(engine, bytes) {
  const at = engine.cordage_take(bytes.length);
  new Uint8Array(engine.memory.buffer).set(bytes, at);
  engine.cordage_receive(at, bytes.length);
  engine.cordage_give(at);
}

export function* answers(engine) {
  for (let at = engine.cordage_next(); at; at = engine.cordage_next()) {
    const r = new Reader(new Uint8Array(engine.memory.buffer, at, engine.cordage_size()).slice());
    yield { kind: r.u32(), serial: r.u32(), r };
  }
}

export function diagnostics(r) {
  const list = [];
  for (let n = r.u32(); n > 0; n--) { const file = r.text(), line = r.u32(), column = r.u32(); list.push(`${file}:${line}:${column}: ${r.text()}`); }
  return list.join('; ');
}
