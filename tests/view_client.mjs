// usage: node view_client.mjs CORDAGE SCENE [rate]
// cordage view, seen by pages: one that works, several that share a run, those that must not come in, one that sends
// anything, disconnects under load, a step that is ended, a recording. Raw sockets: a browser would not send a wrong Host or Origin.
// rate: how many of 60 frames a second come, and how fast the time of the scene passes.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createConnection } from 'node:net';
import { randomBytes } from 'node:crypto';

const [cordage, scene, rate] = process.argv.slice(2);
const HELLO = 1, PLAY = 4, WANT = 9, GRAB = 10, WANT_CHUNK = 28, WELCOME = 129, SCENE = 130, FRAME = 131, DONE = 132, FAILED = 133, CHUNKS = 141, CHUNK = 142;
const assert = (good, what) => { if (!good) throw new Error(what); };
const later = (ms) => new Promise((done) => setTimeout(done, ms));

const folder = mkdtempSync(path.join(tmpdir(), 'cordage-view-'));
let server, port, token, address; // of the server that is talked to
process.on('exit', () => { server?.kill(); rmSync(folder, { recursive: true }); });
async function serve(what) {
  let printed = '';
  server = spawn(cordage, ['view', what, '--no-open', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  server.stdout.on('data', (text) => { printed += text; });
  for (let i = 0; i < 200 && !printed.includes('}'); i++) await later(50);
  ({ port, token, address } = JSON.parse(printed));
}

// It ends when it is told to, also while a step is under way.
async function end() {
  server.kill('SIGINT');
  const code = await new Promise((done) => { server.on('exit', (exit, signal) => done(signal ?? exit)); setTimeout(() => done('still running'), 5000); });
  assert(code === 0 || code === 130, `cordage view ends with ${code}`);
}
await serve(scene);

// A request, and the whole answer.
function get(path, host = `127.0.0.1:${port}`) {
  return new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`));
    let text = '';
    socket.on('data', (part) => { text += part.toString('latin1'); });
    socket.on('error', () => done(text));
    socket.on('close', () => done(text));
  });
}
const status = (answer) => Number(answer.split(' ')[1] ?? 0);

class Socket {
  constructor() { this.got = []; this.rest = Buffer.alloc(0); this.open = false; this.serial = 0; }
  connect({ key = token, host = `127.0.0.1:${port}`, origin = `http://127.0.0.1:${port}` } = {}) {
    return new Promise((done) => {
      this.socket = createConnection(port, '127.0.0.1', () => this.socket.write(
        `GET /?token=${key} HTTP/1.1\r\nHost: ${host}\r\n${origin ? `Origin: ${origin}\r\n` : ''}Upgrade: websocket\r\nConnection: Upgrade\r\n`
        + `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`));
      this.socket.on('data', (part) => {
        this.rest = Buffer.concat([this.rest, part]);
        if (!this.open) {
          const end = this.rest.indexOf('\r\n\r\n');
          if (end < 0) return;
          this.open = this.rest.toString('latin1', 0, 12) === 'HTTP/1.1 101';
          this.rest = this.rest.subarray(end + 4);
          done(this.open);
        }
        this.parse();
      });
      this.socket.on('error', () => done(false));
      this.socket.on('close', () => { this.open = false; this.closed = true; done(false); });
    });
  }
  parse() {
    for (;;) {
      if (this.rest.length < 2) return;
      let size = this.rest[1] & 127, at = 2;
      if (size === 126) { if (this.rest.length < 4) return; size = this.rest.readUInt16BE(2); at = 4; }
      else if (size === 127) { if (this.rest.length < 10) return; size = Number(this.rest.readBigUInt64BE(2)); at = 10; }
      if (this.rest.length < at + size) return;
      if ((this.rest[0] & 15) === 2 || (this.rest[0] & 15) === 0) {
        const bytes = this.rest.subarray(at, at + size);
        this.got.push({ kind: bytes.readUInt32LE(0), serial: bytes.readUInt32LE(4), bytes });
      }
      this.rest = this.rest.subarray(at + size);
    }
  }
  frame(bytes, opcode = 2) {
    const mask = randomBytes(4), head = bytes.length < 126 ? Buffer.from([128 | opcode, 128 | bytes.length]) : Buffer.alloc(4);
    if (bytes.length >= 126) { head[0] = 128 | opcode; head[1] = 254; head.writeUInt16BE(bytes.length, 2); }
    this.socket.write(Buffer.concat([head, mask, bytes.map((b, i) => b ^ mask[i % 4])]));
  }
  send(kind, ...values) {
    const bytes = Buffer.alloc(8 + values.reduce((sum, v) => sum + (Array.isArray(v) ? 8 : 4), 0));
    bytes.writeUInt32LE(kind, 0);
    bytes.writeUInt32LE(++this.serial, 4);
    let at = 8;
    for (const v of values) { if (Array.isArray(v)) { bytes.writeDoubleLE(v[0], at); at += 8; } else { bytes.writeUInt32LE(v, at); at += 4; } }
    this.frame(bytes);
    return this.serial;
  }
  async wait(kind, serial) {
    for (let i = 0; i < 400; i++) {
      const found = this.got.findIndex((m) => m.kind === kind && (serial === undefined || m.serial === serial));
      if (found >= 0) return this.got.splice(found, 1)[0];
      if (this.closed) break;
      await later(25);
    }
    throw new Error(`no message ${kind}`);
  }
}

// For six seconds.
async function measureRate() {
  const page = new Socket();
  await page.connect();
  page.send(HELLO, 1);
  await page.wait(SCENE);
  await page.wait(DONE, page.send(PLAY, [1]));
  const begun = performance.now();
  let frames = 0, first, last, asked = false, next = begun;
  while (performance.now() - begun < 6000) {
    const came = page.got.find((m) => m.kind === FRAME);
    if (came) { last = came.bytes.readDoubleLE(12); first ??= last; frames++; asked = false; }
    page.got.length = 0;
    if (!asked && performance.now() >= next) { page.send(WANT, 15, 0); asked = true; next = Math.max(next + 1000 / 60, performance.now() - 20); }
    await later(1);
  }
  const seconds = (performance.now() - begun) / 1000;
  console.log(`${(frames / seconds).toFixed(1)} frames a second, time × ${((last - first) / seconds).toFixed(2)}`);
}
if (rate === 'rate') {
  await measureRate();
  await end();
  process.exit(0);
}

// The page, and who does not get it.
const page = await get(new URL(address).pathname + new URL(address).search);
assert(status(page) === 200 && page.includes('id="connection"'), 'the page is not served');
assert(status(await get('/')) === 403, 'without a token');
assert(status(await get(`/?token=${'0'.repeat(32)}`)) === 403, 'with a wrong token');
assert(status(await get(`/?token=${token}`, `evil.example:${port}`)) === 403, 'with another Host');
for (const wanted of ['/etc/passwd', '/../../etc/passwd', `/scene.yaml?token=${token}`, '/%2e%2e/'])
  assert([400, 403, 404, 0].includes(status(await get(wanted))), `${wanted} is served`);
for (const wrong of [{ key: 'x' }, { key: '' }, { origin: 'http://evil.example' }, { origin: '' }, { host: `evil.example:${port}` }, { origin: `https://127.0.0.1:${port}` }])
  assert(!await new Socket().connect(wrong), `a socket opens with ${JSON.stringify(wrong)}`);

// A page that works, and a second one that sees the same run.
const a = new Socket(), b = new Socket();
assert(await a.connect() && await b.connect(), 'no socket opens');
a.send(HELLO, 1);
await a.wait(WELCOME);
const text = (await a.wait(SCENE)).bytes;
assert(JSON.parse(text.toString('utf8', 16, 16 + text.readUInt32LE(12))).live.dt > 0, 'SCENE has no step');
await a.wait(DONE, a.send(PLAY, [1]));
b.send(HELLO, 1);
await b.wait(SCENE);
const times = [];
for (let i = 0; i < 5; i++) { b.send(WANT, 15, 0); times.push((await b.wait(FRAME)).bytes.readDoubleLE(12)); await later(30); }
assert(times.at(-1) > times[0] && times[0] > 0, `time does not pass: ${times}`);
await a.wait(DONE, a.send(GRAB, 0, 0, 0, [0], [0], [0]));

// Anything at all; then the others still get frames.
const c = new Socket();
await c.connect();
for (let i = 0; i < 300; i++) {
  const bytes = randomBytes(8 + i % 100);
  bytes.writeUInt32LE(i % 40 === 5 || i % 40 === 7 ? 99 : i % 40, 0);
  c.frame(bytes);
}
await c.wait(FAILED);
const d = new Socket(), e = new Socket();
await d.connect();
d.frame(Buffer.from('not binary'), 1);
await e.connect();
e.socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0xff, 0, 0, 0, 0, 1, 2, 3, 4])); // a message of 1 TB begins
await later(100);

