// The picture: strands, bodies and constraints, on the stage, at the player's time.
import * as THREE from 'three';
import { Anchors } from './anchors.js';
import { NEUTRAL } from './colours.js';
import { Contacts } from './contacts.js';
import { cornersOfImage, makeImage } from './images.js';
import { cornersOf, groundOf, Solid } from './solids.js';
import { levels } from './quality.js';
import { Stage } from './stage.js';
import { Tube } from './tube.js';

// Half the thickness of a strand as first seen: thinner ones are drawn thicker, at true thickness too.
const LEAST_PIXELS = 2.6, LEAST_TRUE = 0.9;
const APERTURE = 0.05; // the diameter of the lens over its distance

export class View {
  constructor(canvas, source, painter) {
    this.stage = new Stage(canvas);
    this.options = { trueThickness: true, stripe: true, neutral: false, contacts: false, constraints: false };
    this.setSource(source, painter);
  }

  // Shows another source, in the same stage. `keep`: the camera and the stage stay (the same scene, from elsewhere), or
  // only the camera does (an edited scene).
  setSource(source, painter, { keep = 'nothing' } = {}) {
    this.dispose();
    Object.assign(this, { source, painter });
    const { stage } = this, ground = groundOf(source);
    if (keep !== 'stage') this.setStage(ground, keep === 'camera');
    this.content = new THREE.Group();
    this.tubes = source.scene.strands.map((_, i) => new Tube(source, i, stage.environment));
    this.solids = source.scene.bodies.map((_, i) => new Solid(source, i, stage.environment));
    for (const { index } of this.solids) if (ground.floors.includes(index)) this.solids[index].ground = ground.height; // there it is drawn as the ground
    this.images = source.scene.images.filter((image) => source.pixels[image.file]).map((image) => makeImage(image, source.pixels[image.file]));
    this.least = LEAST_PIXELS * stage.pixel;
    this.someThin = this.tubes.some((tube) => tube.thickness < this.least);
    this.setTrueThickness(this.options.trueThickness);
    const drawn = Math.max(0, ...this.tubes.map((tube) => tube.thickness * tube.scale));
    this.anchors = new Anchors(source, this.tubes, stage, Math.min(drawn, 0.03 * stage.size));
    this.contacts = new Contacts(source, stage.size);
    this.content.add(...this.tubes.map((tube) => tube.mesh), ...this.solids.map((solid) => solid.mesh), ...this.images, this.anchors.group, this.contacts.group);
    stage.scene.add(this.content);
    this.setMeshes();
    this.setStripe(this.options.stripe);
    this.setNeutral(this.options.neutral);
    this.setContacts(this.options.contacts);
    this.setConstraints(this.options.constraints);
    if (this.colours) this.setTheme(this.colours);
  }

  setStage(ground, keepCamera) {
    const { stage, source } = this, points = samples(source);
    const aside = source.scene.images.length > 0 ? 0.12 : 0.4; // images are seen nearly from the front
    const { size, untouched } = stage, camera = stage.camera.position.clone(), target = stage.controls.target.clone();
    stage.frame(points, bounds(points), thinnest(points), aside, ground, source.scene.view);
    // Of a scene much larger or smaller than the last one, nothing would be seen from the old position.
    if (!keepCamera || !(stage.size < 3 * size && size < 3 * stage.size)) return;
    stage.camera.position.copy(camera);
    stage.controls.target.copy(target);
    stage.controls.update();
    stage.untouched = untouched;
  }

  // Frees the graphics memory of what is shown of the source; the stage stays.
  dispose() {
    if (!this.content) return;
    this.stage.scene.remove(this.content);
    for (const part of [...this.tubes, ...this.solids, this.anchors]) part.dispose();
    this.content.traverse((object) => {
      object.geometry?.dispose();
      for (const material of [object.material ?? []].flat()) {
        material.map?.dispose();
        material.dispose();
      }
      object.dispose?.(); // instances
    });
    this.content = null;
  }

  // A row of levels().
  setQuality(level) {
    if (level === this.stage.level) return;
    this.stage.setQuality(level);
    this.setMeshes();
  }

  // Coarse ones are as fine as can be seen from where the camera is.
  setMeshes() {
    const { stage } = this, pixel = levels()[stage.level].coarse ? stage.pixelNow : 0;
    for (const part of [...this.tubes, ...this.solids, this.anchors]) part.setCoarse(pixel);
  }

  setTrueThickness(on) {
    this.options.trueThickness = on;
    for (const tube of this.tubes) {
      const thickness = tube.thickness || 1e-6, least = on && tube.thickness > 0 ? LEAST_TRUE * this.stage.pixel : this.least;
      tube.scale = Math.max(1, least / thickness);
    }
  }

  setStripe(on) {
    this.options.stripe = on;
    for (const tube of this.tubes) tube.setStripe(on);
  }

  // Bodies are grey while colours show a quantity.
  setNeutral(on) {
    this.options.neutral = on;
    for (const solid of this.solids) solid.setColour(on ? NEUTRAL : null);
  }

  setContacts(on) {
    this.options.contacts = on;
    this.contacts.setVisible(on);
  }

  setDepthOfField(on) {
    this.stage.lens.aperture = on ? APERTURE : 0;
    this.stage.dirty = true;
  }

  // Besides dots at anchors.
  setConstraints(on) {
    this.options.constraints = on;
    this.anchors.setVisible(on);
  }

  setTheme(colours) {
    this.colours = colours;
    this.stage.setTheme(colours);
    this.anchors.setTheme(colours);
  }

  show(frame, part) {
    if (this.stage.level > 0) this.setMeshes();
    this.tubes.forEach((tube, i) => tube.update(frame, part, this.painter.paint(i, frame)));
    for (const solid of this.solids) solid.update(frame, part);
    this.anchors.update(part > 0.5 ? frame + 1 : frame);
    this.contacts.update(part > 0.5 ? frame + 1 : frame);
    this.stage.dirty = true;
  }
}

// Some hundred points of every strand, in some dozen frames, bodies, and where anchors are.
function samples(source) {
  const points = [], most = Math.max(8, Math.floor(1500 / Math.max(1, source.scene.strands.length)));
  const last = source.frames - 1, moments = Math.min(last, 24);
  for (let m = 0; m <= moments; m++) {
    const frame = moments > 0 ? Math.round(m / moments * last) : 0;
    source.scene.strands.forEach((strand, i) => {
      const x = source.vertices(i, frame, new Float64Array(3 * strand.vertices));
      const stride = Math.max(1, Math.floor(strand.vertices * moments / most));
      for (let v = 0; v < strand.vertices; v += stride) points.push([x[3 * v], x[3 * v + 1], x[3 * v + 2]]);
      points.push([...x.slice(-3)]);
    });
    source.scene.bodies.forEach((body, i) => { if (body.shape !== 'plane') points.push(...cornersOf(source, i, frame)); });
    for (const { point } of source.scene.anchors) points.push(source.point(point, frame).place);
  }
  for (const image of source.scene.images) points.push(...cornersOfImage(image));
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
