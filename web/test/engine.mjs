// Live runs with the engine: in the page, from file://, and in `cordage view`, over its socket. The same tests for both, with real
// mouse, touch and keyboard.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DESK, eventually, fine, open, PHONE, settle, sharedPage, shot, whereIs } from './browser.mjs';
import { serve } from './serve.mjs';
import { command, everything, newFolder, png } from './support.mjs';

const SCENE = `cordage: 1
title: A rope and a ball
let: {thick: 4 mm, n: 17}
live:
  - {set: let.thick, label: thickness, min: 2 mm, max: 12 mm}
run: {until: 1 s, dt: 5 ms, frames: 20 Hz, start: equilibrium}
strands:
  - name: rope
    look: rope
    colour: "#c8a25e"
    shape: {polyline: {points: [[-0.4, 0, 1], [0, 0, 0.7], [0.4, 0, 1]], vertices: $n}}
    natural: {line: {from: [0, 0, 0], to: [1 m, 0, 0], vertices: $n}}
    material: {density: 1000, young: 5 MPa}
    section: {circle: {radius: $thick}}
    drag: 0.1
    damping: 5 ms
bodies:
  - {name: ball, shape: {sphere: {radius: 5 cm}}, mass: 0.2 kg, position: [0, 0.3, 0.7]}
points:
  - {name: hook, at: [0, 0.3, 0.9]}
clamps:
  - {name: left, at: rope@start}
constraints:
  - {name: right, kind: coincide, first: rope@end, second: [0.4, 0, 1]}
  - {name: string, kind: distance, first: ball, second: hook}
scenery:
  - {stand: {foot: [-0.43, 0, 0.5], to: [[-0.4, 0, 1]], radius: 0.01}}
  - {stand: {foot: [0.43, 0, 0.5], to: [[0.4, 0, 1]], radius: 0.01}}
  - {stand: {foot: [0.2, 0.3, 0.5], to: [[0, 0.3, 0.9]], radius: 0.008}}
images:
  - {file: small.png, position: [-0.25, 0.3, 0.65], width: 10 cm}
probes:
  - {name: middle, of: rope@middle, measure: position}
  - {name: tension, of: rope, measure: tension}
`;

const folder = newFolder(), scene = path.join(folder, 'small.yaml');
writeFileSync(scene, SCENE);
const PIXELS = [255, 0, 0, 255, 0, 128, 0, 255, 0, 0, 64, 255, 200, 100, 50, 255]; // 2 × 2
writeFileSync(path.join(folder, 'small.png'), png(PIXELS, 2, 2));
execFileSync(command, ['run', scene, '--quiet', '--out', path.join(folder, 'out')]);
const recorded = path.join(folder, 'out/index.html');
const hasEngine = readFileSync(recorded, 'latin1').includes('id="engine"'), hasView = spawnSync(command, ['help', 'view']).status === 0;

async function takenOver(options) {
  const page = await open(recorded, options);
  await page.evaluate(() => cordage.player.seek(0.5));
  await page.click('#live');
  await eventually(page, () => cordage.acting && cordage.source.frames > 2 && cordage.player.playing);
  return page;
}

let served = null;
async function viewed(options) {
  served ??= serve(scene);
  const page = await open((await served).address, options);
  await eventually(page, () => cordage.acting);
  await page.evaluate(() => cordage.player.play());
  await eventually(page, () => cordage.source.frames > 2);
  return page;
}

const pause = async (page) => {
  await page.evaluate(() => cordage.player.pause());
  await eventually(page, () => !(cordage.live.frame.flags & 1));
  await settle(page);
};
const height = (page) => page.evaluate(() => { const x = cordage.source.vertices(0, cordage.source.frames - 1, new Float64Array(51)); return x[3 * 8 + 2]; });

// `make test-live` runs all of them, on both transports: minutes where graphics are software's. `make test` runs these, and those of
// the drawing on one transport.
const QUICK = new Set(['it goes on, and follows the clock', 'a rope and a ball are dragged and let go',
  'pinned, unpinned, cut, and undone', 'goes back in time and on from there']);
const QUICK_ONCE = new Set(['motion is drawn coarsely where that is slow, and finely when it rests']);

