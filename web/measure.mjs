// usage: node measure.mjs CORDAGE [DOCUMENT [SCENE]]
// Measures live pages in headless Chromium, on both transports: from a mouse event to the frame that shows its effect and to the end of
// drawing it, pictures per second, and the rate of simulated time; and what a picture takes: the session's time in steps and the page's
// in scripts; and frames without drawing. Prints tables (with SCENE: of that one alone); with DOCUMENT ("": none), writes them between
// <!-- measured --> and <!-- /measured --> there.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [command = path.join(root, 'build/cordage'), document, only] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'cordage-measure-'));
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const SIZE = { width: 360, height: 480 }; // small: software draws, where there is no graphics processor
const DRAGS = 24, LEAST = 4, GAP = 50, LONGEST = 30; // mouse events, at least, ms between them, s for all of them

const many = path.join(folder, 'hundred.yaml');
writeFileSync(many, `cordage: 1
title: 100 strands of 100 vertices
run: {until: 10 s, dt: 4 ms, frames: 60 Hz}
strands:
  - {name: hair, repeat: {count: 100, offset: [1 cm, 0, 0]}, shape: {line: {from: [0, 0, 1], to: [0, 40 cm, 1], vertices: 100}}, material: nylon, section: {circle: {radius: 1 mm}}, damping: 5 ms}
clamps:
  - {at: "hair[$i]@start", repeat: {count: 100}}
`);
const SCENES = [['rope', path.join(root, 'gallery/der/hanging-rope.yaml')], ['line shaft', path.join(root, 'gallery/cables/line-shaft.yaml')],
  ['100 × 100', many], ['knot', path.join(root, 'gallery/contact/knot-trefoil.yaml')]];

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

// In the page: the serial of each drag with the time of its event, then when its frame has come and was drawn.
function watch() {
  const { tools } = cordage, waiting = [];
  window.measured = { came: [], drawn: [], pictures: 0, scripts: 0, refreshed: 0 };
  const { refresh } = cordage;
  cordage.refresh = function timed() { // without the drawing itself, which is the graphics processor's
    const begun = performance.now();
    refresh.call(cordage);
    measured.scripts += performance.now() - begun;
    measured.refreshed++;
  };
  tools.sent = (serial, event) => waiting.push({ serial, event });
  const arrived = cordage.live.on.arrived;
  cordage.live.on.arrived = (frame) => {
    const now = performance.now();
    for (const w of waiting) if (w.serial <= frame.command && !w.came) { w.came = true; measured.came.push(now - w.event); }
    measured.pictures++;
    arrived(frame);
  };
  cordage.drawn = () => {
    const now = performance.now();
    while (waiting[0]?.came) measured.drawn.push(now - waiting.shift().event);
  };
}

