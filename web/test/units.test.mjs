// Parts of the page that need no browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import * as THREE from 'three';
import { families, familyOf, strandColour } from '../src/colours.js';
import { unwrapped } from '../src/handles.js';
import { LiveSource } from '../src/live_source.js';
import { axisLabels, steady, tidy } from '../src/numbers.js';
import { ANSWER, COMMAND, MessageReader, read, sayDiagnostics, Writer } from '../src/protocol.js';
import { Quality } from '../src/quality.js';
import { RemoteRecording } from '../src/remote_recording.js';
import { packChunk } from '../src/save.js';
import { deflate, filesFromJson, filesToJson, fragmentOf, openedBy } from '../src/share.js';
import { placeAt, suggestionsAt, descriptionAt } from '../src/scene_path.js';
import { stillApplying } from '../src/scene_pane.js';
import { Session } from '../src/session.js';
import { command } from './support.mjs';

// ---- how finely pictures are drawn

// So many refreshes, each so many ms after the last; returns the levels of their pictures.
function refreshes(quality, count, interval, { dirty = true, playing = true, ...more } = {}) {
  return Array.from({ length: count }, () => quality.turn((quality.last ?? 0) + interval, { dirty, playing, ...more }));
}

test('slow pictures become coarser, fast ones finer again, and what stands still is drawn finely', () => {
  const quality = new Quality();
  assert.ok(refreshes(quality, 500, 17).every((level) => level === 0), 'coarse although it is fast');
  const one = refreshes(quality, 1, 300); // a hiccup
  assert.deepEqual([...one, ...refreshes(quality, 5, 17)], [0, 0, 0, 0, 0, 0]);
  assert.equal(refreshes(quality, 4, 60).at(-1), 1);
  assert.equal(refreshes(quality, 4, 60).at(-1), 2);
  assert.equal(refreshes(quality, 40, 60).at(-1), 2, 'there is no coarser one');
  assert.equal(refreshes(quality, 1, 60, { filming: true })[0], 0);
  // Playing, without a new picture: the engine is slow. It is no rest.
  assert.ok(refreshes(quality, 60, 17, { dirty: false }).every((level) => level === quality.shown));
  refreshes(quality, 1, 17);
  const rest = refreshes(quality, 20, 17, { dirty: false, playing: false });
  assert.deepEqual([rest[0], rest.at(-1)], [2, 0]);
  assert.equal(refreshes(quality, 1, 17)[0], 2, 'the next motion does not begin as coarse as the last one');
  assert.equal(refreshes(quality, 130, 17).at(-1), 1);
  assert.equal(refreshes(quality, 250, 17).at(-1), 0);
  assert.equal(refreshes(quality, 1, 60000, {})[0], 0, 'a page that nobody looked at is not slow');
  const software = new Quality(1);
  assert.deepEqual([refreshes(software, 1, 17)[0], refreshes(software, 5000, 17).at(-1)], [1, 1], 'without a graphics processor motion is coarse from the first picture, and stays so');
  assert.equal(refreshes(software, 20, 17, { dirty: false, playing: false }).at(-1), 0, 'but rests finely');
});

// ---- messages

test('what is written is read: numbers, texts of all lengths, lists', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'abcd', 'Länge µ', 'x'.repeat(1000)]) {
    const bytes = new Writer(7, 42).u32(5).text(text).f64(1 / 3, -2).list(['p', 'qr'], (w, t) => w.text(t)).done();
    assert.equal(bytes.length % 4, 0);
    const r = new MessageReader(bytes);
    assert.deepEqual([r.kind, r.serial, r.u32(), r.text(), r.f64(), r.f64(), r.list((q) => q.text())], [7, 42, 5, text, 1 / 3, -2, ['p', 'qr']]);
    assert.equal(r.at, bytes.length);
  }
});

test('a message that ends too early is an error, not rubbish', () => {
  const bytes = new Writer(ANSWER.SCENE, 0).u32(1).text('{"a": 1}').done();
  for (let size = 8; size < bytes.length; size++) assert.throws(() => read[ANSWER.SCENE](new MessageReader(bytes.slice(0, size))));
  assert.deepEqual(read[ANSWER.SCENE](new MessageReader(bytes)), { revision: 1, scene: { a: 1 } });
});

test('diagnostics are said as compilers say them', () => {
  assert.equal(sayDiagnostics([{ file: 'a.yaml', line: 3, column: 5, message: 'no' }, { file: '', line: 0, column: 0, message: 'why' }]), 'a.yaml:3:5: no\nwhy');
});

