// A live run in the page, with a session that is a few lines of script: what the page sends, and what it makes of the answers.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { DESK, eventually, fine, open, PHONE, settle, sharedPage, whereIs } from './browser.mjs';
import { root, run } from './support.mjs';

const rope = () => path.join(run('gallery/der/hanging-rope.yaml', '--until', '0.2 s'), 'index.html');
const script = build({ entryPoints: [path.join(root, 'web/test/fake_session.js')], bundle: true, write: false, format: 'iife' }).then((r) => r.outputFiles[0].text);

async function start(options) {
  const page = await open(rope(), options);
  await page.evaluate(await script);
  await begin(page);
  return page;
}

async function begin(page) {
  await page.evaluate(async () => {
    cordage.setOpened({ files: [{ name: 'chain.yaml', bytes: new TextEncoder().encode('title: chain\nbeads: 15\n') }], overrides: [] });
    cordage.startLive((callbacks) => (window.fake = new FakeSession(callbacks)), false);
    cordage.live.keepFirst = 'nothing';
    await cordage.open({});
  });
  await eventually(page, () => cordage.acting && cordage.source.frames > 2);
}

const onDesk = () => start(DESK), livePage = () => sharedPage(onDesk);

const sent = (page, name) => page.evaluate((n) => fake.log.filter((c) => c === n).length, name);

test('live: begins, goes on, says that it is live', async () => {
  const page = await livePage();
  assert.match(await page.textContent('#status'), /^Live/);
  assert.equal(await page.title(), 'A chain');
  assert.ok(await page.isVisible('#tools') && await page.isVisible('#tab-sliders') && await page.isVisible('#undo'));
  const first = await page.evaluate(() => cordage.player.time);
  await eventually(page, (t) => cordage.player.time > t, first);
  fine(page);
});

test('live: dragging a strand pulls it, and shows the force; letting go lets go', async () => {
  const page = await livePage();
  const { x, y } = await whereIs(page, 'strand', 0, 12);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y - 20, { steps: 4 });
  await eventually(page, () => cordage.live.frame.holds.length === 1 && Math.hypot(...cordage.live.frame.holds[0].force) > 1);
  await eventually(page, () => / N$/.test(document.getElementById('labels').textContent));
  await page.mouse.up();
  await eventually(page, () => cordage.live.frame.holds.length === 0);
  assert.equal(await page.evaluate(() => cordage.view.stage.controls.enabled), true);
  fine(page);
});

test('live: pause, step, restart, speed', async () => {
  const page = await livePage();
  await page.keyboard.press(' ');
  await eventually(page, () => fake.speed === 0);
  await settle(page);
  const time = await page.evaluate(() => fake.time);
  await page.click('#forward');
  await eventually(page, (t) => Math.abs(cordage.player.time - t - 0.002) < 1e-6, time);
  await page.selectOption('#speed', '0.5');
  await page.click('#play');
  await eventually(page, () => fake.speed === 0.5);
  await page.selectOption('#speed', '1');
  await eventually(page, () => fake.speed === 1);
  await page.keyboard.press('r');
  await eventually(page, () => fake.log.includes('RESTART') && cordage.player.time < 0.5 && cordage.player.playing);
  fine(page);
});

test('live: pin, unpin, weigh, cut, and undo each', async () => {
  const page = await livePage();
  const clickAt = async (vertex) => { const { x, y } = await whereIs(page, 'strand', 0, vertex); await page.mouse.click(x, y); };
  await page.evaluate(() => cordage.player.pause());
  await settle(page);
  await page.keyboard.press('p');
  await clickAt(8);
  await eventually(page, () => cordage.live.frame.attachments.length === 1);
  await clickAt(8); // the pin that is there
  await eventually(page, () => cordage.live.frame.attachments.length === 0);
  await page.keyboard.press('z');
  await eventually(page, () => cordage.live.frame.attachments.length === 1);
  await page.keyboard.press('z');
  await eventually(page, () => cordage.live.frame.attachments.length === 0);
  await page.click('[data-tool=weight]');
  await page.fill('#mass', '0.25');
  await clickAt(10);
  await eventually(page, () => cordage.live.frame.attachments[0]?.mass === 0.25);
  await page.click('[data-tool=cut]');
  await clickAt(5);
  await eventually(page, () => cordage.source.scene.strands.length === 2);
  assert.equal(await page.textContent('#legend'), 'chain × 2');
  await page.click('#undo');
  await eventually(page, () => cordage.source.scene.strands.length === 1);
  await page.click('[data-tool=cut]');
  await clickAt(14);
  await eventually(page, () => /too near to an end/.test(document.getElementById('toast').textContent));
  await page.keyboard.press('h');
  await page.evaluate(() => cordage.player.play());
  fine(page);
});