function suite(name, skip, start) {
  const onDesk = () => start(DESK), livePage = () => sharedPage(onDesk);
  const check = (what, act) => test(`${name}: ${what}`, { skip: skip || !(everything || QUICK.has(what) || (start === takenOver && QUICK_ONCE.has(what))) }, act);

  check('it goes on, and follows the clock', async () => {
    const page = await livePage();
    const before = await page.evaluate(() => cordage.player.time);
    await eventually(page, (t) => cordage.player.time > t + 0.1, before);
    assert.match(await page.textContent('#status'), /^Live/);
    // Taken over at the frame before 0.5 s, it begins there: what was computed to get there would be a straight line in the plots.
    if (start === takenOver) assert.ok(await page.evaluate(() => cordage.source.start) > 0.44);
    assert.deepEqual(await page.evaluate(() => cordage.source.pixels.map((p) => [...p])), [PIXELS]);
    assert.equal(await page.evaluate(() => cordage.view.images.length), 1);
    fine(page);
  });

  check('a rope and a ball are dragged and let go', async () => {
    const page = await livePage(), rest = await height(page);
    for (const [what, index, vertex] of [['strand', 0, 8], ['body', 0, 0]]) {
      const { x, y } = await whereIs(page, what, index, vertex);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 10, y - 60, { steps: 6 });
      await eventually(page, () => cordage.live.frame.holds.length === 1 && Math.hypot(...cordage.live.frame.holds[0].force) > 0);
      if (what === 'strand') await eventually(page, (z) => cordage.source.vertices(0, cordage.source.frames - 1, new Float64Array(51))[26] > z + 0.01, rest);
      if (what === 'strand') await shot(page, 'live-drag');
      await page.mouse.up();
      await eventually(page, () => cordage.live.frame.holds.length === 0);
    }
    fine(page);
  });

  check('motion is drawn coarsely where that is slow, and finely when it rests', async () => {
    const page = await livePage(), drawn = () => page.evaluate(() => [cordage.view.stage.canvas.width, cordage.view.tubes[0].mesh.geometry.index.count, cordage.view.stage.shadows.sun.cast.width]);
    await page.evaluate(() => cordage.player.play());
    await eventually(page, () => cordage.source.frames > 2);
    await page.evaluate(() => { cordage.quality.change(1); }); // without a graphics processor it is coarse already
    await eventually(page, () => cordage.quality.shown > 0);
    const [width, triangles, cover] = await drawn();
    await pause(page);
    const [most, all, fine256] = await drawn();
    assert.ok(width < 0.8 * most && triangles < 0.3 * all && cover < fine256, `${[width, most, triangles, all, cover, fine256]}`);
    await page.evaluate(() => cordage.player.play());
    await eventually(page, () => cordage.quality.shown > 0);
    fine(page);
  });

  check('pinned, unpinned, cut, and undone', async () => {
    const page = await livePage();
    await pause(page);
    const clickAt = async (vertex) => { const { x, y } = await whereIs(page, 'strand', 0, vertex); await page.mouse.click(x, y); };
    await page.keyboard.press('p');
    await clickAt(5);
    await eventually(page, () => cordage.live.frame.attachments.length === 1);
    await clickAt(5);
    await eventually(page, () => cordage.live.frame.attachments.length === 0);
    await page.keyboard.press('x');
    await clickAt(8);
    await eventually(page, () => cordage.source.scene.strands.length === 2);
    await page.evaluate(() => cordage.player.play());
    await eventually(page, (z) => cordage.live.frame.time > z + 0.1, await page.evaluate(() => cordage.live.frame.time));
    await page.keyboard.press('z'); // whole again: rows of a fragment may stay, without extent
    await eventually(page, () => cordage.source.scene.strands.slice(1).every((strand, i) => {
      const x = cordage.source.vertices(i + 1, cordage.source.frames - 1, new Float64Array(3 * strand.vertices));
      return x.every((v, k) => Math.abs(v - x[k % 3]) < 1e-9);
    }));
    await page.keyboard.press('h');
    fine(page);
  });

  check('sliders, gravity and switches', async () => {
    const page = await livePage();
    await page.click('#tab-sliders');
    const thickness = page.locator('.slider', { hasText: 'thickness' }).locator('input[type=range]'), box = await thickness.boundingBox();
    await page.mouse.click(box.x + 0.9 * box.width, box.y + box.height / 2);
    await eventually(page, () => cordage.source.scene.strands[0].radius[0] > 0.009);
    const gravity = page.locator('.slider', { hasText: 'Gravity z' }).locator('input[type=number]');
    await gravity.fill('5');
    await gravity.press('Enter');
    await page.evaluate(() => cordage.player.play());
    await eventually(page, () => cordage.source.vertices(0, cordage.source.frames - 1, new Float64Array(51))[26] > 1);
    await page.click('#sliders .switch:has-text("right") input');
    await eventually(page, () => cordage.live.frame.attached[0] === 0);
    await page.keyboard.press('r');
    await eventually(page, () => cordage.live.frame.attached[0] === 1 && cordage.player.time < 1);
    await page.click('#tab-plots');
    fine(page);
  });

  check('goes back in time and on from there', async () => {
    const page = await livePage();
    await page.evaluate(() => cordage.player.play());
    await eventually(page, () => cordage.source.end - cordage.source.start > 0.3);
    await page.keyboard.press(' ');
    const box = await page.locator('#scrub').boundingBox();
    await page.mouse.click(box.x + 0.5 * box.width, box.y + box.height / 2);
    const [time, end] = await page.evaluate(() => [cordage.player.time, cordage.player.end]);
    assert.ok(time < end - 0.05, 'the picture is not of the past');
    await page.keyboard.press(' ');
    await eventually(page, ([t, e]) => cordage.live.frame.time >= t - 0.01 && cordage.live.frame.time < e && cordage.player.playing, [time, end]);
    fine(page);
  });

  check('edited, broken, mended; a link holds it, and is opened', async () => {
    const page = await livePage();
    await page.keyboard.press('e');
    await page.waitForSelector('.cm-content');
    const line = SCENE.split('\n').findIndex((l) => l.includes('n: 17'));
    await page.locator('.cm-line').nth(line).click();
    await page.keyboard.press('End');
    for (let i = 0; i < 3; i++) await page.keyboard.press('Backspace');
    await page.keyboard.type('21}');
    await eventually(page, () => cordage.source.scene.strands[0].vertices === 21);
    await page.locator('.cm-line').nth(SCENE.split('\n').findIndex((l) => l.includes('damping'))).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('dampening: 3 ms');
    await page.waitForSelector('.cm-lintRange-error');
    assert.match(await page.textContent('#scene-text .errors'), /dampening.*damping/);
    await shot(page, 'live-editor');
    await page.evaluate(() => cordage.player.play());
    const now = await page.evaluate(() => cordage.live.frame.time);
    await eventually(page, (t) => cordage.live.frame.time > t, now); // the old world goes on
    const clear = async () => { for (const key of ['Home', 'Shift+End', 'Delete']) await page.keyboard.press(key); };
    await clear();
    await eventually(page, () => document.querySelectorAll('.cm-lintRange-error').length === 0 && document.querySelector('#scene-text .errors').textContent === '');
    await page.keyboard.type('mate');
    await page.waitForSelector('.cm-tooltip-autocomplete >> text=material');
    await page.keyboard.press('Escape');
    await clear();
    await page.click('#share');
    await page.waitForSelector('#link[open]');
    const link = await page.inputValue('#link-text');
    await page.click('#link-close');
    await page.click('#tab-plots');
    fine(page);
    const other = await open(/^file:/.test(link) ? recorded + link.slice(link.indexOf('#')) : link, { viewport: { width: 400, height: 420 } });
    await eventually(other, () => cordage.acting && cordage.source.scene.strands[0].vertices === 21);
    assert.equal(await other.evaluate(() => Boolean(cordage.live.again)), false, 'it is not a session of its own');
    fine(other);
    await other.close();
  });

  check('a page is saved, which has no way to the server, and goes live', async () => {
    const page = await livePage();
    await page.click('#tab-save');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#save-page')]), file = path.join(folder, 'saved.html');
    await saved.saveAs(file);
    await page.click('#tab-plots');
    const text = readFileSync(file, 'latin1');
    assert.ok(!/id="connection"|token=[0-9a-f]/.test(text), 'it has the token');
    const other = await open(file, { viewport: { width: 400, height: 420 } });
    assert.ok(await other.evaluate(() => cordage.source.frames) > 1);
    await other.click('#live');
    await eventually(other, () => cordage.acting && cordage.source.frames > 2);
    fine(other);
    await other.close();
  });

  check('two fingers, on a phone', async () => {
    const page = await sharedPage(() => start(PHONE));
    const a = await whereIs(page, 'strand', 0, 5), b = await whereIs(page, 'strand', 0, 12);
    const client = await page.context().newCDPSession(page), touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
    await touch('touchStart', a, b);
    for (let i = 1; i <= 4; i++) await touch('touchMove', { x: a.x, y: a.y - 12 * i }, { x: b.x, y: b.y - 12 * i });
    await eventually(page, () => cordage.live.frame.holds.filter((h) => h.own).length === 2);
    await shot(page, 'live-phone');
    await touch('touchEnd');
    await eventually(page, () => cordage.live.frame.holds.filter((h) => h.own).length === 0);
    fine(page);
  });
}