// A transport that answers by a function.
function sessionWith(answer, on = {}) {
  return new Session(({ receive, lost }) => ({ send: (bytes) => { const m = new MessageReader(bytes); answer(m, (kind, fill) => { const w = new Writer(kind, m.serial); fill?.(w); receive(w.done()); }, lost); }, close() {} }), on);
}

test('a session pairs commands with answers, and rejects what is refused', async () => {
  const session = sessionWith((m, reply) => {
    if (m.kind === COMMAND.PIN) { reply(ANSWER.ATTACHED, (w) => w.u32(9).f64(0.5, 1, 2, 3)); reply(ANSWER.DONE); }
    if (m.kind === COMMAND.CUT) reply(ANSWER.FAILED, (w) => w.list([0], (v) => v.text('').u32(0).u32(0).text('not here')));
  });
  assert.equal((await session.pin(0, 1, [0, 0, 0]))[ANSWER.ATTACHED].number, 9);
  await assert.rejects(session.cut(0, [0, 0, 0]), /not here/);
  const never = session.step(1);
  session.close();
  await assert.rejects(never, /has ended/);
  await assert.rejects(session.step(1), /has ended/);
});

test('a lost session says so once', () => {
  let said = 0;
  const session = sessionWith((m, reply, lost) => { if (m.kind === COMMAND.STEP) { lost('gone'); lost('gone'); } }, { lost: () => said++ });
  session.step(1).catch(() => {});
  assert.equal(said, 1);
});

// ---- frames

const SCENE = { strands: [{ name: 'a', vertices: 3, edges: 2, closed: false, frames: true, scalars: ['tension'], radius: [0.01, 0], size: [0, 0], length: [2] }], points: 1, constraints: [{}], anchors: [],
  bodies: [{ name: 'b' }], series: [{ group: 'p', name: 'x', unit: 'm' }], scalars: { tension: 'N' }, images: [], contacts: true };

function frameBytes(time, revision = 1) {
  const w = new Writer(ANSWER.FRAME, 0), f32 = (...values) => { for (const v of values) { const at = w.room(4); w.view.setFloat32(at, v, true); } };
  w.u32(revision).f64(time, 0, 0, 1).u32(1).u32(0).u32(1).u32(1);
  f32(0, 0, time, 1, 0, time, 2, 0, time, 0, 0, 1, 0, 1, 0, 5, 6, 7); // positions, directors, tension
  f32(1, 2, 3, 1, 0, 0, 0, 1, 0, 1, 4, 5, 6, 1, 0, 0, 0, 10 * time); // point, constraint, body, series
  w.u32(1);
  f32(1, 1, 1, 0, 0, 1, 0, 0, 2, 1);
  w.list([0], (v) => { v.u32(1).u32(3); f32(0, 0, 0, 1, 1, 1, 3, 4, 0); });
  w.list([0], (v) => { v.u32(7).u32(1); f32(0, 0, 0, 0, 0, -1, 0.1, 2, 0, 0, 0); });
  return w.done();
}

const liveWith = (...times) => {
  const source = new LiveSource(SCENE, 1);
  for (const t of times) source.add(source.read(new MessageReader(frameBytes(t))));
  return source;
};

test('a frame is read as it was written', () => {
  const source = liveWith(0.5), frame = source.latest;
  assert.deepEqual([...source.vertices(0, 0, new Float64Array(9))], [0, 0, 0.5, 1, 0, 0.5, 2, 0, 0.5]);
  assert.deepEqual([...source.scalar(0, 'tension', 0, new Float64Array(3))], [5, 6, 7]);
  assert.equal(source.scalar(0, 'twist', 0, new Float64Array(3)), null);
  assert.deepEqual(source.body(0, 0), { place: [4, 5, 6], turn: [0, 0, 0, 1] });
  assert.equal(source.attached(0, 0), true);
  assert.equal(source.series[0][0], 5);
  assert.deepEqual(source.contacts(0), [{ place: [1, 1, 1], normal: [0, 0, 1], force: [0, 0, 2], sticks: true }]);
  assert.deepEqual(frame.holds, [{ own: true, hold: 3, held: [0, 0, 0], hand: [1, 1, 1], force: [3, 4, 0] }]);
  assert.equal(frame.attachments[0].mass, 2);
  assert.equal(source.read(new MessageReader(frameBytes(1, 2))), null, 'a frame of another scene');
});

