// A live run in the page: the session, its frames on their way into the picture, what is done to it and undone.
import { Clock } from './clock.js';
import { LiveSource } from './live_source.js';
import { FLAG, HANDLE, ROLE, sayDiagnostics, TARGET } from './protocol.js';
import { Session } from './session.js';

const SMALL = 4000; // vertices: of scenes up to this size, all scalars are sent with every frame
const BUSY = 1.5; // s without an answer: a long step, or a large scene that is being built
const MEASURED = 1000; // ms over which the rate of time is measured
const RETRIES = [500, 1000, 2000, 4000]; // ms until a lost connection is tried again

// Rows of frames are those of another scene: frames of the one cannot be read as the other's.
const rowsOf = (scene) => JSON.stringify([scene.strands.map(({ vertices, edges, frames, scalars, closed }) => [vertices, edges, frames, scalars, closed]),
  scene.points, scene.constraints.length, scene.anchors, scene.bodies.length, scene.series, scene.scalars, scene.contacts]);
const drawingOf = ({ live, title, about, ...drawn }) => JSON.stringify(drawn);
const targetOf = (what) => (what === 'strand' ? TARGET.STRAND : TARGET.BODY);

export class Live {
  // `connect`: as Session has it; `again`: whether a lost connection may be tried again (the session goes on elsewhere).
  // `on`: shown(source, clock, keep), described(scene), arrived(frame), changed(), message(text), stopped(text), restarted(),
  // lost(reason); of a recording: chunks({ scene, pixels, chunks }), series({ stride, values }).
  constructor(connect, { again, on, scalars }) {
    Object.assign(this, { connect, again, on, scalars, role: null, source: null, next: null, pending: null, changes: [], tries: 0, rate: null, frame: null, pixels: [] });
    this.start();
  }

  start() {
    this.welcome = new Promise((resolve, reject) => { Object.assign(this, { welcomed: resolve, refused: reject }); });
    this.welcome.catch(() => {});
    this.session = new Session(this.connect, {
      welcome: (welcome) => { this.tries = 0; this.role = welcome.role; this.engine = welcome.engine; this.welcomed(welcome); },
      scene: ({ revision, scene }) => this.adopt(revision, scene),
      image: ({ file, rgba }) => { this.pixels[file] = rgba; },
      frame: (reader) => this.receive(reader),
      warned: (list) => this.on.message(sayDiagnostics(list)),
      stopped: (list) => { this.clock?.stop(); this.on.stopped(sayDiagnostics(list)); },
      chunks: ({ chunks }) => this.on.chunks({ scene: this.recorded, pixels: this.pixels, chunks }),
      series: (overview) => this.on.series(overview),
      lost: (reason) => this.lose(reason),
    });
    if (this.clock) this.clock.session = this.session;
  }

  lose(reason) {
    this.refused(new Error(reason));
    if (this.again && this.tries < RETRIES.length) {
      this.on.message(`${reason}; trying again`);
      setTimeout(() => { if (!this.ended) this.start(); }, RETRIES[this.tries++]);
    } else {
      this.on.lost(reason);
    }
  }

  end() {
    this.ended = true;
    this.session.close();
  }

  // ---- scenes and frames

  // A scene has come, after the pixels of its images. Where its frames have the rows of the last one's, they are continued; what is drawn changes only if it differs.
  adopt(revision, scene) {
    if (this.role === ROLE.RECORDING) {
      this.recorded = scene;
      return undefined;
    }
    scene.live?.image_files?.forEach((name, file) => { this.pixels[file] ??= this.decoded?.get(name); }); // the engine in a page does not decode
    const old = this.next ?? this.source;
    if (old && rowsOf(old.scene) === rowsOf(scene)) {
      const redraw = drawingOf(old.scene) !== drawingOf(scene);
      old.scene = scene;
      old.sceneRevision = revision;
      if (!this.next) {
        this.on.described(scene);
        if (redraw) this.on.shown(old, this.clock, 'stage');
      }
    } else {
      this.next = new LiveSource(scene, revision);
      this.next.pixels = this.pixels;
    }
    this.pending = null;
    return this.want();
  }

  // The scalars that the page shows, as bits of WANT.
  get wanted() {
    const { scene } = this.next ?? this.source, size = scene.strands.reduce((sum, s) => sum + s.vertices, 0), names = this.scalars();
    let mask = 0;
    Object.keys(scene.scalars).forEach((name, k) => { if (size <= SMALL || names.includes(name)) mask |= 1 << k; });
    return mask >>> 0;
  }

  want() {
    this.asked = this.wanted;
    this.session.want(this.asked);
  }

  receive(reader) {
    const frame = (this.next ?? this.source)?.read(reader);
    if (frame) this.pending = frame;
    else this.want();
  }

  // In every picture: takes the frame that has come, and asks for the next, which is made while this one is drawn. None comes of a
  // session that is paused, unless the page is to show more of it.
  turn(now) {
    const frame = this.pending;
    if (!frame) {
      if (this.asked !== undefined && this.source && !this.clock.playing && this.asked !== this.wanted) this.want();
      return;
    }
    this.pending = null;
    const source = this.next ?? this.source, first = this.next !== null;
    source.add(frame);
    if (this.begins && !(frame.flags & FLAG.SEEKING)) { // what was computed to get here had a few frames only
      source.forget();
      this.begins = false;
    }
    this.frame = frame;
    this.measure(frame, now);
    if (first) this.showNext(source);
    this.clock.arrived(frame);
    this.on.arrived(frame);
    this.want();
  }

