// `cordage view RECORDING`: the page loads chunks of frames as it shows them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { close, eventually, open, sharedPage } from './browser.mjs';
import { serve } from './serve.mjs';
import { command, everything, newFolder, pendulum, png, readPage } from './support.mjs';

// 3601 frames: 31 chunks of 120, more than the page keeps.
const SCENE = `${pendulum('title: A pendulum\nrun: {until: 3.6 s, dt: 1 ms, frames: 1000 Hz}', 4)}probes: [{name: tip, of: rope@end, measure: position}]
`;
const folder = newFolder(), scene = path.join(folder, 'long.yaml'), results = path.join(folder, 'long-results'), recording = path.join(results, 'recording.h5');
const hasView = spawnSync(command, ['help', 'view']).status === 0;
if (hasView) {
  writeFileSync(scene, SCENE);
  execFileSync(command, ['run', scene, '--quiet', '--out', results, '--format', 'hdf5', '--format', 'html']);
}

const hasEngine = hasView && readFileSync(path.join(results, 'index.html'), 'latin1').includes('id="engine"');

const same = (page, frame) => page.evaluate((f) => [...cordage.source.vertices(0, f, new Float64Array(12))], frame);

test('a recording larger than the window of the page', { skip: !everything || (!hasView && 'cordage view was not built') }, async () => {
  await sharedPage(null);
  const whole = await readPage(results), { address, server } = await serve(results);
  const page = await open(address);
  await eventually(page, () => cordage.source?.frames === 3601);
  assert.equal(await page.textContent('#title'), 'A pendulum');
  // The plots show the whole, chunks or not.
  const known = await page.evaluate(() => cordage.source.series.at(-1).filter(Number.isFinite).length);
  assert.ok(known > 1500, `${known} values of the plot`);
  for (let frame = 0; frame < 3600; frame += 60) {
    await page.evaluate((f) => cordage.player.seek(cordage.source.times[f]), frame);
    await eventually(page, (f) => cordage.source.chunkOf[f], frame);
    assert.deepEqual(await same(page, frame), [...whole.vertices(0, frame, new Float64Array(12))], `frame ${frame}`);
  }
  const { chunks, used } = await page.evaluate(() => ({ chunks: cordage.source.chunks.length, used: cordage.source.list.length }));
  assert.equal(used, 31);
  assert.ok(chunks <= 24, `${chunks} chunks in memory`);
  await page.evaluate(() => cordage.player.seek(0)); // forgotten meanwhile, and loaded again
  await eventually(page, () => cordage.source.chunkOf[0]);
  await page.evaluate(() => { cordage.player.setSpeed(1); cordage.player.play(); });
  await eventually(page, () => cordage.player.time > 0.5);
  await close(page);
  server.kill();
});

test('a recording in the server is taken over, by the scene in it, and is there again afterwards', { skip: !everything || (!hasView && 'cordage view was not built') || (!hasEngine && 'the engine was not built') }, async () => {
  const whole = await readPage(results), { address, server } = await serve(results), page = await open(address);
  await eventually(page, () => cordage.source?.frames === 3601 && !document.getElementById('live').hidden);
  await page.evaluate(() => cordage.player.seek(cordage.source.times[200]));
  await eventually(page, () => cordage.source.chunkOf[200]);
  await page.click('#live');
  await eventually(page, () => cordage.acting && cordage.live.frame?.time > 0.25 && cordage.player.playing);
  // It goes on from the frame shown: the pendulum is where it was.
  const [seconds, ...place] = await page.evaluate(() => { const f = cordage.source.times.findIndex((t) => t >= 0.2); return [cordage.source.times[f], ...cordage.source.vertices(0, f, new Float64Array(12))]; }), at = Math.round(1000 * seconds);
  whole.vertices(0, at, new Float64Array(12)).forEach((x, i) => assert.ok(Math.abs(place[i] - x) < 1e-3, `${place[i]} instead of ${x} at ${at} ms`));
  await page.click('#live');
  await eventually(page, () => cordage.live === null && cordage.source === cordage.recording && cordage.source.frames === 3601);
  await close(page);
  server.kill();
});