// Disconnects under load: sockets that ask and go.
for (let i = 0; i < 40; i++) {
  const f = new Socket();
  if (!await f.connect()) continue;
  f.send(HELLO, 1);
  for (let k = 0; k < 20; k++) f.send(WANT, 15, 0);
  if (i % 2) f.send(GRAB, i % 16, 0, 0, [0], [0], [0]);
  f.socket.destroy();
}
c.socket.destroy(); d.socket.destroy(); e.socket.destroy();
await later(200);
await b.wait(DONE, b.send(PLAY, [1]));
b.send(WANT, 0, 0);
await b.wait(FRAME);

await end();

// A step that is under way ends when the page pauses: it has no effect.
const slow = path.join(folder, 'slow.yaml');
writeFileSync(slow, `cordage: 1
run: {until: 10 s, dt: 20 ms}
strands:
  - name: rope
    shape: {line: {from: [0, 0, 0], to: [100, 0, 0], vertices: 100001}}
    material: {density: 1000, young: 50 MPa}
    section: {circle: {radius: 10 mm}}
clamps: [{name: left, at: rope@start}]
`);
await serve(slow);
const g = new Socket();
await g.connect();
g.send(HELLO, 1);
await g.wait(SCENE);
g.send(WANT, 0, 0);
assert((await g.wait(FRAME)).bytes.readDoubleLE(12) === 0, 'it does not begin at 0 s');
await g.wait(DONE, g.send(PLAY, [1]));
await later(100);
await g.wait(DONE, g.send(PLAY, [0]));
g.send(WANT, 0, 0);
assert((await g.wait(FRAME)).bytes.readDoubleLE(12) === 0, 'the step was not ended by the pause');
await g.wait(DONE, g.send(PLAY, [1]));
await later(100);
await end();

// A recording: chunks, and what is not one.
execFileSync(cordage, ['run', scene, '--until', '0.5 s', '--format', 'hdf5', '--quiet', '--out', path.join(folder, 'results')]);
await serve(path.join(folder, 'results'));
assert(status(await get('/')) === 403, 'a recording without a token');
const h = new Socket();
assert(await h.connect(), 'no socket opens');
h.send(HELLO, 1);
await h.wait(SCENE);
assert((await h.wait(CHUNKS)).bytes.readUInt32LE(8) > 1, 'it has no frames');
await h.wait(DONE, h.send(WANT_CHUNK, 0));
assert((await h.wait(CHUNK)).bytes.length > 100, 'an empty chunk');
await h.wait(FAILED, h.send(WANT_CHUNK, 1 << 30));
await h.wait(FAILED, h.send(PLAY, [1]));
for (let i = 0; i < 300; i++) h.frame(randomBytes(8 + i % 40));
for (let i = 0; i < 3000; i++) h.send(WANT_CHUNK, 0);
h.socket.destroy();
const k = new Socket();
await k.connect();
k.send(HELLO, 1);
await k.wait(CHUNKS);
await end();
console.log('view: all pages were answered as they should be');
process.exit(0);
