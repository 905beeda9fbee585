// Time: where it is, whether and how fast it goes.

export class Player {
  constructor(recording, changed) {
    Object.assign(this, { recording, changed, time: recording.times[0] ?? 0, playing: false, speed: 1, loop: true });
  }

  get start() { return this.recording.times[0] ?? 0; }
  get end() { return this.recording.times[this.recording.frames - 1] ?? 0; }
  get frame() { return this.recording.frameAt(this.time); }

  // How far it is from the present frame to the next, 0 to 1.
  get part() {
    const { times, frames } = this.recording, { frame } = this;
    if (frame + 1 >= frames) return 0;
    return Math.min(1, Math.max(0, (this.time - times[frame]) / (times[frame + 1] - times[frame])));
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed();
  }

  step(by) {
    this.pause();
    const last = this.recording.frames - 1;
    this.seek(this.recording.times[Math.min(last, Math.max(0, this.frame + by + (by < 0 && this.part > 0 ? 1 : 0)))]);
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
