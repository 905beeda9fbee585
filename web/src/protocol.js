// The messages of a live session, as src/live/message.h says them.

export const VERSION = 1;
export const COMMAND = { HELLO: 1, OPEN: 2, CHECK: 3, PLAY: 4, STEP: 5, RESTART: 6, SEEK: 7, CANCEL: 8, WANT: 9, GRAB: 10, DRAG: 11,
  LET_GO: 12, PIN: 13, WEIGHT: 14, DETACH: 15, CUT: 16, MOVE: 17, GRAVITY: 18, WIND: 19, SWITCH: 20, STEER: 21, SET: 22, KEEP: 23,
  BACK: 24, FILES: 25, SCHEMA: 26, LOG: 27, WANT_CHUNK: 28 };
export const ANSWER = { WELCOME: 129, SCENE: 130, FRAME: 131, DONE: 132, FAILED: 133, WARNED: 134, STOPPED: 135, ATTACHED: 136, KEPT: 137,
  FILES_ARE: 138, SCHEMA_IS: 139, LOG_IS: 140, CHUNKS: 141, CHUNK: 142, IMAGE: 143, SERIES: 145 };
export const ROLE = { ENGINE: 0, RUNNING: 1, RECORDING: 2 };
export const TARGET = { STRAND: 0, BODY: 1 };
export const HANDLE = { ANCHOR: 0, ATTACHMENT: 1 };
export const FLAG = { PLAYING: 1, SEEKING: 2, FAILED: 4, ENDED: 8 };
export const CARRY = 1;
export const SUPERSEDED = 'another command has ended it'; // the message of FAILED then

const LIMITS = ['message', 'files', 'overrides', 'holds', 'attachments', 'steps'];
const encoder = new TextEncoder(), decoder = new TextDecoder();

// A command being written.
export class Writer {
  constructor(kind, serial) {
    this.bytes = new Uint8Array(256);
    this.view = new DataView(this.bytes.buffer);
    this.used = 0;
    this.u32(kind).u32(serial);
  }

  // Room for `size` more bytes; where they begin.
  room(size) {
    if (this.used + size > this.bytes.length) {
      const more = new Uint8Array(Math.max(2 * this.bytes.length, this.used + size));
      more.set(this.bytes);
      this.bytes = more;
      this.view = new DataView(more.buffer);
    }
    this.used += size;
    return this.used - size;
  }
  u32(value) {
    const at = this.room(4); // which may replace the view
    this.view.setUint32(at, value, true);
    return this;
  }
  f64(...values) {
    for (const value of values) {
      const at = this.room(8);
      this.view.setFloat64(at, value, true);
    }
    return this;
  }
  data(bytes) {
    this.u32(bytes.length);
    const at = this.room((bytes.length + 3) & ~3);
    this.bytes.set(bytes, at);
    return this;
  }
  text(text) { return this.data(encoder.encode(text)); }
  list(items, write) {
    this.u32(items.length);
    for (const item of items) write(this, item);
    return this;
  }
  // [{ name, bytes }] and ["path=value"].
  files(files) { return this.list(files, (w, { name, bytes }) => w.text(name).data(bytes)); }
  texts(texts) { return this.list(texts, (w, text) => w.text(text)); }
  done() { return this.bytes.slice(0, this.used); }
}

// An answer being read. Beyond its end it throws a RangeError.
export class MessageReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.kind = this.u32();
    this.serial = this.u32();
  }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  f64() { this.at += 8; return this.view.getFloat64(this.at - 8, true); }
  f32() { this.at += 4; return this.view.getFloat32(this.at - 4, true); }
  vector() { return [this.f32(), this.f32(), this.f32()]; }
  // Aligned, since every value lies at a multiple of 4 and a message has a buffer of its own.
  f32s(count) { this.at += 4 * count; return new Float32Array(this.bytes.buffer, this.bytes.byteOffset + this.at - 4 * count, count); }
  data() {
    const size = this.u32(), from = this.at;
    if (from + size > this.bytes.length) throw new RangeError('a text reaches beyond the end of its message');
    this.at += (size + 3) & ~3;
    return this.bytes.subarray(from, from + size);
  }
  text() { return decoder.decode(this.data()); }
  list(read) { return Array.from({ length: this.u32() }, () => read(this)); }
  diagnostics() { return this.list((r) => ({ file: r.text(), line: r.u32(), column: r.u32(), message: r.text() })); }
}

// The contents of all answers but FRAME, whose rows depend on the scene.
export const read = {
  [ANSWER.WELCOME]: (r) => ({ version: r.u32(), role: r.u32(), limits: Object.fromEntries(LIMITS.map((name) => [name, r.u32()])), engine: r.text() }),
  [ANSWER.SCENE]: (r) => ({ revision: r.u32(), scene: JSON.parse(r.text()) }),
  [ANSWER.DONE]: () => ({}),
  [ANSWER.FAILED]: (r) => r.diagnostics(),
  [ANSWER.WARNED]: (r) => r.diagnostics(),
  [ANSWER.STOPPED]: (r) => r.diagnostics(),
  [ANSWER.ATTACHED]: (r) => ({ number: r.u32(), s: r.f64(), position: [r.f64(), r.f64(), r.f64()] }),
  [ANSWER.KEPT]: (r) => ({ time: r.f64(), state: r.data().slice() }),
  [ANSWER.FILES_ARE]: (r) => ({ files: r.list((q) => ({ name: q.text(), bytes: q.data().slice() })), overrides: r.list((q) => q.text()) }),
  [ANSWER.SCHEMA_IS]: (r) => JSON.parse(r.text()),
  [ANSWER.LOG_IS]: (r) => r.data().slice(),
  [ANSWER.CHUNKS]: (r) => ({ frames: r.u32(), chunks: r.list((q) => ({ first: q.u32(), frames: q.u32(), from: q.f64(), to: q.f64() })) }),
  [ANSWER.IMAGE]: (r) => ({ file: r.u32(), columns: r.u32(), rows: r.u32(), rgba: r.data().slice() }),
  [ANSWER.SERIES]: (r) => { const stride = r.u32(), count = r.u32(), series = r.u32(); return { stride, values: Array.from({ length: series }, () => r.f32s(count).slice()) }; },
  [ANSWER.CHUNK]: (r) => ({ chunk: r.u32(), bytes: r.data().slice() }),
};

// `file:line:column: message`, as far as they are known.
export function sayDiagnostics(list) {
  return list.map(({ file, line, column, message }) => [file, line || '', (line && column) || ''].filter(Boolean).join(':') + (file || line ? ': ' : '') + message).join('\n');
}
