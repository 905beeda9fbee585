// A session for tests of the page alone: the messages of src/live/message.h with a chain of point masses behind them, in the page
// itself. It fails, stops and goes away when it is told to.
import { ANSWER, COMMAND, MessageReader, Writer } from '../src/protocol.js';

const SPACING = 0.05, STEP = 0.002;

const describe = (n, strands, mass) => ({
  format: 1, title: 'A chain', points: 1, contacts: false,
  strands: strands.map(({ from, to }, i) => ({ name: `chain[${i}]`, vertices: to - from + 1, edges: to - from, closed: false, frames: false, scalars: ['tension', 'speed'],
    section: 'circle', radius: [0.008, 0], size: [0.016, 0.016], length: [SPACING * (to - from)] })),
  bodies: [], paths: [], images: [], anchors: [{ kind: 'clamp', name: 'hook', point: 0 }], constraints: [{ kind: 'coincide', name: 'hung', first: 0, second: -1, direction: [0, 0, 1] }],
  series: [{ group: 'energy', name: 'kinetic', unit: 'J' }, { group: 'tip', name: 'z', unit: 'm' }, { group: 'tip', name: 'y', unit: 'm' }],
  scalars: { tension: 'N', speed: 'm/s' }, profiles: [{ name: 'tension', of: 'chain[0]', scalar: 'tension' }],
  live: { dt: STEP, until: 0.1, time: 0, name: 'chain.yaml', gravity: [0, 0, -9.81], wind: null,
    controls: [{ path: 'let.mass', label: 'mass', unit: 'kg', value: mass, min: 0.1, max: 5, step: 0, kind: 'let' }], overrides: [], can_cut: strands.map(() => true), moves: [true], turns: [true], held: [], attachments: 8 } });

const copy = (s) => ({ time: s.time, x: s.x.slice(), before: s.before.slice(), n: s.n, mass: s.mass, hook: [...s.hook], hung: s.hung, gravity: [...s.gravity],
  strands: s.strands.map((t) => ({ ...t })), attachments: new Map(s.attachments) });

export class FakeSession {
  constructor({ receive, lost }) {
    Object.assign(this, { receive, lost, log: [], revision: 0, speed: 0, wanted: null, files: [], kept: [], commandDone: 0 });
    this.timer = setInterval(() => this.turn(), 8);
    this.last = performance.now();
  }

  close() { clearInterval(this.timer); }
  vanish(reason) { this.close(); this.lost(reason); }
  stop(reason) {
    Object.assign(this, { speed: 0, failed: true, fresh: true });
    this.answer(ANSWER.STOPPED, 0, (w) => w.list([0], (v) => v.text('').u32(0).u32(0).text(reason)));
  }
  answer(kind, serial, fill) {
    const writer = new Writer(kind, serial);
    fill?.(writer);
    const bytes = writer.done();
    setTimeout(() => this.receive(bytes));
  }

