// Pictures and videos of the view.
import { download } from './elements.js';

export const fileName = (title) => (title ?? 'cordage').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'cordage';

export function savePicture(canvas, title) {
  canvas.toBlob((blob) => download(blob, `${fileName(title)}.png`), 'image/png');
}

// Records the canvas while a recording is played once from the start, or while a live run goes on, until it is stopped.
export class VideoRecorder {
  constructor(canvas, changed) {
    Object.assign(this, { canvas, changed, recorder: null });
  }

  get running() { return this.recorder !== null; }

  start(title, player, live) {
    Object.assign(this, { player, live });
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
    const chunks = this.chunks = [];
    this.loop = this.player.loop;
    this.recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = (event) => chunks.push(event.data);
    this.recorder.onstop = () => download(new Blob(chunks, { type: 'video/webm' }), `${fileName(title)}.webm`);
    this.recorder.start(1000);
    if (!live) {
      player.loop = false;
      player.seek(player.start);
      player.play();
    }
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
    if (!this.running || this.live || this.player.playing) return;
    if (this.chunks.some((chunk) => chunk.size > 0)) {
      this.stop();
    } else {
      this.player.seek(this.player.time);
      this.recorder.requestData();
    }
  }
}
