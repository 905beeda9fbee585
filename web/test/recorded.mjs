// The page in a browser, from file://: it shows, plays, scrubs, steps, colours; at desk and on a phone, by
// day and by night; and nothing complains.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { close, colours, DESK, difference, fine, look, open, PHONE, settle, sharedPage, time, until, whereIs } from './browser.mjs';
import { everything, fails, newFolder, root, run } from './support.mjs';

const rope = () => path.join(run('gallery/der/hanging-rope.yaml', '--until', '2 s'), 'index.html');
const byDay = () => open(rope(), { ...DESK, colorScheme: 'light' }), ropePage = () => sharedPage(byDay);
const seek = async (page, to) => {
  await page.evaluate((t) => { cordage.player.pause(); cordage.player.seek(t); }, to);
  await settle(page);
};


test('a run that failed shows its message, and the culprit in red', async () => {
  const folder = newFolder(), scene = path.join(folder, 'twice.yaml'), out = path.join(folder, 'out');
  writeFileSync(scene, `cordage: 1
run: {until: 10 ms, dt: 1 ms}
strands: [{name: rope, shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 6}}, material: nylon, section: {circle: {radius: 5 mm}}}]
bodies: [{name: crate, shape: {box: {size: [30 cm, 30 cm, 30 cm]}}, mass: 20 kg, position: [0, 0, 0]}]
constraints:
  - {name: left, kind: coincide, first: crate, second: [0, 0, 0]}
  - {name: right, kind: coincide, first: crate, second: [20 cm, 0, 0]}
`);
  assert.equal(fails('run', scene, '--out', out, '--quiet'), 3);
  const page = await open(path.join(out, 'index.html'));
  assert.match(await page.textContent('#failure'), /The run failed: .*crate/);
  assert.ok(await page.isVisible('#failure'));
  assert.deepEqual(await page.evaluate(() => cordage.source.scene.bodies.map((b) => Boolean(b.marked))), [true]);
  assert.deepEqual(await page.evaluate(() => cordage.source.scene.strands.map((s) => Boolean(s.marked))), [false]);
  assert.equal(await page.evaluate(() => cordage.source.frames), 1);
  await close(page);
});

test('shows and plays', async () => {
  const page = await ropePage();
  assert.equal(await page.title(), 'A rope hung from two hooks, plucked');
  const first = await look(page);
  assert.ok(colours(first) > 12, 'the picture is blank');
  await page.click('#play');
  await page.waitForFunction(() => cordage.player.time > 0.1 && cordage.player.time < 1.9);
  await page.click('#play');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
  await settle(page);
  const now = await time(page);
  await settle(page);
  assert.equal(await time(page), now, 'paused, time goes on');
  await seek(page, 0.4);
  assert.ok(difference(first, await look(page)) > 20, 'the picture does not change');
  fine(page);
});

test('a phone in the dark: nothing is wider than the screen, buttons have names and are large enough for a finger', async () => {
  const page = await open(rope(), { ...PHONE, colorScheme: 'dark' });
  assert.ok(colours(await look(page)) > 12, 'the picture is blank');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, 'the page is wider than the screen');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.ok(await page.isHidden('#stripe'), 'options are folded away');
  await page.tap('#options-button');
  const targets = await page.evaluate(() => [...document.querySelectorAll('button, select, summary, label.switch')].filter((b) => b.offsetParent).map((b) => {
    const { width, height } = b.getBoundingClientRect();
    return { name: (b.getAttribute('aria-label') ?? b.textContent).trim(), width, height };
  }));
  assert.ok(targets.some(({ name }) => name === 'Stripe') && targets.length > 12);
  for (const { name, width, height } of targets) assert.ok(name.length > 0 && width >= 44 && height >= 44, `${name} is ${width} by ${height}`);
  // The title in at most two lines, one row of buttons below it.
  assert.ok(await page.evaluate(() => document.querySelector('header').offsetHeight) <= 112, 'the buttons take several rows');
  await page.tap('#options-button');
  const { x, y } = await whereIs(page, 'strand', 0, 30);
  await page.touchscreen.tap(x, y);
  await page.waitForSelector('#card:visible');
  assert.match(await page.innerText('#card'), /^rope/);
  await close(page);
});

