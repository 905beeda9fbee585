// Pictures and videos of the view.

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const fileName = (title) => (title ?? 'cordage').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'cordage';

export function savePicture(canvas, title) {
  canvas.toBlob((blob) => save(blob, `${fileName(title)}.png`), 'image/png');
}

// Records the canvas while the run is played once from the start.
export class VideoRecorder {
  constructor(canvas, player, changed) {
    Object.assign(this, { canvas, player, changed, recorder: null });
  }

  get running() { return this.recorder !== null; }

  start(title) {
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
    const chunks = this.chunks = [];
    this.loop = this.player.loop;
    this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = (event) => chunks.push(event.data);
    this.recorder.onstop = () => save(new Blob(chunks, { type: 'video/webm' }), `${fileName(title)}.webm`);
    this.player.loop = false;
    this.player.seek(this.player.start);
    this.recorder.start(1000);
    this.player.play();
    this.changed();
  }

  stop() {
    this.recorder.stop();
    this.recorder = null;
    this.player.loop = this.loop;
    this.changed();
  }

  // Called in every frame: the video ends when the playing does, and has at least one picture: a busy machine may not have
  // encoded any of a short run by then.
  watch() {
    if (!this.running || this.player.playing) return;
    if (this.chunks.some((chunk) => chunk.size > 0)) {
      this.stop();
    } else {
      this.player.seek(this.player.time);
      this.recorder.requestData();
    }
  }
}
