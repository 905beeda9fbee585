// Time of a live session, behind the buttons of a player (player.js): it goes on, or shows a frame of the past. To go on from there
// is to undo what came after it.
import { FLAG } from './protocol.js';

const RUNNING = 1e-9; // s: within it of the last frame, the picture is of the present

export class Clock {
  constructor(source, session, changed) {
    Object.assign(this, { source, session, changed, time: source.end, playing: false, speed: 1, loop: false, following: true });
  }

  get start() { return this.source.start; }
  get end() { return this.source.end; }
  get frame() { return this.source.frameAt(this.time); }
  get part() { return 0; }
  get past() { return !this.following && this.time < this.end - RUNNING; }

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.session.play(speed).catch(() => {});
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.following = this.time >= this.end - RUNNING;
    this.changed();
  }

  // Backwards through the frames; forwards through them, and then by steps.
  step(by) {
    this.pause();
    if (by > 0 && !this.past) {
      this.following = true;
      this.session.step(1).catch(() => {});
    } else {
      this.seek(this.source.times[Math.min(this.source.frames - 1, Math.max(0, this.frame + by))]);
    }
  }

  async play() {
    this.playing = this.starting = true;
    this.changed();
    if (this.past) await this.goBack(this.time).catch(() => {});
    this.starting = false;
    if (!this.playing) return;
    this.following = true;
    await this.session.play(this.speed).catch(() => {});
  }

  pause() {
    if (this.playing) this.session.play(0).catch(() => {});
    this.playing = false;
    this.changed();
  }

  // The session has paused by itself.
  stop() {
    this.playing = false;
    this.changed();
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  // The session goes back to a time; frames after it are forgotten.
  async goBack(time) {
    await this.session.back(time);
    this.source.cut(time);
    this.seek(time);
    this.following = true;
  }

  // A frame has come. Another page may have paused the session, or let it go on.
  arrived(frame) {
    if (this.shared && !this.starting && this.session.waiting === 0) this.playing = Boolean(frame.flags & FLAG.PLAYING);
    if (this.following) this.time = frame.time;
    this.changed();
  }

  advance() {}
}