test('the plots are in sight at 1440 by 900', async () => {
  const page = await open(rope(), { viewport: { width: 1440, height: 900 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight), 0);
  const boxes = await page.evaluate(() => [...document.querySelectorAll('#plots figure')].filter((f) => !f.closest('details')).map((f) => f.getBoundingClientRect().bottom));
  assert.equal(boxes.length, 4);
  for (const bottom of boxes) assert.ok(bottom <= 900, `a plot ends at ${bottom}`);
  await close(page);
});

test('scrubs and steps, by slider, buttons and keys, wherever the focus is', async () => {
  const page = await ropePage();
  await page.fill('#scrub', '1');
  assert.equal(await time(page), 1);
  const frame = () => page.evaluate(() => cordage.player.frame);
  const before = await frame();
  await page.click('#forward');
  assert.equal(await frame(), before + 1);
  await page.click('#back');
  await page.click('#back');
  assert.equal(await frame(), before - 1);
  await page.keyboard.press('ArrowRight'); // the focus is on a button that was clicked
  assert.equal(await frame(), before);
  assert.ok(Math.abs(await page.evaluate(() => cordage.player.end) - 2) < 1e-9);
  await page.focus('#view');
  await page.keyboard.press('End');
  assert.equal(await time(page), await page.evaluate(() => cordage.player.end));
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(page), await page.evaluate(() => cordage.player.end));
  await page.selectOption('#speed', '0.1');
  await page.keyboard.press('Home');
  assert.equal(await time(page), 0);
  await page.click('#home'); // and a space after it plays, instead of pressing the button again
  await page.keyboard.press(' ');
  assert.equal(await page.evaluate(() => cordage.player.playing), true);
  await page.keyboard.press(' ');
  assert.equal(await page.evaluate(() => cordage.player.playing), false);
  await page.selectOption('#speed', '1');
  fine(page);
});

test('a button that was reached by the keyboard is pressed by it', async () => {
  const page = await ropePage();
  await seek(page, 1);
  const frame = () => page.evaluate(() => cordage.player.frame), before = await frame();
  await page.focus('#play');
  await page.keyboard.press('Tab'); // to One frame forward
  await page.keyboard.press(' ');
  assert.equal(await frame(), before + 1);
  assert.equal(await page.evaluate(() => cordage.player.playing), false);
  fine(page);
});

test('keys are listed under ?', async () => {
  const page = await ropePage();
  await page.focus('#speed');
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open]');
  const text = await page.innerText('#help');
  for (const word of ['Space', 'play or pause', '→', 'this list']) assert.ok(text.includes(word), `${word} is not there`);
  assert.ok(!text.includes('undo'), 'keys of a live run are listed');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#help[open]').count(), 0);
  fine(page);
});

test('a click identifies what is under the pointer', async () => {
  const page = await ropePage();
  await seek(page, 0);
  const { x, y } = await whereIs(page, 'strand', 0, 30);
  await page.mouse.click(x, y + 3);
  await page.waitForSelector('#card:visible');
  const text = await page.innerText('#card');
  assert.match(text, /^rope/);
  const value = (name) => Number(new RegExp(`${name}\\s+([−\\d.e]+)`).exec(text)[1].replace('−', '-'));
  const exact = await page.evaluate(() => ['tension', 'curvature'].map((name) => cordage.source.scalar(0, name, 0, new Float64Array(61))[30]));
  assert.ok(Math.abs(value('tension') - exact[0]) < 0.02 * exact[0], text);
  assert.ok(Math.abs(value('curvature') - exact[1]) < 0.1 * exact[1], text);
  assert.match(text, /position\s+−?0(\.00\d+)?, 0, 0\.73\d* m/);
  await page.keyboard.press('Escape');
  assert.ok(await page.isHidden('#card'));
  await page.mouse.click(x, y - 60);
  assert.ok(await page.isHidden('#card'), 'nothing is there');
  fine(page);
});

test('colours say what they mean', async () => {
  const page = await ropePage();
  await seek(page, 0.4);
  const pictures = [await look(page)];
  for (const [name, unit] of [['curvature', '1/m'], ['twist', 'rad/m'], ['tension', 'N'], ['speed', 'm/s']]) {
    await page.selectOption('#colour', name);
    await settle(page);
    assert.ok((await page.textContent('#legend')).includes(`${name} [${unit}]`));
    pictures.push(await look(page));
  }
  for (const other of [1, 3, 4]) assert.ok(difference(pictures[0], pictures[other]) > 20, `colour ${other} changes nothing`);
  await page.selectOption('#colour', 'strand');
  fine(page);
});