async function measure(page) {
  await page.waitForFunction(() => window.cordage?.acting && cordage.source?.frames > 3, null, { timeout: 120000 });
  await page.evaluate(watch);
  await page.evaluate(() => cordage.player.pause()); // what moves would not be where it is taken hold of
  await page.waitForFunction(() => !(cordage.live.frame.flags & 1));
  const at = await page.evaluate(() => {
    const { view, source, player } = cordage, n = source.scene.strands[0].vertices, x = source.vertices(0, player.frame, new Float64Array(3 * n)), v = 3 * Math.floor(n / 2);
    const p = view.stage.camera.position.clone().set(x[v], x[v + 1], x[v + 2]).project(view.stage.camera), box = view.stage.canvas.getBoundingClientRect();
    return { x: box.left + (p.x + 1) / 2 * box.width, y: box.top + (1 - p.y) / 2 * box.height };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.evaluate(() => cordage.player.play());
  const begun = Date.now(), state = () => page.evaluate(() => [cordage.player.time, measured.pictures, cordage.live.frame.spent, cordage.live.frame.time]), start = await state();
  for (let i = 0; i < DRAGS && (i < LEAST || Date.now() - begun < 1000 * LONGEST); i++) {
    await page.mouse.move(at.x + 40 * Math.sin(i / 4), at.y - 10 - 20 * Math.sin(i / 7));
    await new Promise((done) => { setTimeout(done, GAP); });
  }
  const seconds = (Date.now() - begun) / 1000, end = await state();
  await page.mouse.up();
  const { came, drawn, scripts, refreshed } = await page.evaluate(() => measured);
  return { came: middle(came), drawn: middle(drawn), pictures: (end[1] - start[1]) / seconds, rate: (end[0] - start[0]) / seconds,
    steps: 1000 * (end[2] - start[2]) / (end[3] - start[3]) / 60, scripts: scripts / refreshed };
}

// The page of a run, taken over from its start.
async function inPage(browser, scene) {
  const out = path.join(folder, 'run');
  rmSync(out, { recursive: true, force: true });
  execFileSync(command, ['run', scene, '--quiet', '--until', '0.05 s', '--out', out]);
  const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
  await page.goto(pathToFileURL(path.join(out, 'index.html')).href);
  await page.waitForFunction(() => window.cordage?.loaded);
  await page.click('#live');
  const result = await measure(page);
  await page.close();
  return result;
}

// Acts with the address and the process of `cordage view`.
async function serving(scene, act) {
  const server = spawn(command, ['view', scene, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve) => {
    let text = '';
    server.stdout.on('data', (data) => { text += data; const found = /https?:\/\/\S+/.exec(text); if (found) resolve(found[0]); });
  });
  try {
    return await act(address, server);
  } finally {
    server.kill();
  }
}

function overSocket(browser, scene) {
  return serving(scene, async (address) => {
    const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
    await page.goto(address);
    const result = await measure(page);
    await page.close();
    return result;
  });
}

// In an empty page: frames from `cordage view` at the rate of the display, without drawing them. Kinds are those of message.h.
async function takeFrames({ address, seconds }) {
  const HELLO = 1, PLAY = 4, WANT = 9, FRAME = 131, WELCOME = 129;
  const socket = new WebSocket(address.replace(/^http/, 'ws'), 'cordage-live');
  socket.binaryType = 'arraybuffer';
  const send = (kind, ...words) => socket.send(new Uint32Array([kind, 1, ...words]));
  const count = { frames: 0, bytes: 0 };
  let first, last, started, waiting = false;
  socket.onopen = () => send(HELLO, 1);
  await new Promise((resolve, reject) => {
    socket.onerror = socket.onclose = () => reject(new Error('the connection has ended'));
    const picture = () => {
      if (started && performance.now() - started > 1000 * seconds) return resolve();
      if (!waiting) { waiting = true; send(WANT, 0, 0); }
      return requestAnimationFrame(picture);
    };
    socket.onmessage = ({ data }) => {
      const kind = new Uint32Array(data, 0, 1)[0];
      if (kind === WELCOME) { send(PLAY, 0, 0x3ff00000); requestAnimationFrame(picture); } // 1.0, little-endian
      if (kind !== FRAME) return;
      waiting = false;
      last = new DataView(data).getFloat64(12, true);
      if (!started) { started = performance.now(); first = last; return; }
      count.frames++;
      count.bytes += data.byteLength;
    };
  });
  const passed = (performance.now() - started) / 1000;
  return { rate: count.frames / passed, time: (last - first) / passed, bytes: count.bytes / count.frames };
}

// User and system time of a process so far, s.
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function withoutDrawing(browser, scene) {
  return serving(scene, async (address, server) => {
    const page = await browser.newPage();
    await page.goto(new URL('/nothing', address).href); // a page of the server's origin, which draws nothing
    const before = processorTime(server.pid), seconds = 5, result = await page.evaluate(takeFrames, { address, seconds });
    const spent = processorTime(server.pid) - before;
    await page.close();
    return { ...result, spent: 1000 * spent / (result.time * seconds) / 60 };
  });
}

// With a browser of its own, which a scene before it has not used up.
async function inBrowser(act, scene) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  try {
    return await act(browser, scene);
  } finally {
    await browser.close();
  }
}

const rows = [], undrawn = [], [loadBefore] = loadavg(); // what else the machine does
for (const [name, scene] of SCENES.filter(([name]) => !only || name === only)) {
  const { rate, time, bytes, spent } = await inBrowser(withoutDrawing, scene);
  undrawn.push(`| ${name} | ${rate.toFixed(0)} | ${time.toFixed(2)} | ${spent.toFixed(1)} ms | ${(bytes / 1000).toFixed(0)} kB |`);
  console.log(undrawn.at(-1));
  for (const [where, how] of [['in the page', inPage], ['`cordage view`', overSocket]]) {
    const { came, drawn, pictures, rate, steps, scripts } = await inBrowser(how, scene);
    rows.push(`| ${name} | ${where} | ${came.toFixed(0)} ms | ${drawn.toFixed(0)} ms | ${pictures.toFixed(0)} | ${rate.toFixed(2)} | ${steps.toFixed(1)} ms | ${scripts.toFixed(1)} ms |`);
    console.log(rows.at(-1));
  }
}
rmSync(folder, { recursive: true, force: true });
const table = `Medians of ${DRAGS} mouse events (fewer where they take more than ${LONGEST} s), at ${SIZE.width} × ${SIZE.height}, in headless Chromium on ${cpus().length} cores (${cpus()[0].model.trim()}), without a graphics processor, at a load average of ${loadBefore.toFixed(1)} before it: drawing is software, which takes most of the time from the frame to the picture. The last two columns are what a picture takes elsewhere: steps of 1/60 s of simulated time, and scripts of the page.

| scene | engine | event to frame | event to picture | pictures per second | time × | steps for 1/60 s | scripts |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Frames from \`cordage view\` to a page that asks for one at every refresh of the display and does not draw it, with the processor time of the command:

| scene | frames per second | time × | processor time for 1/60 s | a frame |
|---|---|---|---|---|
${undrawn.join('\n')}
`;
if (document) writeFileSync(document, readFileSync(document, 'utf8').replace(/<!-- measured -->[^]*<!-- \/measured -->/, () => `<!-- measured -->\n${table}<!-- /measured -->`));
