// usage: node take_over.mjs PAGE.HTML [FRAME]
// Takes a recorded page over: the engine, the files and the last state at or before a frame are those in the page. Fails
// unless the engine accepts the native state and steps on from it.
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { answers, diagnostics, send, start, Writer, DONE, FAILED, OPEN, SCENE, STEP, WARNED } from './session.mjs';

const page = readFileSync(process.argv[2], 'utf8'), frame = Number(process.argv[3] ?? 1e9);
const part = (pattern) => page.match(pattern)?.[1];
const packed = (text) => inflateSync(Buffer.from(text, 'base64'));
const { files, overrides } = JSON.parse(part(/<script type="application\/json" id="files">([^]*?)<\/script>/));
const states = [...page.matchAll(/class="state" data-frame="(\d+)" data-time="([^"]*)">([^<]*)</g)].filter((s) => Number(s[1]) <= frame);
const [, , time, state] = states.at(-1);
const engine = await start(await WebAssembly.compile(packed(part(/id="engine">([^<]*)</))));

const open = new Writer(OPEN, 1).u32(0).u32(files.length);
for (const f of files) open.text(f.name).bytes(f.text === undefined ? Buffer.from(f.base64, 'base64') : new TextEncoder().encode(f.text));
open.u32(overrides.length);
for (const o of overrides) open.text(o);
send(engine, open.bytes(packed(state)).f64(0).done());
let reached = NaN, done = 0;
const check = () => {
  for (const { kind, r } of answers(engine)) {
    if (kind === FAILED || kind === WARNED) throw new Error(diagnostics(r));
    if (kind === SCENE) { r.u32(); reached = JSON.parse(r.text()).live.time; }
    done += kind === DONE;
  }
};
check();
if (Math.abs(reached - Number(time)) > 1e-6) throw new Error(`the session is at ${reached} s, not at ${time} s`);
send(engine, new Writer(STEP, 2).u32(20).done());
check();
if (done !== 2) throw new Error('a command was not answered');
console.log(`taken over at ${reached} s, and 20 steps on`);