test('frames of the past are forgotten when time goes back; of the same time, the last one is kept', () => {
  const source = liveWith(0, 1, 2, 3);
  source.add(source.read(new MessageReader(frameBytes(3))));
  assert.deepEqual(source.times, [0, 1, 2, 3]);
  source.add(source.read(new MessageReader(frameBytes(1.5))));
  assert.deepEqual(source.times, [0, 1, 1.5]);
  assert.deepEqual(source.series[0], [0, 10, 15]);
  source.cut(1);
  assert.deepEqual(source.times, [0, 1]);
});

test('a ring of frames is bounded, and stays in order', () => {
  const source = new LiveSource(SCENE, 1);
  for (let i = 0; i < 8000; i++) source.add(source.read(new MessageReader(frameBytes(i))));
  assert.ok(source.frames <= 3600 && source.frames > 3000);
  assert.equal(source.end, 7999);
  assert.equal(source.series[0].length, source.frames);
  assert.equal(source.frameAt(7000), source.times.indexOf(7000));
});

// ---- recordings

test('frames of a live run, packed as a chunk, are read as those of a recording; chunks far away are forgotten', async () => {
  const source = liveWith(0, 1, 2, 3), packed = await deflate(packChunk(source, SCENE, 0, 4)), asked = [];
  const list = Array.from({ length: 40 }, (_, i) => ({ first: 4 * i, frames: 4, from: 4 * i, to: 4 * i + 3 }));
  const remote = new RemoteRecording(SCENE, list, { load: async (n) => { asked.push(n); return packed; }, changed: () => {}, failed: assert.fail });
  await remote.request(0);
  const x = remote.vertices(0, 2, new Float64Array(9));
  assert.ok(Math.abs(x[2] - 2) < 1e-4 && Math.abs(x[6] - 2) < 1e-4);
  const t = new Float64Array(6), d = new Float64Array(6);
  remote.directors(0, 2, x, t, d);
  [0, 0, 1, 0, 1, 0].forEach((v, i) => assert.ok(Math.abs(v - d[i]) < 1e-2, `${[...d]}`));
  assert.deepEqual(remote.contacts(1)[0].force, [0, 0, 2]);
  assert.equal(remote.near(30), 3, 'the nearest frame that is there');
  for (let n = 1; n < 40; n++) await remote.request(n);
  assert.equal(remote.chunks.length, 24);
  assert.equal(asked.length, 40);
  assert.equal(remote.chunkOf[0], undefined);
});

// ---- texts

test('a link holds a whole scene, binary files included', async () => {
  const opened = { files: [{ name: 'a.yaml', bytes: new TextEncoder().encode('title: Seil µ\n'.repeat(50)) }, { name: 'p.png', bytes: Uint8Array.of(137, 80, 255, 0) }], overrides: ['let.a=3 m'] };
  const fragment = await fragmentOf(opened), back = await openedBy(`#${fragment}`);
  assert.match(fragment, /^scene=[\w-]+$/);
  assert.ok(fragment.length < 300, 'it is packed');
  assert.deepEqual(back.files.map(({ name, bytes }) => [name, [...bytes]]), opened.files.map(({ name, bytes }) => [name, [...bytes]]));
  assert.deepEqual(back.overrides, opened.overrides);
  assert.equal(await openedBy('#other'), null);
  await assert.rejects(openedBy('#scene=AAAA'));
  assert.deepEqual(filesFromJson(filesToJson(opened)).files[1].bytes, opened.files[1].bytes);
});

const schema = JSON.parse(execFileSync(command, ['schema'], { maxBuffer: 1 << 26 }));
const suggested = (marked) => { const at = marked.indexOf('^'); return suggestionsAt(schema, marked.replace('^', ''), at).options.map(({ label }) => label); };

