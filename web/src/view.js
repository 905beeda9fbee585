// The picture: strands, bodies and constraints, on the stage, at the player's time.
import * as THREE from 'three';
import { Anchors } from './anchors.js';
import { NEUTRAL } from './colours.js';
import { Contacts } from './contacts.js';
import { Extent } from './extent.js';
import { cornersOfImage, makeImage } from './images.js';
import { bodyFrame, groundOf, Solid } from './solids.js';
import { levels } from './quality.js';
import { halfThickness } from './section.js';
import { Stage } from './stage.js';
import { Tube } from './tube.js';
import { cross } from './vectors.js';

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
    const { stage, source } = this, { size, untouched } = stage, camera = stage.camera.position.clone(), target = stage.controls.target.clone();
    stage.frame(extentOf(source), ground, source.scene.view);
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
    this.stage.environment.setLifted(!on);
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
    for (const solid of this.solids) solid.setTheme(colours);
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

// Of some hundred points of every strand, in some dozen frames, bodies, and where anchors are.
function extentOf(source) {
  const extent = new Extent(), { strands } = source.scene, most = Math.max(8, Math.floor(1500 / Math.max(1, strands.length)));
  const last = source.frames - 1, moments = Math.min(last, 24), each = Math.max(1, Math.floor(most / Math.max(1, moments)));
  for (let m = 0; m <= moments; m++) {
    const frame = moments > 0 ? Math.round(m / moments * last) : 0;
    strands.forEach((strand, i) => addStrand(extent, source, i, frame, Math.min(strand.vertices - 1, each)));
    source.scene.bodies.forEach((body, i) => extent.addBody(body, bodyFrame(source, i, frame)));
    for (const { point } of source.scene.anchors) extent.add(source.point(point, frame).place);
  }
  for (const image of source.scene.images) {
    for (const corner of cornersOfImage(image)) {
      extent.add(corner);
      extent.addMoments(corner, 0.5 * (Math.hypot(...image.right) + Math.hypot(...image.down)));
    }
  }
  return extent;
}

// At the ends of `spans` of a strand. A sheet is wide across, and not below its end: the corners of flat sections count.
function addStrand(extent, source, index, frame, spans) {
  const strand = source.scene.strands[index], numbers = (n) => new Float64Array(3 * n), x = source.vertices(index, frame, numbers(strand.vertices));
  const radius = halfThickness(strand), flat = strand.section === 'rectangle' || strand.section === 'ellipse', [tangents, directors] = [numbers(strand.edges), numbers(strand.edges)];
  if (flat) source.directors(index, frame, x, tangents, directors);
  const at = (list, i) => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];
  let before = null;
  for (let i = 0; i <= spans; i++) {
    const v = Math.round(i / spans * (strand.vertices - 1)), here = at(x, v), edge = Math.min(v, strand.edges - 1);
    if (flat) {
      const first = at(directors, edge), second = cross(at(tangents, edge), first, []), [a, b] = strand.size.map((s) => s / 2);
      for (const [p, q] of [[a, b], [a, -b], [-a, b], [-a, -b]]) extent.add(here.map((c, k) => c + p * first[k] + q * second[k]));
    } else extent.add(here, radius);
    if (before) extent.addMoments(here.map((c, k) => (c + before[k]) / 2), Math.hypot(...here.map((c, k) => c - before[k])));
    before = here;
  }
}
