// usage: node engine.mjs ENGINE.WASM SCENE...
// Runs scenes in the engine, as a page would, and compares their expected results. Prints a line per scene; fails where a
// scene does not meet all of them.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { answers, diagnostics, send, start, Writer, FAILED, OPEN, RESULTS, RESULTS_ARE, SCENE, SEEK, STOPPED } from './session.mjs';

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