for (const [marked, expected, unexpected] of [
  ['wo^', 'world', 'gravity'], ['world: {gra^', 'gravity', 'world'], ['world:\n  ^', 'gravity', 'strands'], ['strands:\n  - name: rope\n    mo^', 'model', 'world'],
  ['strands:\n  - name: rope\n    model: ^', 'clothoid', 'name'], ['strands:\n- name: rope\n  material: s^', 'steel'], ['strands:\n  - {name: rope, shape: {li^', 'line', 'name'],
  ['strands:\n  - name: rope\n    shape:\n      line: {from: [0, 0, 0], ^', 'vertices', 'line'], ['about: |\n  some wo^', undefined, 'world'], ['about: |\n  some words\nru^', 'run', 'until'],
  ['constraints:\n  - {name: a, kind: ^', 'coincide'], ['constraints:\n  - {name: a,\n     ki^', 'kind', 'constraints'], ['# wo^', undefined, 'world'],
  ['strands:\n  - name: rope\nconstraints:\n  - {first: ^', 'rope@end', 'kind'], ['run: {until: 10 s, ^\nstrands: []', 'dt', 'world']]) {
  test(`completion at ${JSON.stringify(marked)}`, () => {
    const found = suggested(marked);
    if (expected) assert.ok(found.includes(expected), `${expected} is not among ${found.slice(0, 9)}`);
    assert.ok(!found.includes(unexpected));
  });
}

test('keys are explained', () => {
  assert.match(descriptionAt(schema, 'world: {gravity: [0, 0, -9.81]}', 10).description, /free fall/);
  assert.equal(descriptionAt(schema, 'world: {gravity: [0, 0, -9.81]}', 20), null);
  assert.deepEqual(placeAt('a:\n  - b: {c: 1, d', 18).path, ['a', '#', 'b']);
});

test('an override goes when the text of its key is edited', () => {
  const before = 'let:\n  mass: 2 kg\n  n: 3\n';
  assert.deepEqual(stillApplying(['let.mass=3 kg', 'let.n=4'], before, before.replace('2 kg', '5 kg')), ['let.n=4']);
  assert.deepEqual(stillApplying(['let.mass=3 kg'], before, `${before}title: x\n`), ['let.mass=3 kg']);
});

// ---- small things

test('members of an array are one family in neighbouring colours', () => {
  const scene = { strands: [{ name: 'hair[0]' }, { name: 'hair[1]' }, { name: 'rope' }], bodies: [{ name: 'box[0][1]' }, {}] };
  assert.equal(familyOf('box[0][1]'), 'box');
  assert.equal(familyOf('rope.2'), 'rope');
  assert.deepEqual(families(scene).map(({ name, members }) => `${name} ${members.length}`), ['hair 2', 'rope 1', 'box 1', 'body 2 1']);
  const hue = (i) => new THREE.Color(strandColour(scene, i)).getHSL({}).h;
  assert.ok(Math.abs(hue(0) - hue(1)) < 0.02 && Math.abs(hue(0) - hue(2)) > 0.1);
  assert.notEqual(strandColour(scene, 0), strandColour(scene, 1));
});

test('whole turns of a handle are counted', () => {
  let rotation = new THREE.Vector3();
  for (let angle = 0; angle <= 15; angle += 0.25) rotation = unwrapped(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0.6, 0.8), angle), rotation);
  assert.ok(Math.abs(rotation.length() - 15) < 1e-9);
  for (let angle = 15; angle >= -7; angle -= 0.25) rotation = unwrapped(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0.6, 0.8), angle), rotation);
  assert.ok(Math.abs(rotation.dot(new THREE.Vector3(0, 0.6, 0.8)) + 7) < 1e-9);
});

test('labels of axes tell neighbours apart', () => {
  assert.deepEqual(axisLabels([0, 0.5, 1]), ['0', '0.5', '1.0']);
  assert.deepEqual(axisLabels([-0.002, 0, 0.002]), ['−0.002', '0', '0.002']);
  assert.deepEqual(axisLabels([1e5, 2e5]), ['1e5', '2e5']);
  assert.deepEqual(axisLabels([0, 2.5, 5]), ['0', '2.5', '5.0']);
  assert.deepEqual(axisLabels([0.25, 0.5]), ['0.25', '0.50']);
  assert.deepEqual(axisLabels([0.161475, 0.1615, 0.161525]), ['0.161475', '0.161500', '0.161525']);
  assert.deepEqual(axisLabels([-2e-7, 1e-22, 2e-7]), ['−2e−7', '0', '2e−7']);
  assert.equal(tidy(-0.00012345), '−1.23e−4');
  assert.deepEqual([0.2468, -0.0004, -0.0006, 0].map((v) => steady(v, 0.31)), ['0.247', '0.000', '−0.001', '0']); // as wide
  assert.deepEqual([12345, 1e-7].map((v) => steady(v, v)), ['12345', '1.00e−7']);
});
