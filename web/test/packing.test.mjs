// What the C packing packs, the viewer unpacks: against the same run's CSV.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { command, newFolder, readCsv, readPage, root, run } from './support.mjs';

const SCENES = ['hanging-rope', 'helical-perversion', 'michell-ring'];

for (const name of SCENES) {
  const folder = run(`gallery/der/${name}.yaml`, '--until', '4 s');

  test(`${name}: vertices are within 1e-4 of the scene's size`, async () => {
    const recording = await readPage(folder);
    const rows = readCsv(path.join(folder, 'frames.csv'));
    const { vertices } = recording.scene.strands[0];
    assert.equal(rows.length, recording.frames * vertices);
    const { low, high } = recording.bounds();
    const size = Math.max(...high.map((h, k) => h - low[k]));
    const x = new Float64Array(3 * vertices);
    let worst = 0;
    for (let f = 0; f < recording.frames; f++) {
      recording.vertices(0, f, x);
      assert.equal(recording.times[f], rows[f * vertices][0]);
      for (let i = 0; i < vertices; i++) {
        for (let k = 0; k < 3; k++) worst = Math.max(worst, Math.abs(x[3 * i + k] - rows[f * vertices + i][3 + k]));
      }
    }
    assert.ok(worst < 1e-4 * size, `off by ${worst} in a scene of ${size}`);
  });

  test(`${name}: 2,000 vertices for 60 s at 30 frames a second would be less than 25 MB`, async () => {
    const { frames, scene } = await readPage(folder);
    const text = readFileSync(path.join(folder, 'index.html'), 'utf8'), 
      data = [...text.matchAll(/class="frames">([^<]*)</g)].reduce((sum, [, chunk]) => sum + chunk.length, 0);
    const perValue = data / (frames * scene.strands[0].vertices);
    assert.ok(perValue * 2000 * 1800 < 24e6, `${perValue} bytes per vertex and frame`);
  });
}

test('directors are unit normals, and turn between neighbours as the recorded twist says', async () => {
  const recording = await readPage(run('gallery/der/helical-perversion.yaml', '--until', '4 s'));
  const { vertices, edges, length } = recording.scene.strands[0], frame = recording.frames - 1;
  const x = recording.vertices(0, frame, new Float64Array(3 * vertices));
  const t = new Float64Array(3 * edges), d = new Float64Array(3 * edges), twist = new Float64Array(vertices);
  recording.directors(0, frame, x, t, d);
  recording.scalar(0, 'twist', frame, twist);
  let most = 0;
  for (let j = 0; j < edges; j++) {
    const at = (a, b) => [0, 1, 2].reduce((sum, k) => sum + a[3 * j + k] * b[3 * j + k], 0);
    assert.ok(Math.abs(at(d, d) - 1) < 1e-9 && Math.abs(at(d, t)) < 1e-9);
    if (j === 0) continue;
    // Nearly straight here: the angle between directors is the twist, to a few steps of 1/512 turn.
    const cosine = [0, 1, 2].reduce((sum, k) => sum + d[3 * j + k] * d[3 * j - 3 + k], 0);
    const angle = Math.acos(Math.min(1, cosine)), bend = Math.abs(twist[j]) * length[0] / edges;
    most = Math.max(most, Math.abs(angle - bend));
  }
  assert.ok(most < 0.2, `a director is off by ${most} rad`);
});

test('bodies are where the CSV says, in single precision', async () => {
  const folder = run('gallery/bodies/pendulum-of-boxes.yaml', '--until', '1 s');
  const recording = await readPage(folder);
  const { bodies } = recording.scene, rows = readCsv(path.join(folder, 'bodies.csv'));
  assert.deepEqual(bodies.filter(({ scenery }) => !scenery).map(({ name, shape }) => `${name} ${shape}`), ['box[0] box', 'box[1] box', 'box[2] box']);
  assert.deepEqual(bodies[0].size, [0.2, 0.05, 0.05]);
  assert.equal(rows.length, recording.frames * bodies.length);
  rows.forEach((row, i) => {
    const { place, turn } = recording.body(i % bodies.length, Math.floor(i / bodies.length));
    place.forEach((x, k) => assert.ok(Math.abs(x - row[2 + k]) < 1e-6));
    [turn[3], turn[0], turn[1], turn[2]].forEach((q, k) => assert.ok(Math.abs(q - row[5 + k]) < 1e-6));
  });
});