  showNext(source) {
    const keep = this.source ? 'camera' : this.keepFirst ?? 'nothing', { speed = 1, playing = false } = this.clock ?? {};
    this.next = null;
    this.source = source;
    const clock = new Clock(source, this.session, () => this.on.changed());
    Object.assign(clock, { speed, playing, shared: this.again });
    this.clock = clock;
    this.on.described(source.scene);
    this.on.shown(source, clock, keep);
  }

  // The rate of simulated time against the wished one, over the last second.
  measure(frame, now) {
    const { since } = this;
    if (!(frame.flags & FLAG.PLAYING) || frame.flags & FLAG.SEEKING || !since || since.speed !== frame.speed || frame.time < since.time) {
      this.since = { now, time: frame.time, speed: frame.speed, drawn: 0 };
      this.rate = null;
    } else if (now - since.now > MEASURED) {
      const seconds = (now - since.now) / 1000;
      this.rate = (frame.time - since.time) / (seconds * frame.speed);
      this.pictures = (since.drawn + 1) / seconds;
      this.since = { now, time: frame.time, speed: frame.speed, drawn: 0 };
    } else {
      since.drawn++;
    }
  }

  // "Live", with what there is to say about it.
  get status() {
    const { frame } = this;
    if (!frame) return 'Live: starting …';
    const { waiting } = this.session;
    if (waiting > BUSY && !(frame.flags & FLAG.SEEKING)) return `Live: at work for ${Math.floor(waiting)} s`;
    if (frame.flags & FLAG.SEEKING) return `Live: computing up to the frame shown, at ${frame.time.toFixed(2)} s`;
    if (this.rate !== null && this.rate < 0.95 && this.clock.playing) return `Live · time × ${this.rate.toFixed(this.rate < 0.1 ? 2 : 1)}`;
    return 'Live';
  }

  // ---- what is done to it

  say(error) { if (!error.superseded) this.on.message(error.message); }

  // Something that can be undone. What is refused is said, or thrown.
  async change(action, throws = false) {
    const time = this.frame?.time ?? 0;
    try {
      const result = await action();
      this.noted(time);
      return result;
    } catch (error) {
      if (throws) throw error;
      this.say(error);
      return null;
    }
  }

  can({ what, index }) {
    const { live } = this.source.scene;
    if (what === 'strand') return true;
    if (what === 'body') return live?.held?.[index] !== false;
    return Boolean(live?.moves?.[index] || live?.turns?.[index]);
  }

  canCut({ what, index }) { return what === 'strand' && this.source.scene.live?.can_cut?.[index] !== false; }

  pin({ what, index, place }) { return this.change(() => this.session.pin(targetOf(what), index, place)); }
  weight({ what, index, place }, mass) { return this.change(() => this.session.weight(targetOf(what), index, place, mass)); }
  detach(number) { return this.change(() => this.session.detach(number)); }
  cut({ index, place }) { return this.change(() => this.session.cut(index, place)); }
  setAttached(constraint, on) { return this.change(() => this.session.setAttached(constraint, on)); }
  moveAnchor(anchor, place, rotation) { this.session.move(HANDLE.ANCHOR, anchor, place, rotation); }
  movePin(number, place) { this.session.move(HANDLE.ATTACHMENT, number, place, [0, 0, 0]); }
  grab(hold, { what, index, place }) { return this.change(() => this.session.grab(hold, targetOf(what), index, place)); }
  drag(hold, place) { return this.session.drag(hold, place); }
  letGo(hold) { this.session.letGo(hold).catch(() => {}); }

  // A slider sends its next value when the last one has been dealt with.
  slide(name, value, send) {
    this.sliding ??= new Map();
    const known = this.sliding.get(name);
    if (known) {
      known.next = value;
      return;
    }
    const state = { next: undefined };
    this.sliding.set(name, state);
    const go = async (v) => {
      await send(v).catch((error) => this.say(error));
      const { next } = state;
      state.next = undefined;
      if (next === undefined) this.sliding.delete(name);
      else await go(next);
    };
    this.noted(this.frame?.time ?? 0);
    go(value);
  }

  // Back to before the last change. Of several changes at one time (of a paused run) the session goes back to before the last one
  // only; before the others it has been one step earlier.
  async undo() {
    const time = this.changes.pop(), { dt = 0 } = this.source.scene.live ?? {};
    if (time === undefined) return this.on.message('There is nothing to undo.');
    const again = this.undone !== undefined && Math.abs(time - this.undone) < 1.5 * dt;
    this.undone = again ? Math.min(time, this.undone) - dt : time;
    return this.goBack(this.undone);
  }

  // A change was made.
  noted(time) {
    this.changes.push(time);
    this.undone = undefined;
  }

  async goBack(time) {
    const { playing } = this.clock, { dt = 0 } = this.source.scene.live ?? {};
    this.changes = this.changes.filter((t) => t <= time + 1.5 * dt);
    try {
      await this.clock.goBack(time);
      if (playing) await this.session.play(this.clock.speed);
    } catch (error) {
      this.say(error);
    }
  }

  async restart() {
    this.changes = [];
    await this.session.restart(false).catch((error) => this.say(error));
    this.clock.following = true;
    this.on.restarted();
  }
}