test('plots follow the time and lead it; round-off is zero; energies come last', async () => {
  const page = await ropePage();
  await seek(page, 0);
  assert.equal(await page.locator('#plots figure').count(), 5); // middle, left-pull, bottom-tension; tension along the rope; energy, which the scene asks for
  assert.match(await page.textContent('#plots figure:nth-child(1) figcaption'), /middle \[m\]y 0z 0\.735/);
  const box = await page.locator('#plots .u-over').first().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 40);
  assert.ok(Math.abs(await time(page) - 1) < 0.05);
  await settle(page);
  const reading = await page.textContent('#plots figure:nth-child(1) figcaption');
  const z = await page.evaluate(() => cordage.source.series[cordage.source.scene.series.findIndex((s) => s.group === 'middle' && s.name === 'z')][cordage.player.frame]);
  assert.ok(reading.includes(`z ${Number(z.toPrecision(3))}`), `${reading} does not say ${z}`);
  assert.match(await page.textContent('#plots details figcaption'), /energy \[J\]/);
  fine(page);
});

test('labels of plots are not clipped', async () => {
  const page = await ropePage();
  // The canvas is left empty along its borders, where a label that does not fit would end.
  const clipped = await page.evaluate(() => [...document.querySelectorAll('#plots canvas')].filter((canvas) => {
    const { width, height } = canvas, context = canvas.getContext('2d');
    const drawn = (x, y, w, h) => context.getImageData(x, y, w, h).data.some((v, i) => i % 4 === 3 && v > 0);
    return drawn(0, 0, 1, height) || drawn(width - 1, 0, 1, height) || drawn(0, height - 1, width, 1);
  }).length);
  assert.equal(clipped, 0);
  fine(page);
});

test('plots along a strand show it now', async () => {
  const page = await ropePage();
  const shown = () => page.evaluate(() => [...document.querySelectorAll('#plots > figure canvas')].at(-1).toDataURL());
  assert.match(await page.textContent('#plots > figure:nth-child(4) figcaption'), /tension \[N\].*along rope/);
  await seek(page, 0);
  const first = await shown();
  await seek(page, 0.5);
  assert.notEqual(await shown(), first);
  fine(page);
});

