// usage: node measure.mjs CORDAGE [DOCUMENT]
// Measures live pages in headless Chromium, on both transports: from a mouse event to the frame that shows its effect and to the end of
// drawing it, pictures per second, and the rate of simulated time; and what a picture takes: the session's time in steps and the page's
// in scripts. Prints a table; with DOCUMENT, writes it between
// <!-- measured --> and <!-- /measured --> there.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [command = path.join(root, 'build/cordage'), document] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'cordage-measure-'));
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const SIZE = { width: 360, height: 480 }; // small: software draws, where there is no graphics processor
const DRAGS = 24, GAP = 50; // mouse events, ms between them

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
  const at = await page.evaluate(() => {
    const { view, source, player } = cordage, n = source.scene.strands[0].vertices, x = source.vertices(0, player.frame, new Float64Array(3 * n)), v = 3 * Math.floor(n / 2);
    const p = view.stage.camera.position.clone().set(x[v], x[v + 1], x[v + 2]).project(view.stage.camera), box = view.stage.canvas.getBoundingClientRect();
    return { x: box.left + (p.x + 1) / 2 * box.width, y: box.top + (1 - p.y) / 2 * box.height };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  const begun = Date.now(), state = () => page.evaluate(() => [cordage.player.time, measured.pictures, cordage.live.frame.spent, cordage.live.frame.time]), start = await state();
  for (let i = 0; i < DRAGS; i++) {
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

async function overSocket(browser, scene) {
  const server = spawn(command, ['view', scene, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve) => {
    let text = '';
    server.stdout.on('data', (data) => { text += data; const found = /https?:\/\/\S+/.exec(text); if (found) resolve(found[0]); });
  });
  const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
  try {
    await page.goto(address);
    return await measure(page);
  } finally {
    await page.close();
    server.kill();
  }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
const rows = [];
for (const [name, scene] of SCENES) {
  for (const [where, how] of [['in the page', inPage], ['`cordage view`', overSocket]]) {
    const { came, drawn, pictures, rate, steps, scripts } = await how(browser, scene);
    rows.push(`| ${name} | ${where} | ${came.toFixed(0)} ms | ${drawn.toFixed(0)} ms | ${pictures.toFixed(0)} | ${rate.toFixed(2)} | ${steps.toFixed(1)} ms | ${scripts.toFixed(1)} ms |`);
    console.log(rows.at(-1));
  }
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
const table = `Medians of ${DRAGS} mouse events, at ${SIZE.width} × ${SIZE.height}, in headless Chromium on ${cpus().length} cores (${cpus()[0].model.trim()}), without a graphics processor: drawing is software, which takes most of the time from the frame to the picture. The last two columns are what a picture takes elsewhere: steps of 1/60 s of simulated time, and scripts of the page.

| scene | engine | event to frame | event to picture | pictures per second | time × | steps for 1/60 s | scripts |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
if (document) writeFileSync(document, readFileSync(document, 'utf8').replace(/<!-- measured -->[^]*<!-- \/measured -->/, () => `<!-- measured -->\n${table}<!-- /measured -->`));