test('live: the card of a strand has the tools, too', async () => {
  const page = await livePage();
  await page.evaluate(() => cordage.player.pause());
  await settle(page);
  const { x, y } = await whereIs(page, 'strand', 0, 6);
  await page.mouse.click(x, y);
  await page.waitForSelector('#card:visible');
  assert.match(await page.innerText('#card'), /chain\[0\][^]*tension[^]*Pin[^]*Cut[^]*Weight/);
  const before = await sent(page, 'PIN');
  await page.click('#card >> text=Pin');
  assert.equal(await sent(page, 'PIN'), before + 1);
  await page.keyboard.press('z');
  await page.keyboard.press('Escape');
  fine(page);
});

test('live: handles move and turn a clamp', async () => {
  const page = await livePage();
  const { x, y } = await whereIs(page, 'anchor', 0);
  await page.mouse.click(x, y);
  await page.waitForSelector('#card:visible');
  assert.match(await page.innerText('#card'), /hook[^]*Move[^]*Turn/);
  await settle(page);
  // The middle, which moves across the line of sight.
  await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.down();
  await page.mouse.move(x, y + 30, { steps: 3 });
  await page.mouse.up();
  await eventually(page, () => fake.hook[2] < 0.99);
  await page.click('#card >> text=Turn');
  assert.equal(await page.evaluate(() => cordage.tools.handles.controls.mode), 'rotate');
  await page.keyboard.press('Escape');
  fine(page);
});

test('live: sliders and switches', async () => {
  const page = await livePage();
  await page.click('#tab-sliders');
  const mass = page.locator('.slider', { hasText: 'mass' });
  await mass.locator('input[type=number]').fill('2.5');
  await mass.locator('input[type=number]').press('Enter');
  await eventually(page, () => fake.mass === 2.5);
  const gravity = page.locator('.slider', { hasText: 'Gravity y' }).locator('input[type=range]');
  const box = await gravity.boundingBox();
  await page.mouse.click(box.x + 0.8 * box.width, box.y + box.height / 2);
  await eventually(page, () => fake.gravity[1] > 5);
  await page.click('#sliders .switch input');
  await eventually(page, () => fake.hung === false && cordage.live.frame.attached[0] === 0);
  await page.click('#sliders .switch input');
  await eventually(page, () => cordage.live.frame.attached[0] === 1);
  await page.click('#tab-plots');
  await eventually(page, () => document.querySelectorAll('#plots figure').length === 2);
  fine(page);
});

test('live: goes back in time and on from there', async () => {
  const page = await livePage();
  await page.evaluate(() => cordage.player.play());
  await eventually(page, () => cordage.source.frames > 12);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const [time, end] = await page.evaluate(() => [cordage.player.time, cordage.player.end]);
  assert.ok(time < end, 'it did not go back');
  assert.equal(await page.evaluate(() => fake.speed), 0);
  const back = await sent(page, 'BACK');
  await page.keyboard.press(' ');
  await eventually(page, (n) => fake.log.filter((c) => c === 'BACK').length > n && fake.speed > 0, back);
  fine(page);
});

