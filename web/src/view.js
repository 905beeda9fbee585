// The picture: strands and what holds them, on the stage, at the player's time.
import { Anchors } from './anchors.js';
import { Stage } from './stage.js';
import { Tube } from './tube.js';

const LEAST_THICKNESS = 0.0028; // of the scene's size: thinner strands are drawn thicker

export class View {
  constructor(canvas, recording, painter) {
    Object.assign(this, { recording, painter, stage: new Stage(canvas) });
    this.stage.frame(bounds(recording), thinnest(recording));
    this.tubes = recording.scene.strands.map((_, i) => new Tube(recording, i));
    for (const tube of this.tubes) this.stage.scene.add(tube.mesh);
    this.least = LEAST_THICKNESS * this.stage.size;
    this.someThin = this.tubes.some((tube) => tube.thickness < this.least);
    this.setTrueThickness(false);
    const drawn = Math.max(0, ...this.tubes.map((tube) => tube.thickness * tube.scale));
    this.anchors = new Anchors(recording, this.stage.size, Math.min(drawn, 0.03 * this.stage.size));
    this.stage.scene.add(this.anchors.group);
  }

  setTrueThickness(on) {
    for (const tube of this.tubes) {
      const thickness = tube.thickness || 1e-6;
      tube.scale = on && tube.thickness > 0 ? 1 : Math.max(1, this.least / thickness);
    }
  }

  setStripe(on) {
    for (const tube of this.tubes) tube.setStripe(on);
  }

  setTheme(colours) {
    this.stage.setTheme(colours);
    this.anchors.setTheme(colours);
  }

  show(frame, part) {
    this.tubes.forEach((tube, i) => tube.update(frame, part, this.painter.paint(i, frame)));
    this.anchors.update(part > 0.5 ? frame + 1 : frame);
    this.stage.dirty = true;
  }
}

// Strands in all frames, and anchors at the beginning and the end.
function bounds(recording) {
  const { low, high } = recording.bounds();
  for (const { point } of recording.scene.anchors) {
    for (const frame of [0, recording.frames - 1]) {
      recording.point(point, frame).place.forEach((value, k) => {
        low[k] = Math.min(low[k], value);
        high[k] = Math.max(high[k], value);
      });
    }
  }
  return { low, high };
}

// The horizontal direction with the least variance, seen over the whole run; towards −y when in doubt.
function thinnest(recording) {
  let n = 0, sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
  for (let k = 0; k <= 8; k++) {
    const frame = Math.round(k / 8 * (recording.frames - 1));
    recording.scene.strands.forEach((strand, i) => {
      const x = recording.vertices(i, frame, new Float64Array(3 * strand.vertices));
      for (let v = 0; v < strand.vertices; v++) {
        const [a, b] = [x[3 * v], x[3 * v + 1]];
        n++; sx += a; sy += b; xx += a * a; xy += a * b; yy += b * b;
      }
    });
  }
  const vxx = xx / n - (sx / n) ** 2, vxy = xy / n - sx * sy / n / n, vyy = yy / n - (sy / n) ** 2;
  const spread = Math.hypot((vxx - vyy) / 2, vxy);
  if (!(spread > 0.05 * (vxx + vyy))) return [0.3, -1];
  const angle = 0.5 * Math.atan2(2 * vxy, vxx - vyy) + Math.PI / 2, d = [Math.cos(angle), Math.sin(angle)];
  return d[1] > 1e-9 ? [-d[0], -d[1]] : d;
}
