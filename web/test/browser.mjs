// One browser for all tests, pages in it, and looking at them. A page is opened once and used by the tests that follow, each of which
// leaves it as it found it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after } from 'node:test';
import { chromium as engine } from 'playwright-core';
import { chromium, root } from './support.mjs';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const LIMIT = Number(process.env.LIMIT ?? 120000); // ms; only ends what hangs: a slow machine draws slowly

export const DESK = { viewport: { width: 880, height: 500 } };
export const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

let started = null;
after(async () => { if (started) await (await started).close(); });

// Opens a page and gathers what goes wrong in it; what the graphics driver says about speed is no error.
// `plain`: it is not a page of a run itself.
export async function open(address, { plain = false, ...options } = DESK) {
  started ??= engine.launch({ executablePath: chromium, args: FLAGS });
  const page = await (await started).newPage({ reducedMotion: 'reduce', ...options });
  page.setDefaultTimeout(LIMIT);
  page.wrong = [];
  page.on('console', (m) => { if (m.type() === 'error') page.wrong.push(m.text()); });
  page.on('pageerror', (error) => page.wrong.push(error.stack ?? error.message));
  page.on('request', (r) => { if (!page.allowed?.test(r.url()) && !/^(file|data|blob):/.test(r.url())) page.wrong.push(`asked for ${r.url()}`); });
  if (/^https?:/.test(address)) page.allowed = new RegExp(`^(http|ws)://${new URL(address).host}/`);
  await page.goto(/^https?:/.test(address) ? address : `${pathToFileURL(address.replace(/#.*/, '')).href}${/#.*/.exec(address)?.[0] ?? ''}`);
  if (plain) return page;
  await page.waitForFunction(() => window.cordage?.loaded || /could not|Nothing/.test(document.getElementById('message').textContent));
  await settle(page);
  return page;
}

// The page that the tests of one part share, opened by `start`. That of the part before is closed: a live page that nobody
// looks at would draw on, and graphics are software's here.
let kept = { start: null, page: null };
export async function sharedPage(start) {
  if (kept.start !== start) {
    const { page } = kept;
    kept = { start, page: start?.() ?? null };
    await (await page)?.close();
  }
  return kept.page;
}

export function fine(page) {
  assert.deepEqual(page.wrong, []);
}

export async function close(page) {
  fine(page);
  await page.close();
}


// Until the picture is drawn: what stands still, at full quality.
export const settle = (page) => page.evaluate(() => new Promise((done) => {
  const look = () => {
    const { quality, player } = window.cordage ?? {};
    if (quality && player && !player.playing && (quality.shown > 0 || cordage.view?.stage.dirty)) requestAnimationFrame(look);
    else setTimeout(done, 20);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
}));

// For the documents: CORDAGE_SHOTS=docs/pictures make test-live writes the pictures that docs/live.md shows, in a window of usual
// size (but a phone's), of a moment: what stands still is drawn finely.
export async function shot(page, name) {
  if (!process.env.CORDAGE_SHOTS) return;
  const size = page.viewportSize(), playing = await page.evaluate(() => cordage.player.playing);
  if (size.width > PHONE.viewport.width) await page.setViewportSize({ width: 1200, height: 700 });
  await page.evaluate(() => cordage.player.pause());
  await settle(page);
  await page.screenshot({ path: path.resolve(root, process.env.CORDAGE_SHOTS, `${name}.png`) });
  await page.setViewportSize(size);
  if (playing) await page.evaluate(() => cordage.player.play());
}

// Until a condition in the page is true.
export const eventually = (page, condition, argument) => page.waitForFunction(condition, argument, { polling: 30 });

export async function until(condition, message) {
  for (const begin = Date.now(); !await condition();) {
    assert.ok(Date.now() - begin < LIMIT, message);
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

export const time = (page) => page.evaluate(() => cordage.player.time);

// The canvas as numbers, small: 96 × 64, three to a pixel.
export const look = (page) => page.evaluate(() => {
  const small = Object.assign(document.createElement('canvas'), { width: 96, height: 64 });
  const context = small.getContext('2d');
  context.drawImage(document.getElementById('view'), 0, 0, 96, 64);
  return [...context.getImageData(0, 0, 96, 64).data].filter((_, i) => i % 4 < 3);
});

// How many pixels of two pictures differ.
export function difference(a, b) {
  let pixels = 0;
  for (let i = 0; i < a.length; i += 3) {
    if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24) pixels++;
  }
  return pixels;
}

export const colours = (picture) => new Set(Array.from({ length: picture.length / 3 }, (_, i) => picture.slice(3 * i, 3 * i + 3).map((c) => c >> 3).join())).size;

// Where a vertex of a strand, a body or an anchor is on the page now.
export const whereIs = (page, what, index, vertex = 0) => page.evaluate(([kind, i, v]) => {
  const { view, source, player } = cordage, { stage } = view, box = stage.canvas.getBoundingClientRect();
  const place = kind === 'strand' ? source.vertices(i, player.frame, new Float64Array(3 * source.scene.strands[i].vertices)).subarray(3 * v, 3 * v + 3)
    : kind === 'anchor' ? source.point(source.scene.anchors[i].point, player.frame).place : source.body(i, player.frame).place;
  const p = stage.camera.position.clone().set(...place).project(stage.camera);
  return { x: box.left + (p.x + 1) / 2 * box.width, y: box.top + (1 - p.y) / 2 * box.height };
}, [what, index, vertex]);