test('turns, zooms, and finds back', async () => {
  const page = await ropePage();
  await page.click('#home');
  await settle(page);
  const first = await look(page);
  const box = await page.locator('#view').boundingBox();
  await page.mouse.move(box.x + 100, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 250, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await page.mouse.wheel(0, -400);
  await until(async () => difference(first, await look(page)) > 60, 'dragging does not rotate the view');
  await page.click('#home');
  await until(async () => difference(first, await look(page)) < 5, 'the view does not come back');
  fine(page);
});

test('a depth of field, off at first', { skip: !everything }, async () => {
  const page = await ropePage();
  await seek(page, 0.4);
  await page.click('#home');
  await settle(page);
  const sharp = await look(page);
  assert.equal(await page.isChecked('#lens'), false);
  await page.click('#lens');
  await page.waitForFunction(() => cordage.view.stage.lens.count === 40);
  const soft = await look(page), light = (picture) => picture.reduce((sum, value) => sum + value, 0) / picture.length;
  const changed = sharp.reduce((sum, value, i) => sum + Math.abs(value - soft[i]), 0) / sharp.length;
  assert.ok(changed > 0.05, `nothing is blurred: ${changed}`);
  assert.ok(Math.abs(light(soft) - light(sharp)) < 2, `the light is ${light(soft)} instead of ${light(sharp)}`);
  await page.click('#lens');
  await settle(page);
  assert.equal(difference(sharp, await look(page)), 0);
  fine(page);
});

test('changes its theme', async () => {
  const page = await ropePage();
  const day = await look(page);
  await page.click('#theme');
  await settle(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.ok(difference(day, await look(page)) > 2000);
  await page.click('#theme');
  fine(page);
});

test('saves a picture and a video', async () => {
  const page = await open(path.join(run('gallery/der/hanging-rope.yaml', '--until', '0.2 s'), 'index.html'), { viewport: { width: 400, height: 400 } });
  const [picture] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  assert.equal(picture.suggestedFilename(), 'a-rope-hung-from-two-hooks-plucked.png');
  assert.equal(readFileSync(await picture.path()).subarray(1, 4).toString(), 'PNG');
  const [video] = await Promise.all([page.waitForEvent('download'), page.click('#video')]);
  assert.equal(video.suggestedFilename(), 'a-rope-hung-from-two-hooks-plucked.webm');
  assert.equal(readFileSync(await video.path()).subarray(0, 4).toString('hex'), '1a45dfa3');
  await close(page);
});

test('the page of a killed run plays as far as it got', async () => {
  const text = readFileSync(path.join(run('gallery/der/hanging-rope.yaml', '--until', '6 s'), 'index.html'), 'utf8');
  const folder = newFolder();
  const last = text.lastIndexOf('class="frames">');
  writeFileSync(path.join(folder, 'index.html'), text.slice(0, last + 5000));
  const page = await open(path.join(folder, 'index.html'));
  const frames = await page.evaluate(() => cordage.source.frames);
  assert.ok(frames > 100 && frames < 361);
  await close(page);
});

test('bodies are shown, named, and move', async () => {
  const page = await open(path.join(run('gallery/bodies/pendulum-of-boxes.yaml', '--until', '1 s'), 'index.html'));
  assert.match(await page.textContent('#legend'), /^box × 3$/);
  const first = await look(page);
  assert.ok(colours(first) > 12, 'the picture is blank');
  await page.evaluate(() => cordage.player.seek(0.4));
  await settle(page);
  assert.ok(difference(first, await look(page)) > 60, 'the boxes do not move');
  // Half way between two frames it is half way between their positions.
  const positions = await page.evaluate(() => {
    const { player: { frame }, source, view } = cordage, solid = view.solids[2];
    view.show(frame, 0.5);
    return [source.body(2, frame).place, source.body(2, frame + 1).place, solid.mesh.position.toArray()];
  });
  for (let k = 0; k < 3; k++) assert.ok(Math.abs((positions[0][k] + positions[1][k]) / 2 - positions[2][k]) < 1e-6);
  // All of it is in sight in all frames.
  const outside = await page.evaluate(() => {
    const { source, view } = cordage, { camera } = view.stage;
    let worst = 0;
    for (let f = 0; f < source.frames; f++) {
      for (const solid of view.solids.filter(({ scenery }) => !scenery)) {
        solid.update(f, 0);
        const p = solid.mesh.position.clone().project(camera);
        worst = Math.max(worst, Math.abs(p.x), Math.abs(p.y));
      }
    }
    return worst;
  });
  assert.ok(outside < 0.95, `something is at ${outside} of the picture`);
  await close(page);
});

test('a disc on a wire: bodies are grey while the wire shows its twist', { skip: !everything }, async () => {
  const page = await open(path.join(run('gallery/bodies/torsional-pendulum.yaml'), 'index.html'));
  const colour = () => page.evaluate(() => cordage.view.solids[0].material.color.getHexString());
  const own = await colour();
  await page.selectOption('#colour', 'twist');
  assert.equal(await colour(), 'a0a6ad');
  await page.selectOption('#colour', 'strand');
  assert.equal(await colour(), own);
  // The stand keeps its colour, and the legend does not name it.
  assert.deepEqual(await page.evaluate(() => cordage.view.solids.map((s) => s.scenery)), [false, true]);
  assert.doesNotMatch(await page.textContent('#legend'), /scenery/);
  await close(page);
});

test('axes and a scale, the stripe of a ring, and a camera that stays above the ground', { skip: !everything }, async () => {
  const page = await open(path.join(run('gallery/der/michell-ring.yaml'), 'index.html'));
  assert.match(await page.textContent('.overlay .scale-text'), /^[125]0* c?m$/);
  const first = await look(page);
  await page.click('#stripe');
  await settle(page);
  assert.ok(difference(first, await look(page)) > 3, 'the stripe does not go');
  const heights = await page.evaluate(() => {
    const { camera, controls, ground } = cordage.view.stage;
    camera.position.z = ground.position.z - 3;
    controls.update();
    controls.dispatchEvent({ type: 'change' });
    return [camera.position.z, ground.position.z];
  });
  assert.ok(heights[0] > heights[1], `the camera is at ${heights[0]}, the ground at ${heights[1]}`);
  await close(page);
});

test('released constraints are not drawn', { skip: !everything }, async () => {
  const folder = newFolder(), scene = path.join(folder, 'let-go.yaml'), out = path.join(folder, 'out');
  writeFileSync(scene, `cordage: 1
run: {until: 0.2 s, dt: 5 ms, frames: 20 Hz}
strands: [{name: rope, shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 6}}, material: nylon, section: {circle: {radius: 5 mm}}}]
points: [{name: hook, at: [0, 0, 1]}]
constraints:
  - {name: hung, kind: coincide, first: rope@start, second: hook, release_at: 0.1 s}
  - {name: tether, kind: distance, first: rope@end, second: [1, 0, 2]}
`);
  execFileSync(process.env.CORDAGE ?? path.join(root, 'build/cordage'), ['run', scene, '--out', out, '--quiet']);
  const page = await open(path.join(out, 'index.html'));
  const shown = () => page.evaluate(() => {
    const [hook, hung, tether] = cordage.view.anchors.items, [dot, pin] = hook.object.children;
    return [dot, pin, hung.object, tether.object].map((o) => o.visible);
  });
  await page.evaluate(() => cordage.player.seek(0));
  await settle(page);
  assert.deepEqual(await shown(), [true, false, false, false], 'there are dots only');
  await page.click('#constraints');
  await settle(page);
  assert.deepEqual(await shown(), [false, true, true, true]);
  await page.evaluate(() => cordage.player.seek(0.2));
  await settle(page);
  assert.deepEqual(await shown(), [false, false, false, true]);
  await close(page);
});

test('images lie in their planes, each file once, behind the strands', { skip: !everything }, async () => {
  const file = path.join(run('gallery/clothoids/cat-tail.yaml', '--until', '0.1 s'), 'index.html');
  const page = await open(file);
  assert.equal(await page.locator('script.pixels').count(), 1);
  assert.equal(await page.evaluate(() => cordage.view.images.length), 2);
  // The colour at a point of the scene, in the drawing's millimetres: the nose, an eye, and the tail.
  const colourAt = (x, y) => page.evaluate(([x, y]) => {
    const { camera, canvas } = cordage.view.stage, p = camera.position.clone().set(x / 1000, 0, -y / 1000).project(camera);
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    return [...context.getImageData((p.x + 1) / 2 * copy.width, (1 - p.y) / 2 * copy.height, 1, 1).data];
  }, [x, y]);
  const near = (a, b) => a.slice(0, 3).every((c, k) => Math.abs(c - b[k]) < 24);
  assert.ok(near(await colourAt(-25, 62), [0xc0, 0x60, 0x5a]), `the nose is ${await colourAt(-25, 62)}`);
  assert.ok(near(await colourAt(-44.5, 47), [0x5d, 0x8f, 0x3c]), `the eye is ${await colourAt(-44.5, 47)}`);
  const tail = await colourAt(118, 150), wall = await colourAt(126, 150);
  assert.ok(tail[0] > tail[2] + 60, `the tail is ${tail}`);
  assert.ok(Math.abs(wall[0] - wall[2]) < 30, `the wall is ${wall}`);
  await page.evaluate(() => { for (const image of cordage.view.images) image.visible = false; cordage.view.stage.dirty = true; });
  await settle(page);
  assert.ok(!near(await colourAt(-25, 62), [0xc0, 0x60, 0x5a]));
  await close(page);
});

for (const scene of ['michell-ring', 'helical-perversion', 'twist-asymmetry-v']) {
  test(`${scene} is shown, and moves`, { skip: !everything }, async () => {
    const page = await open(path.join(run(`gallery/der/${scene}.yaml`), 'index.html'));
    const first = await look(page);
    await page.evaluate(() => cordage.player.seek(cordage.player.end));
    await settle(page);
    assert.ok(difference(first, await look(page)) > 30);
    await close(page);
  });
}

test('a floor is the ground; contacts are dots and arrows, on demand', async () => {
  const folder = newFolder(), scene = path.join(folder, 'floor.yaml'), out = path.join(folder, 'out');
  writeFileSync(scene, `cordage: 1
run: {until: 0.3 s, dt: 1 ms}
obstacles: [{name: floor, plane: {}, at: [0, 0, -10 cm]}, {name: wall, plane: {normal: [1, 0, 0]}, at: [-40 cm, 0, -10 cm]}]
strands: [{name: rod, shape: {line: {from: [0, 0, -8 cm], to: [50 cm, 0, -7 cm], vertices: 6}}, material: rubber, section: {circle: {radius: 1 cm}}}]
`);
  execFileSync(process.env.CORDAGE, ['run', scene, '--quiet', '--out', out]);
  const page = await open(path.join(out, 'index.html'));
  assert.ok(Math.abs(await page.evaluate(() => cordage.view.stage.ground.position.z) + 0.1) < 1e-6);
  assert.deepEqual(await page.evaluate(() => cordage.view.solids.map((s) => s.mesh.visible)), [false, true]);
  await page.evaluate(() => cordage.player.seek(cordage.player.end));
  await settle(page);
  const before = await look(page);
  await page.click('#contacts');
  await settle(page);
  assert.ok(await page.evaluate(() => cordage.view.contacts.dots.count) > 1);
  assert.ok(difference(before, await look(page)) > 5, 'no contacts are seen');
  assert.match(await page.textContent('#legend'), /sticks.*slips/);
  await close(page);
});
