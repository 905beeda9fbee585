// `cordage gallery page`: a site of plain files, opened as files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { close, fine, open, PHONE } from './browser.mjs';
import { command, everything, newFolder, pendulum } from './support.mjs';

const scene = (title, about) => pendulum(`title: ${title}
about: ${about}
paper: some-paper-1999
figure: "figure 3"
run: {until: 0.4 s, dt: 5 ms, frames: 50 Hz}`, 7);
const home = newFolder(), site = path.join(home, 'site');
mkdirSync(path.join(home, 'gallery/der'), { recursive: true });
mkdirSync(path.join(home, 'gallery/cables'));
writeFileSync(path.join(home, 'gallery/der/swing.yaml'), scene('A rope that swings', 'It falls, like a pendulum.'));
writeFileSync(path.join(home, 'gallery/der/bird.yaml'), scene('A bird', 'A perch moves.'));
writeFileSync(path.join(home, 'gallery/cables/hoist.yaml'), scene('A hoist', 'A pulley.'));
writeFileSync(path.join(home, 'gallery/groups.txt'), 'hero: swing\n[Ropes]\nder/\n[Machines]\ncables/\nbird # which is in der/\n');
execFileSync(command, ['gallery', 'page', '--quiet', '--out', site, '--size', '96x54'], { env: { ...process.env, CORDAGE_HOME: home } });
const hasEngine = existsSync(path.join(site, 'engine.js'));

// Pages of the site have no `cordage` of their own: the frame in them has.
const frameOf = async (page) => {
  const frame = page.frames().find((f) => f.url().includes('/runs/'));
  await frame.waitForFunction(() => window.cordage?.loaded);
  return frame;
};

test('the front page: hero, groups, search', { skip: !everything }, async () => {
  const page = await open(path.join(site, 'index.html'), { ...PHONE, plain: true }), frame = await frameOf(page);
  assert.deepEqual(await page.$$eval('h2', (list) => list.map((h) => h.textContent)), ['Ropes 1', 'Machines 2']);
  assert.match(await page.textContent('.card'), /A rope that swings.*Some paper 1999, figure 3$/);
  await page.fill('#search', 'pulley hoist');
  assert.deepEqual(await page.$$eval('.card:not([hidden])', (list) => list.map((c) => c.getAttribute('href'))), ['hoist.html']);
  assert.deepEqual(await page.$$eval('section.group:not([hidden])', (list) => list.length), 1);
  await page.fill('#search', 'nothing has this');
  assert.equal(await page.isVisible('#nothing'), true);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page scrolls sideways');
  if (hasEngine) {
    await frame.click('#live');
    await frame.waitForFunction(() => cordage.acting && cordage.source.frames > 2);
  }
  await close(page);
});

test("a scene's page plays it, and goes live with the engine that all pages share", { skip: !everything || (!hasEngine && 'the engine was not built') }, async () => {
  const text = readFileSync(path.join(site, 'runs/hoist/index.html'), 'latin1');
  assert.match(text, /id="engine" data-src="\.\.\/\.\.\/engine\.js"><\/script>/);
  const page = await open(path.join(site, 'hoist.html'), { plain: true }), frame = await frameOf(page);
  assert.equal(await page.textContent('h1'), 'A hoist');
  assert.equal(await frame.isHidden('h1'), true);
  await frame.click('#live');
  await frame.waitForFunction(() => cordage.acting && cordage.source.frames > 5);
  // What is saved has the engine in it: it may be anywhere.
  const [file] = await Promise.all([page.waitForEvent('download'), frame.evaluate(() => cordage.savePage())]);
  const saved = path.join(home, 'saved.html');
  await file.saveAs(saved);
  fine(page);
  await close(page);
  const again = await open(saved);
  await again.click('#live');
  await again.waitForFunction(() => cordage.acting && cordage.source.frames > 2);
  await close(again);
});
