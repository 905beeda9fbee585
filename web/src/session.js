// The page's end of a live session: commands with their answers, scenes and frames as they come.
import { ANSWER, CARRY, COMMAND, MessageReader, read, sayDiagnostics, SUPERSEDED, VERSION, Writer } from './protocol.js';

// A command that the session has refused, with its diagnostics.
export class Refused extends Error {
  constructor(diagnostics) {
    super(sayDiagnostics(diagnostics));
    this.diagnostics = diagnostics;
  }

  // Whoever gave the next command knows that it ended this one.
  get superseded() { return this.message === SUPERSEDED; }
}

export class Session {
  // `connect({ receive, lost })` makes the transport. `on`: welcome, scene, frame, image, warned, stopped, chunks, series, lost.
  constructor(connect, on) {
    Object.assign(this, { on, serial: 0, asked: new Map(), closed: false });
    this.transport = connect({ receive: (bytes) => this.receive(bytes), lost: (reason) => this.lost(reason) });
    this.notify(COMMAND.HELLO, (w) => w.u32(VERSION));
  }

  write(kind, fill) {
    const writer = new Writer(kind, ++this.serial);
    fill?.(writer);
    this.transport.send(writer.done());
    return this.serial;
  }

  // A command without an answer.
  notify(kind, fill) { return this.closed ? 0 : this.write(kind, fill); }

  // A command with one: resolves to what came before DONE, by kind; rejects with Refused.
  ask(kind, fill) {
    if (this.closed) return Promise.reject(new Error('the session has ended'));
    return new Promise((resolve, reject) => {
      this.asked.set(this.serial + 1, { resolve, reject, answers: {}, since: performance.now() }); // before the answer can come
      this.write(kind, fill);
    });
  }

  // The time for which the oldest command has waited, s.
  get waiting() {
    const [first] = this.asked.values();
    return first ? (performance.now() - first.since) / 1000 : 0;
  }

  receive(bytes) {
    const reader = new MessageReader(bytes), { kind, serial } = reader;
    if (kind === ANSWER.FRAME) return this.on.frame(reader);
    const content = read[kind]?.(reader), asked = this.asked.get(serial);
    const event = { [ANSWER.WELCOME]: 'welcome', [ANSWER.SCENE]: 'scene', [ANSWER.WARNED]: 'warned', [ANSWER.STOPPED]: 'stopped', [ANSWER.CHUNKS]: 'chunks', [ANSWER.IMAGE]: 'image', [ANSWER.SERIES]: 'series' }[kind];
    if (event) this.on[event]?.(content);
    if (kind === ANSWER.FAILED && !asked) return this.on.warned?.(content);
    if (!asked) return undefined;
    if (kind === ANSWER.DONE || kind === ANSWER.FAILED) {
      this.asked.delete(serial);
      if (kind === ANSWER.DONE) asked.resolve(asked.answers); else asked.reject(new Refused(content));
    } else {
      asked.answers[kind] = content;
    }
    return undefined;
  }

  lost(reason) {
    if (this.closed) return;
    this.close();
    this.on.lost(reason);
  }

  close() {
    this.closed = true;
    this.transport.close();
    for (const { reject } of this.asked.values()) reject(new Error('the session has ended'));
    this.asked.clear();
  }

  open({ files, overrides }, { carry = false, state = new Uint8Array(), until = 0 } = {}) {
    return this.ask(COMMAND.OPEN, (w) => w.u32(carry ? CARRY : 0).files(files).texts(overrides).data(state).f64(until));
  }
  want(scalars) { this.notify(COMMAND.WANT, (w) => w.u32(scalars).u32(0)); }
  play(speed) { return this.ask(COMMAND.PLAY, (w) => w.f64(speed)); }
  step(count) { return this.ask(COMMAND.STEP, (w) => w.u32(count)); }
  restart(keep) { return this.ask(COMMAND.RESTART, (w) => w.u32(keep ? CARRY : 0)); }
  back(time) { return this.ask(COMMAND.BACK, (w) => w.f64(time)); }
  cancel() { this.notify(COMMAND.CANCEL); }
  grab(hold, what, index, place) { return this.ask(COMMAND.GRAB, (w) => w.u32(hold).u32(what).u32(index).f64(...place)); }
  drag(hold, place) { return this.notify(COMMAND.DRAG, (w) => w.u32(hold).f64(...place)); }
  letGo(hold) { return this.ask(COMMAND.LET_GO, (w) => w.u32(hold)); }
  pin(what, index, place) { return this.ask(COMMAND.PIN, (w) => w.u32(what).u32(index).f64(...place)); }
  weight(what, index, place, mass) { return this.ask(COMMAND.WEIGHT, (w) => w.u32(what).u32(index).f64(...place, mass)); }
  detach(number) { return this.ask(COMMAND.DETACH, (w) => w.u32(number)); }
  cut(strand, place) { return this.ask(COMMAND.CUT, (w) => w.u32(strand).f64(...place)); }
  move(what, number, place, rotation) { return this.notify(COMMAND.MOVE, (w) => w.u32(what).u32(number).f64(...place, ...rotation)); }
  gravity(vector) { return this.ask(COMMAND.GRAVITY, (w) => w.f64(...vector)); }
  wind(vector) { return this.ask(COMMAND.WIND, (w) => w.f64(...vector)); }
  setAttached(constraint, on) { return this.ask(COMMAND.SWITCH, (w) => w.u32(constraint).u32(on ? 1 : 0)); }
  steer(control, value) { return this.ask(COMMAND.STEER, (w) => w.u32(control).f64(value)); }
  files() { return this.ask(COMMAND.FILES).then((answers) => answers[ANSWER.FILES_ARE]); }
  schema() { return this.ask(COMMAND.SCHEMA).then((answers) => answers[ANSWER.SCHEMA_IS]); }
  chunk(number) { return this.ask(COMMAND.WANT_CHUNK, (w) => w.u32(number)).then((answers) => answers[ANSWER.CHUNK].bytes); }
}
