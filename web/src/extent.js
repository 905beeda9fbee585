// What a picture shows, gathered over a run: the farthest points in a fixed set of directions, and second moments; and the camera that
// shows it. As of stills (src/record/render_camera.c, choose_ball() of render_setup.c).

const DIRECTIONS = []; // to a cube's corners, edges and faces
for (let i = 0; i < 27; i++) {
  const d = [i % 3 - 1, Math.floor(i / 3) % 3 - 1, Math.floor(i / 9) - 1], length = Math.hypot(...d);
  if (length > 0) DIRECTIONS.push(d.map((x) => x / length));
}
const RIM = 16; // positions on the rim of a cylinder

export class Extent {
  constructor() {
    Object.assign(this, { reaches: DIRECTIONS.map(() => -Infinity), farthest: [], weight: 0, mean: [0, 0, 0], moments: [0, 0, 0, 0] });
  }

  add([x, y, z], radius = 0) {
    DIRECTIONS.forEach((d, i) => {
      const reach = x * d[0] + y * d[1] + z * d[2] + radius;
      if (!(reach > this.reaches[i])) return;
      this.reaches[i] = reach;
      this.farthest[i] = [x + radius * d[0], y + radius * d[1], z + radius * d[2]];
    });
  }

  // For the direction of the view: from the side on which most is to be seen.
  addMoments([x, y, z], weight) {
    this.weight += weight;
    [x, y, z].forEach((value, k) => { this.mean[k] += weight * value; });
    [x * x, y * y, z * z, x * y].forEach((value, k) => { this.moments[k] += weight * value; });
  }

  // A body (of recording.scene.bodies) whose axes are given by `toWorld`, of positions in them.
  addBody({ shape, radius, length, size, vertices, scenery }, toWorld) {
    const add = (x, y, z, r = 0) => this.add(toWorld([x, y, z]), r), half = length / 2;
    if (shape === 'none' || shape === 'plane') return;
    if (shape === 'sphere') add(0, 0, 0, radius);
    else if (shape === 'capsule') [half, -half].forEach((z) => add(0, 0, z, radius));
    else if (shape === 'box') for (let i = 0; i < 8; i++) add(...size.map((s, k) => (i >> k & 1 ? s / 2 : -s / 2)));
    else if (shape === 'mesh') for (let i = 0; i < vertices.length; i += 3) add(vertices[i], vertices[i + 1], vertices[i + 2]);
    else for (let i = 0; i < 2 * RIM; i++) add(radius * Math.cos(2 * Math.PI * i / RIM), radius * Math.sin(2 * Math.PI * i / RIM), i < RIM ? half : -half);
    if (!scenery) this.addMoments(toWorld([0, 0, 0]), reachOf({ shape, radius, length, size, vertices }));
  }

  get any() { return this.farthest.length > 0; }

  // Along an axis; its directions are those of the cube's faces.
  low(k) { return this.any ? -this.reaches[[12, 10, 4][k]] : -0.5; }
  high(k) { return this.any ? this.reaches[[13, 15, 21][k]] : 0.5; }
  get size() { return Math.max(...[0, 1, 2].map((k) => this.high(k) - this.low(k))) || 1; }
  get middle() { return [0, 1, 2].map((k) => (this.low(k) + this.high(k)) / 2); }

  // A ball around the farthest points.
  ball() {
    const points = this.farthest, centre = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k], 0) / (points.length || 1));
    const reach = Math.max(0.51 * this.size, ...points.map((p) => 1.02 * Math.hypot(...p.map((x, k) => x - centre[k]))));
    return { centre, reach };
  }

  // Across the long horizontal axis, a little rotated and from above, more so when the scene lies flat: from the camera.
  direction() {
    const w = this.weight > 0 ? 1 / this.weight : 0, [mx, my, mz] = this.mean.map((x) => x * w), [xx, yy, zz, xy] = this.moments.map((x) => x * w);
    const [cxx, cyy, czz, cxy] = w > 0 ? [xx - mx * mx, yy - my * my, Math.max(zz - mz * mz, 0), xy - mx * my] : [1, 1, 1, 0];
    const mean = (cxx + cyy) / 2, radius = Math.hypot((cxx - cyy) / 2, cxy), large = Math.sqrt(Math.max(mean + radius, 0)), small = Math.sqrt(Math.max(mean - radius, 0));
    let axis = small < 0.8 * large && large > 0.05 * Math.sqrt(czz) ? Math.atan2(2 * cxy, cxx - cyy) / 2 : 0;
    if (axis < -Math.PI / 4 - 1e-9) axis += Math.PI; // to the right is +x, or +y when the axis is nearer to that
    const flat = small / Math.max(small + 2 * Math.sqrt(czz) + 0.05 * large, 1e-300), azimuth = axis + 0.30, elevation = 0.22 + 0.42 * flat;
    return [-Math.sin(azimuth) * Math.cos(elevation), Math.cos(azimuth) * Math.cos(elevation), -Math.sin(elevation)];
  }

  // Where the camera's target is and how far away it stands, looking `forward`, so that the farthest points fill the picture but for a
  // margin. `up` and `right`: its axes; `slope`: half the height of the picture over the distance; `aspect`: its width over its height.
  fit({ forward, right, up, slope, aspect }) {
    const target = this.middle, dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let distance = 4 * this.size;
    for (let round = 0; this.any && round < 24; round++) {
      const spans = [right, up].map((axis) => {
        const seen = this.farthest.map((p) => {
          const d = p.map((x, k) => x - target[k]);
          return dot(d, axis) / Math.max(distance + dot(d, forward), 1e-3 * distance) / slope;
        });
        return [Math.min(...seen), Math.max(...seen)];
      });
      const [across, upwards] = spans.map(([low, high]) => (low + high) / 2);
      for (let k = 0; k < 3; k++) target[k] += distance * slope * (across * right[k] + (upwards - LIFTED) * up[k]);
      const fill = Math.max((spans[0][1] - spans[0][0]) / (WIDE * 2 * aspect), (spans[1][1] - spans[1][0]) / (TALL * 2));
      distance = Math.max(distance * Math.min(Math.max(fill, 0.5), 2), 0.5 * this.size);
    }
    return { target, distance };
  }
}

// The parts of a picture's width and height that are filled, and how far above the middle, in halves of the height: the legend is below.
const WIDE = 0.84, TALL = 0.80, LIFTED = 0.05;

// How far a body reaches from its origin, as cord__solid_reach().
function reachOf({ shape, radius, length, size, vertices }) {
  switch (shape) {
    case 'sphere': return radius;
    case 'capsule': return radius + length / 2;
    case 'cylinder': return Math.hypot(radius, length / 2);
    case 'box': return Math.hypot(...size) / 2;
    default: {
      let most = 0;
      for (let i = 0; i < vertices.length; i += 3) most = Math.max(most, Math.hypot(vertices[i], vertices[i + 1], vertices[i + 2]));
      return most;
    }
  }
}
