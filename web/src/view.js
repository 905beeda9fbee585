// The picture: strands, bodies and constraints, on the stage, at the player's time.
import { Anchors } from './anchors.js';
import { NEUTRAL } from './colours.js';
import { Contacts } from './contacts.js';
import { cornersOfImage, makeImage } from './images.js';
import { cornersOf, groundOf, Solid } from './solids.js';
import { Stage } from './stage.js';
import { Tube } from './tube.js';

const LEAST_PIXELS = 2.6; // half the thickness of a strand as first seen: thinner ones are drawn thicker

export class View {
  constructor(canvas, recording, painter) {
    Object.assign(this, { recording, painter, stage: new Stage(canvas) });
    const points = samples(recording);
    const aside = recording.scene.images.length > 0 ? 0.12 : 0.4; // images are seen nearly from the front
    const ground = groundOf(recording);
    this.stage.frame(points, bounds(points), thinnest(points), aside, ground);
    this.tubes = recording.scene.strands.map((_, i) => new Tube(recording, i));
    for (const tube of this.tubes) this.stage.scene.add(tube.mesh);
    this.solids = recording.scene.bodies.map((_, i) => new Solid(recording, i));
    for (const solid of this.solids) {
      this.stage.scene.add(solid.mesh);
      if (ground.floors.includes(solid.index)) solid.ground = ground.height; // there it is drawn as the ground
    }
    this.images = recording.scene.images.map((image) => makeImage(image, recording.pixels[image.file]));
    for (const image of this.images) this.stage.scene.add(image);
    this.least = LEAST_PIXELS * this.stage.pixel;
    this.someThin = this.tubes.some((tube) => tube.thickness < this.least);
    this.setTrueThickness(false);
    const drawn = Math.max(0, ...this.tubes.map((tube) => tube.thickness * tube.scale));
    this.anchors = new Anchors(recording, this.tubes, this.stage.size, Math.min(drawn, 0.03 * this.stage.size));
    this.stage.scene.add(this.anchors.group);
    this.contacts = new Contacts(recording, this.stage.size);
    this.stage.scene.add(this.contacts.group);
  }

  setTrueThickness(on) {
    for (const tube of this.tubes) {
      const thickness = tube.thickness || 1e-6;
      tube.scale = on && tube.thickness > 0 ? 1 : Math.max(1, this.least / thickness);
    }
  }

  setStripe(on) {
    for (const object of [...this.tubes, ...this.solids]) object.setStripe(on);
  }

  // Bodies are grey while colours show a quantity.
  setNeutral(on) {
    for (const solid of this.solids) solid.setColour(on ? NEUTRAL : null);
  }

  setTheme(colours) {
    this.stage.setTheme(colours);
    this.anchors.setTheme(colours);
  }

  show(frame, part) {
    this.tubes.forEach((tube, i) => tube.update(frame, part, this.painter.paint(i, frame)));
    for (const solid of this.solids) solid.update(frame, part);
    this.anchors.update(part > 0.5 ? frame + 1 : frame);
    this.contacts.update(part > 0.5 ? frame + 1 : frame);
    this.stage.dirty = true;
  }
}

// Some hundred points of every strand, in some dozen frames, bodies, and where anchors are.
function samples(recording) {
  const points = [], most = Math.max(8, Math.floor(1500 / Math.max(1, recording.scene.strands.length)));
  const last = recording.frames - 1, moments = Math.min(last, 24);
  for (let m = 0; m <= moments; m++) {
    const frame = moments > 0 ? Math.round(m / moments * last) : 0;
    recording.scene.strands.forEach((strand, i) => {
      const x = recording.vertices(i, frame, new Float64Array(3 * strand.vertices));
      const stride = Math.max(1, Math.floor(strand.vertices * moments / most));
      for (let v = 0; v < strand.vertices; v += stride) points.push([x[3 * v], x[3 * v + 1], x[3 * v + 2]]);
      points.push([...x.slice(-3)]);
    });
    recording.scene.bodies.forEach((body, i) => { if (body.shape !== 'plane') points.push(...cornersOf(recording, i, frame)); });
    for (const { point } of recording.scene.anchors) points.push(recording.point(point, frame).place);
  }
  for (const image of recording.scene.images) points.push(...cornersOfImage(image));
  return points.length > 0 ? points : [[-1, -1, -1], [1, 1, 1]];
}

function bounds(points) {
  const of = (choose) => [0, 1, 2].map((k) => points.reduce((best, p) => choose(best, p[k]), points[0][k]));
  return { low: of(Math.min), high: of(Math.max) };
}

// The horizontal direction with the least variance; towards −y when in doubt.
function thinnest(points) {
  const n = points.length, mean = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / n);
  let xx = 0, xy = 0, yy = 0;
  for (const p of points) {
    const x = p[0] - mean[0], y = p[1] - mean[1];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (!(Math.hypot((xx - yy) / 2, xy) > 0.05 * (xx + yy))) return [0.3, -1];
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2, d = [Math.cos(angle), Math.sin(angle)];
  return d[1] > 1e-9 ? [-d[0], -d[1]] : d;
}