test('live: the text is edited, broken and mended; a link holds it', async () => {
  const page = await livePage();
  await page.keyboard.press('e');
  await page.waitForSelector('.cm-content');
  await page.click('.cm-line >> nth=1');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('8');
  await eventually(page, () => cordage.source.scene.strands[0].vertices === 18);
  assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
  await page.keyboard.press('Enter');
  await page.keyboard.type('broken: 1');
  await page.waitForSelector('.cm-lintRange-error');
  assert.match(await page.textContent('#scene-text .errors'), /line 3: unknown key "broken"/);
  const now = await page.evaluate(() => cordage.player.time);
  await eventually(page, (t) => cordage.player.time > t, now); // the old world goes on
  for (let i = 0; i < 10; i++) await page.keyboard.press('Backspace');
  await eventually(page, () => document.querySelectorAll('.cm-lintRange-error').length === 0);
  await page.keyboard.press('Enter');
  await page.keyboard.type('tit');
  await page.waitForSelector('.cm-tooltip-autocomplete >> text=title');
  await page.keyboard.press('Escape');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Backspace');
  await page.click('#share');
  await page.waitForSelector('#link[open]');
  const link = await page.inputValue('#link-text');
  assert.match(link, /^file:.*index\.html#scene=[\w-]+$/);
  await page.click('#link-close');
  await page.click('#tab-plots');
  fine(page);
});

test('live: values and a page are saved, and the page plays', async () => {
  const page = await livePage();
  await page.click('#tab-save');
  const [values] = await Promise.all([page.waitForEvent('download'), page.click('#save-values')]);
  const { readFileSync } = await import('node:fs');
  const rows = readFileSync(await values.path(), 'utf8').trim().split('\n');
  assert.equal(rows[0], 'time [s],energy.kinetic [J],tip.z [m],tip.y [m]');
  assert.ok(rows.length > 5 && rows[2].split(',').length === 4);
  await page.evaluate(() => cordage.player.pause());
  await settle(page);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#save-page')]);
  const frames = await page.evaluate(() => cordage.source.frames), x = await page.evaluate(() => [...cordage.source.vertices(0, cordage.source.frames - 1, new Float64Array(3 * cordage.source.scene.strands[0].vertices))]);
  const { copyFileSync } = await import('node:fs'), { newFolder } = await import('./support.mjs'), file = path.join(newFolder(), 'saved.html');
  copyFileSync(await saved.path(), file);
  const other = await open(file);
  assert.equal(await other.evaluate(() => cordage.source.frames), frames);
  const y = await other.evaluate(() => [...cordage.source.vertices(0, cordage.source.frames - 1, new Float64Array(3 * cordage.source.scene.strands[0].vertices))]);
  x.forEach((v, i) => assert.ok(Math.abs(v - y[i]) < 1e-4, `${v} became ${y[i]}`));
  fine(other);
  await other.close();
  await page.click('#tab-plots');
  fine(page);
});

test('live: a run that fails beyond the end of its scene says so, and begins again', async () => {
  const page = await livePage();
  await page.evaluate(() => fake.stop('the rope has come to its end'));
  await page.waitForSelector('#failure:visible');
  assert.match(await page.textContent('#failure'), /^This scene ends at 0\.1 s; beyond that, the simulation has stopped: the rope has come to its end/);
  await page.click('#failure >> text=From the start');
  await eventually(page, () => cordage.player.time < 0.5 && document.getElementById('failure').hidden);
  await page.evaluate(() => cordage.player.play());
  fine(page);
});

test('live: a session that is lost leaves the recording', async () => {
  const page = await livePage();
  await page.evaluate(() => fake.vanish('the engine has ended'));
  await eventually(page, () => cordage.live === null && cordage.source === cordage.recording);
  assert.match(await page.textContent('#toast'), /the engine has ended/);
  assert.ok(await page.isHidden('#tools'));
  await begin(page);
  fine(page);
});

test('live: several fingers pull, on a phone', async () => {
  const page = await sharedPage(() => start(PHONE));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  const a = await whereIs(page, 'strand', 0, 6), b = await whereIs(page, 'strand', 0, 13);
  const client = await page.context().newCDPSession(page), touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  await touch('touchStart', a, b);
  for (let i = 1; i <= 4; i++) await touch('touchMove', { x: a.x + 10 * i, y: a.y }, { x: b.x - 10 * i, y: b.y });
  await eventually(page, () => cordage.live.frame.holds.length === 2);
  await touch('touchEnd');
  await eventually(page, () => cordage.live.frame.holds.length === 0);
  fine(page);
});

test('live: on a phone, the picture stays in sight while sliders are moved, and fingers find their targets', async () => {
  const page = await sharedPage(() => start(PHONE));
  await page.tap('#tab-sliders');
  await page.locator('#sliders .switch input').last().scrollIntoViewIfNeeded();
  const [top, bottom] = await page.evaluate(() => { const { top: t, bottom: b } = document.getElementById('view').getBoundingClientRect(); return [t, b]; });
  assert.ok(top >= -1 && bottom > 100 && bottom < 0.6 * PHONE.viewport.height, `the picture is from ${top} to ${bottom}`);
  const small = await page.evaluate(() => [...document.querySelectorAll('#sliders input[type=range], #sliders input[type=number], #sliders .switch, #tabs button')]
    .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44).map((e) => e.getAttribute('aria-label') ?? e.textContent));
  assert.deepEqual(small, []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  await page.tap('#tab-plots');
  fine(page);
});
