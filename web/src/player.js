// Time of a recording: where it is, whether and how fast it goes. That of a session is in clock.js, with the same interface.

export class Player {
  constructor(source, changed) {
    Object.assign(this, { source, changed, time: source.times[0] ?? 0, playing: false, speed: 1, loop: true });
  }

  get start() { return this.source.start; }
  get end() { return this.source.end; }
  get frame() { return this.source.frameAt(this.time); }

  // How far it is from the present frame to the next, 0 to 1.
  get part() {
    const { times, frames } = this.source, { frame } = this;
    if (frame + 1 >= frames) return 0;
    return Math.min(1, Math.max(0, (this.time - times[frame]) / (times[frame + 1] - times[frame])));
  }

  setSpeed(speed) { this.speed = speed; }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed();
  }

  step(by) {
    this.pause();
    const last = this.source.frames - 1;
    this.seek(this.source.times[Math.min(last, Math.max(0, this.frame + by + (by < 0 && this.part > 0 ? 1 : 0)))]);
  }

  play() {
    if (this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  // `seconds` of the reader's time have passed.
  advance(seconds) {
    if (!this.playing) return;
    let time = this.time + seconds * this.speed;
    if (time >= this.end) {
      if (this.loop) time = this.start;
      else this.playing = false;
    }
    this.seek(time);
  }
}