suite('engine in the page', !hasEngine && 'the page has no engine', takenOver);
suite('cordage view', !hasView && 'there is no cordage view', viewed);

test('a link that has lost its end says so, and the page plays what it has', { skip: !everything }, async () => {
  await sharedPage(null);
  const page = await open(`${recorded}#scene=eJyrVkrOzy`, { viewport: { width: 400, height: 420 } });
  assert.match(await page.textContent('#failure'), /in the link cannot be read/);
  assert.ok(await page.evaluate(() => cordage.recording.frames) > 1);
  fine(page);
  await page.close();
});

test('engine in the page: back to the recording, and over again', { skip: !hasEngine || !everything }, async () => {
  await sharedPage(null);
  const page = await takenOver({ viewport: { width: 400, height: 420 } });
  await page.keyboard.press('l');
  await eventually(page, () => cordage.live === null && cordage.source === cordage.recording);
  await page.keyboard.press('l');
  await eventually(page, () => cordage.acting);
  fine(page);
  await page.close();
});

test('cordage view: a page whose server goes while a rope is pulled says so, lets go and plays what it has seen', { skip: !hasView || !everything }, async () => {
  const { server, address } = await serve(scene), page = await open(address, { viewport: { width: 400, height: 420 } });
  await eventually(page, () => cordage.acting);
  const { x, y } = await whereIs(page, 'strand', 0, 8);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 30, { steps: 4 });
  await eventually(page, () => cordage.live.frame.holds.length === 1);
  server.removeAllListeners('exit');
  server.kill('SIGKILL');
  await page.mouse.move(x, y - 50, { steps: 4 });
  await eventually(page, () => /trying again/.test(document.getElementById('toast').textContent));
  await page.mouse.up();
  await eventually(page, () => /^Not connected/.test(document.getElementById('status').textContent));
  assert.match(await page.textContent('#toast'), /start it again/);
  assert.equal(await page.textContent('#labels'), '', 'the hand is still shown');
  assert.deepEqual(page.wrong.filter((text) => !/WebSocket connection/.test(text)), []);
  await page.click('#play');
  await eventually(page, () => cordage.player.playing);
  await page.close();
});

test('cordage view: two pages see one run, and the hold of a page that goes ends', { skip: !hasView || !everything }, async () => {
  const [a, b] = [await viewed({ viewport: { width: 400, height: 420 } }), await viewed({ viewport: { width: 400, height: 420 } })];
  const { x, y } = await whereIs(a, 'strand', 0, 8);
  await a.mouse.move(x, y);
  await a.mouse.down();
  await a.mouse.move(x, y - 40, { steps: 4 });
  await eventually(b, () => cordage.live.frame.holds.length === 1 && !cordage.live.frame.holds[0].own);
  fine(a);
  await a.close();
  await eventually(b, () => cordage.live.frame.holds.length === 0);
  fine(b);
  await b.close();
});