test('probes are those of the CSV, in single precision', async () => {
  const folder = run('gallery/der/hanging-rope.yaml', '--until', '4 s');
  const recording = await readPage(folder);
  const rows = readCsv(path.join(folder, 'middle.csv'));
  const z = recording.scene.series.findIndex((s) => s.group === 'middle' && s.name === 'z');
  assert.equal(rows.length, recording.frames);
  rows.forEach((row, f) => assert.equal(recording.series[z][f], Math.fround(row[3])));
});

test('scalars are within half a step of their range', async () => {
  const folder = run('gallery/der/helical-perversion.yaml', '--until', '4 s');
  const recording = await readPage(folder);
  const rows = readCsv(path.join(folder, 'twist.csv')), { vertices } = recording.scene.strands[0];
  const twist = new Float64Array(vertices);
  rows.forEach((row, f) => {
    recording.scalar(0, 'twist', f, twist);
    const { scale } = recording.chunkOf[f].strands[0].scalars.twist;
    for (let i = 0; i < vertices; i++) assert.ok(Math.abs(twist[i] - row[1 + i]) <= 0.51 * scale + 1e-5);
  });
});

test('contacts are those of the CSV', async () => {
  const scene = path.join(newFolder(), 'floor.yaml');
  writeFileSync(scene, `cordage: 1
run: {until: 0.2 s, dt: 1 ms}
obstacles: [{name: floor, plane: {}}]
strands: [{name: rod, shape: {line: {from: [0, 0, 11 mm], to: [50 cm, 0, 12 mm], vertices: 6}}, material: rubber, section: {circle: {radius: 1 cm}}}]
`);
  const folder = run(path.relative(root, scene)), recording = await readPage(folder), rows = readCsv(path.join(folder, 'contacts.csv'));
  assert.ok(rows.length > 20);
  let next = 0;
  for (let f = 0; f < recording.frames; f++) {
    for (const { place, normal, force } of recording.contacts(f)) {
      const row = rows[next++], got = [...place, ...normal, ...force], expected = [...row.slice(5, 11), ...row.slice(12, 15)];
      assert.equal(row[0], recording.times[f]);
      got.forEach((x, k) => assert.ok(Math.abs(x - expected[k]) < 1e-6 * Math.max(1, Math.abs(expected[k]))));
    }
  }
  assert.equal(next, rows.length);
});

test('the page of a resumed run has the frames from the start', async () => {
  const scene = path.join(newFolder(), 'swing.yaml');
  writeFileSync(scene, `cordage: 1
run: {until: 0.5 s, dt: 1 ms, frames: 500 Hz}
strands: [{name: rope, shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 9}}, material: rubber, section: {circle: {radius: 1 cm}}}]
clamps: [{name: left, at: rope@start, motion: [{t: 0 s, by: [0, 0, 0]}, {t: 0.5 s, by: [0, 0.2, 0]}]}]
`);
  const words = path.relative(root, scene), whole = await readPage(run(words)), parts = newFolder();
  const go = (...options) => execFileSync(command, ['run', scene, '--quiet', '--out', parts, ...options]);
  const compare = async (states) => {
    const page = await readPage(parts), a = new Float64Array(27), b = new Float64Array(27);
    assert.deepEqual(page.times, whole.times);
    for (let f = 0; f < whole.frames; f++) {
      whole.vertices(0, f, a);
      page.vertices(0, f, b);
      const step = whole.chunkOf[f].strands[0].step + page.chunkOf[f].strands[0].step;
      a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) <= 0.51 * step, `frame ${f}`));
      assert.deepEqual(page.point(0, f), whole.point(0, f));
      assert.equal(page.attached(0, f), whole.attached(0, f));
    }
    const found = [...readFileSync(path.join(parts, 'index.html'), 'latin1').matchAll(/class="state" data-frame="(\d+)"/g)].map(([, n]) => Number(n));
    assert.deepEqual(found, states);
  };
  go('--until', '0.3 s');
  go('--resume', '--until', '0.5 s');
  await compare([0, 120, 151]);
  // The first part without a page: its states are missing, not its frames.
  go('--until', '0.3 s', '--format', 'hdf5');
  rmSync(path.join(parts, 'index.html'));
  go('--resume', '--until', '0.5 s');
  await compare([151]);
});