  reset(n, mass) {
    Object.assign(this, { failed: false, n, mass, time: 0, steps: 0, gravity: [0, 0, -9.81], hook: [0, 0, 1], hung: true, holds: new Map(), attachments: new Map(), strands: [{ from: 0, to: n - 1 }] });
    this.x = Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 2 ? 1 - 0.98 * SPACING * Math.floor(i / 3) : i % 3 === 1 ? 0.02 * Math.floor(i / 3) ** 0.5 : 0));
    this.before = this.x.slice();
  }

  sendScene() { this.revision++; this.answer(ANSWER.SCENE, 0, (w) => w.u32(this.revision).text(JSON.stringify(describe(this.n, this.strands, this.mass)))); }
  snapshot() { return copy(this); }
  nearest(place) {
    let best = 0, least = Infinity;
    for (let i = 0; i < this.n; i++) {
      const d = Math.hypot(...place.map((p, k) => this.x[3 * i + k] - p));
      if (d < least) [best, least] = [i, d];
    }
    return best;
  }

  send(bytes) {
    const r = new MessageReader(bytes), { kind, serial } = r, done = () => { this.commandDone = serial; this.answer(ANSWER.DONE, serial); };
    const name = Object.keys(COMMAND).find((k) => COMMAND[k] === kind), vector = () => [r.f64(), r.f64(), r.f64()];
    this.log.push(name);
    if ([COMMAND.GRAB, COMMAND.PIN, COMMAND.WEIGHT, COMMAND.CUT, COMMAND.GRAVITY, COMMAND.SWITCH, COMMAND.STEER, COMMAND.DETACH].includes(kind)) this.kept.push(this.snapshot());
    switch (kind) {
      case COMMAND.HELLO: this.answer(ANSWER.WELCOME, serial, (w) => { w.u32(1).u32(0); for (const limit of [1e6, 256, 256, 16, 64, 1000]) w.u32(limit); w.text('fake'); }); break;
      case COMMAND.OPEN: {
        const carry = r.u32(), files = r.list((q) => ({ name: q.text(), bytes: q.data().slice() })), text = new TextDecoder().decode(files[0].bytes), bad = text.split('\n').findIndex((l) => /broken/.test(l));
        if (bad >= 0) return this.answer(ANSWER.FAILED, serial, (w) => w.list([0], (v) => v.text(files[0].name).u32(bad + 1).u32(1).text('unknown key "broken"; did you mean "beads"?')));
        const n = Number(/beads: (\d+)/.exec(text)?.[1] ?? 15), old = carry && this.x ? this.snapshot() : null;
        this.files = files;
        this.reset(n, 1);
        if (old && old.n === n) Object.assign(this, { x: old.x, before: old.before, time: old.time });
        else if (old) this.time = old.time;
        this.sendScene();
        this.kept.push(this.snapshot());
        done();
        break;
      }
      case COMMAND.PLAY: this.speed = r.f64(); done(); break;
      case COMMAND.STEP: this.speed = 0; for (let i = r.u32(); i > 0; i--) this.step(); done(); break;
      case COMMAND.RESTART: this.reset(this.n, this.mass); this.sendScene(); done(); break;
      case COMMAND.WANT: this.wanted = { scalars: r.u32() }; return undefined; // answered when something has changed
      case COMMAND.GRAB: { const hold = r.u32(); r.u32(); const index = r.u32(), place = vector(), i = this.strands[index].from + this.nearest(place) - this.strands[index].from; this.holds.set(hold, { i, hand: place }); done(); break; }
      case COMMAND.DRAG: { const hold = r.u32(); if (this.holds.has(hold)) this.holds.get(hold).hand = vector(); this.commandDone = serial; break; }
      case COMMAND.LET_GO: this.holds.delete(r.u32()); done(); break;
      case COMMAND.PIN:
      case COMMAND.WEIGHT: {
        r.u32();
        r.u32();
        const i = this.nearest(vector()), number = this.log.length, mass = kind === COMMAND.WEIGHT ? r.f64() : 0;
        this.attachments.set(number, { i, mass, place: [...this.x.subarray(3 * i, 3 * i + 3)] });
        this.answer(ANSWER.ATTACHED, serial, (w) => w.u32(number).f64(0, 0, 0, 0));
        done();
        break;
      }
      case COMMAND.DETACH: this.attachments.delete(r.u32()); done(); break;
      case COMMAND.CUT: {
        const s = r.u32(), i = this.nearest(vector()), { from, to } = this.strands[s];
        if (i - from < 1 || to - i < 2) return this.answer(ANSWER.FAILED, serial, (w) => w.list([0], (v) => v.text('').u32(0).u32(0).text('too near to an end to be cut')));
        this.strands.splice(s, 1, { from, to: i }, { from: i + 1, to });
        this.sendScene();
        done();
        break;
      }
      case COMMAND.MOVE: { const what = r.u32(), number = r.u32(), place = vector(); if (what === 0) this.hook = place; else if (this.attachments.has(number)) this.attachments.get(number).place = place; break; }
      case COMMAND.GRAVITY: this.gravity = vector(); done(); break;
      case COMMAND.SWITCH: r.u32(); this.hung = r.u32() === 1; done(); break;
      case COMMAND.STEER: r.u32(); this.mass = r.f64(); this.sendScene(); done(); break;
      case COMMAND.BACK: {
        const time = r.f64(), at = Math.max(0, this.kept.findLastIndex((k) => k.time <= time + 1e-9));
        const again = this.kept[at].strands.length !== this.strands.length;
        Object.assign(this, copy(this.kept[at]), { speed: 0 });
        this.kept.length = at + 1;
        while (this.time < time - 1e-9) this.step();
        if (again) this.sendScene();
        done();
        break;
      }
      case COMMAND.FILES: this.answer(ANSWER.FILES_ARE, serial, (w) => w.files(this.files).texts([])); done(); break;
      case COMMAND.SCHEMA: this.answer(ANSWER.SCHEMA_IS, serial, (w) => w.text(JSON.stringify({ properties: { beads: { description: 'how many', type: 'integer' }, title: { type: 'string' } } }))); done(); break;
      default: this.answer(ANSWER.FAILED, serial, (w) => w.list([0], (v) => v.text('').u32(0).u32(0).text(`${name} is not known`)));
    }
    this.fresh = true;
    return undefined;
  }

  force(i) {
    for (const { i: at, hand } of this.holds.values()) if (at === i) return [0, 1, 2].map((k) => 400 * (hand[k] - this.x[3 * i + k]));
    return [0, 0, 0];
  }

  // Verlet with the lengths of links projected.
  step() {
    const { x, before, n } = this;
    for (let i = 0; i < n; i++) {
      const f = this.force(i);
      for (let k = 0; k < 3; k++) {
        const now = x[3 * i + k];
        x[3 * i + k] += 0.995 * (now - before[3 * i + k]) + STEP * STEP * (this.gravity[k] + f[k] / this.mass);
        before[3 * i + k] = now;
      }
    }
    for (let round = 0; round < 20; round++) {
      if (this.hung) x.set(this.hook, 0);
      for (const { i, mass, place } of this.attachments.values()) if (!mass) x.set(place, 3 * i);
      for (const { from, to } of this.strands) for (let i = from; i < to; i++) this.project(i);
    }
    this.time += STEP;
    this.steps++;
  }

  project(i) {
    const { x } = this, d = [0, 1, 2].map((k) => x[3 * i + 3 + k] - x[3 * i + k]), length = Math.hypot(...d) || 1, c = 0.5 * (length - SPACING) / length;
    for (let k = 0; k < 3; k++) {
      x[3 * i + k] += c * d[k];
      x[3 * i + 3 + k] -= c * d[k];
    }
  }

  turn() {
    const now = performance.now();
    let due = this.speed * Math.min(0.05, (now - this.last) / 1000);
    this.last = now;
    for (; due > 0; due -= STEP) { this.step(); this.fresh = true; }
    if (!this.wanted || !this.fresh || !this.x) return;
    const { scalars } = this.wanted;
    this.wanted = null;
    this.fresh = false;
    this.answer(ANSWER.FRAME, 0, (w) => this.frame(w, scalars));
  }

  frame(w, scalars) {
    const f32 = (...values) => { for (const v of values) { const at = w.room(4); w.view.setFloat32(at, v, true); } };
    w.u32(this.revision).f64(this.time, 0, 0, this.speed).u32(this.steps).u32(this.commandDone).u32((this.speed > 0 ? 1 : 0) | (this.failed ? 4 : 0)).u32(scalars);
    for (const { from, to } of this.strands) {
      f32(...this.x.subarray(3 * from, 3 * to + 3));
      for (let k = 0; k < 2; k++) if (scalars >> k & 1) for (let i = from; i <= to; i++) f32(k === 0 ? (to - i) * 0.1 : Math.hypot(...[0, 1, 2].map((c) => this.x[3 * i + c] - this.before[3 * i + c])) / STEP);
    }
    f32(...this.hook, 0, 0, -1, 1, 0, 0, this.hung ? 1 : 0, 0, this.x[3 * this.n - 1], this.x[3 * this.n - 2]);
    w.u32(0);
    w.list([...this.holds], (v, [hold, { i, hand }]) => { v.u32(1).u32(hold); f32(...this.x.subarray(3 * i, 3 * i + 3), ...hand, ...this.force(i)); });
    w.list([...this.attachments], (v, [number, { i, mass }]) => {
      v.u32(number).u32(mass ? 1 : 0);
      const p = this.x.subarray(3 * i, 3 * i + 3);
      f32(...p, p[0], p[1], p[2] - (mass ? 0.05 : 0), mass ? 0.02 : 0, mass, 0, 0, 0);
    });
  }
}

globalThis.FakeSession = FakeSession;