test('a recording has the files that its scene reads, and is taken over without them', { skip: !hasView || !hasEngine }, async () => {
  await sharedPage(null);
  const home = newFolder(), from = path.join(home, 'drawn.yaml');
  writeFileSync(from, `cordage: 1
include: [looks.yaml]
run: {until: 0.2 s, dt: 5 ms}
strands: [{name: rope, shape: {csv: {file: rope.csv}}, material: nylon, section: {circle: {radius: 5 mm}}}]
bodies: [{name: stone, shape: {mesh: {file: stone.obj}}, mass: 1 kg, position: [0, 1, 1]}]
images: [{file: sign.png, position: [0, 0, 1], width: 10 cm}]
`);
  writeFileSync(path.join(home, 'looks.yaml'), 'world: {gravity: [0, 0, -5]}\n');
  writeFileSync(path.join(home, 'rope.csv'), 'x,y,z\n0,0,1\n0.1,0,1.1\n0.2,0,1\n0.3,0,1.1\n');
  writeFileSync(path.join(home, 'stone.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n');
  writeFileSync(path.join(home, 'sign.png'), png([255, 0, 0, 255, 0, 128, 0, 255], 2, 1));
  execFileSync(command, ['run', from, '--quiet', '--out', path.join(home, 'out'), '--format', 'hdf5']);
  for (const name of ['drawn.yaml', 'looks.yaml', 'rope.csv', 'stone.obj', 'sign.png']) rmSync(path.join(home, name));
  const { address, server } = await serve(path.join(home, 'out')), page = await open(address, { viewport: { width: 400, height: 420 } });
  await eventually(page, () => cordage.source?.frames > 1 && !document.getElementById('live').hidden);
  await page.click('#live');
  await eventually(page, () => cordage.acting && cordage.live.frame?.time > 0.05);
  assert.deepEqual(await page.evaluate(() => [cordage.source.scene.strands[0].vertices, cordage.source.scene.bodies.length, [...cordage.source.pixels[0]]]), [4, 1, [255, 0, 0, 255, 0, 128, 0, 255]]);
  await close(page);
  server.kill();
});

test('recordings that are damaged or cut short', { skip: !hasView && 'cordage view was not built' }, async () => {
  await sharedPage(null);
  const bad = path.join(folder, 'bad.h5'), bytes = readFileSync(recording);
  copyFileSync(recording, bad);
  truncateSync(bad, bytes.length >> 1);
  const cut = spawnSync(command, ['view', bad, '--no-open'], { encoding: 'utf8', timeout: 60000 });
  assert.equal(cut.status, 3);
  assert.match(cut.stderr, /bad\.h5 is damaged|cannot be read/);
  const none = spawnSync(command, ['view', folder, '--no-open'], { encoding: 'utf8', timeout: 60000 });
  assert.equal(none.status, 3);
  assert.match(none.stderr, /has no recording/);
  // Some frames in the middle are damaged: the others are shown, and the page says what is missing.
  const block = Buffer.from(bytes);
  block.fill(7, bytes.length >> 1, (bytes.length >> 1) + 512);
  writeFileSync(bad, block);
  const frame = Number(/damaged: \/\S+, frames? (\d+)/.exec(spawnSync(command, ['info', bad, '--verify'], { encoding: 'utf8' }).stdout)[1]);
  assert.ok(frame > 240 && frame < 3360, `frame ${frame} is damaged`);
  const { address, server } = await serve(bad), page = await open(address);
  await eventually(page, () => cordage.source?.frames === 3601);
  await page.evaluate((f) => cordage.player.seek(cordage.source.times[f]), frame);
  await eventually(page, () => !document.getElementById('failure').hidden);
  assert.match(await page.textContent('#failure'), /Some frames cannot be shown: .*bad\.h5 is damaged/);
  await page.evaluate(() => cordage.player.seek(cordage.player.end));
  await eventually(page, () => cordage.source.chunkOf[3600]);
  await close(page);
  server.kill();
});
