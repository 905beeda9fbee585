// The page: loads the recording that lies in it, and ties the parts together.
import { Recording } from './recording.js';
import { inflate } from './unpack.js';
import { MARKED, Painter } from './colours.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Theme } from './theme.js';
import { View } from './view.js';
import { showLegend } from './legend.js';
import { savePicture, VideoRecorder } from './capture.js';
import { tidy } from './numbers.js';

const $ = (id) => document.getElementById(id);
const message = (text) => { $('message').textContent = text; };

async function load() {
  const recording = new Recording(JSON.parse($('scene').textContent));
  recording.pixels = await Promise.all([...document.querySelectorAll('script.pixels')].map((file) => inflate(file.textContent)));
  const chunks = [...document.querySelectorAll('script.frames')];
  // The browser inflates the next chunk while the present one is unpacked. The last chunk of a run that was
  // killed may be cut off; its frames are then missing.
  const prepare = (i) => chunks[i] && inflate(chunks[i].textContent).catch((error) => error);
  for (let i = 0, next = prepare(0); i < chunks.length; i++) {
    const bytes = await next;
    next = prepare(i + 1);
    if (bytes instanceof Error) {
      if (i + 1 < chunks.length || i === 0) throw bytes;
      break;
    }
    recording.addBytes(bytes);
    chunks[i].remove();
  }
  return recording;
}

// A run that failed has left its message and the objects to mark.
function showFailure(scene) {
  const text = $('failure-data')?.textContent;
  if (!text) return false;
  const failure = JSON.parse(text);
  $('failure').textContent = `The run failed: ${failure.message}`;
  $('failure').hidden = false;
  for (const kind of ['strand', 'body', 'constraint', 'anchor']) {
    const list = { strand: scene.strands, body: scene.bodies, constraint: scene.constraints, anchor: scene.anchors }[kind];
    if (list[failure[kind]]) Object.assign(list[failure[kind]], { colour: MARKED, marked: true });
  }
  return true;
}

function describe(scene) {
  const title = scene.title ?? 'Cordage';
  document.title = title;
  $('title').textContent = title;
  for (const text of (scene.about ?? '').split(/\n\s*\n/).filter((t) => t.trim())) {
    const p = document.createElement('p');
    p.textContent = text;
    $('about').append(p);
  }
  $('about-button').hidden = !scene.about;
  $('about-button').addEventListener('click', () => {
    $('about').hidden = !$('about').hidden;
    $('about-button').setAttribute('aria-expanded', String(!$('about').hidden));
  });
}

class App {
  constructor(recording) {
    this.recording = recording;
    this.painter = new Painter(recording);
    this.player = new Player(recording, () => { this.changed = true; });
    this.theme = new Theme($('theme'), () => this.retheme());
    this.view = new View($('view'), recording, this.painter);
    this.plots = new Plots($('plots'), recording, this.player, this.theme);
    this.video = new VideoRecorder($('view'), this.player, () => $('video').classList.toggle('on', this.video.running));
    this.connect();
    this.connectKeys();
    this.retheme();
    this.changed = true;
  }

  retheme() {
    this.view.setTheme(this.theme.colours);
    this.plots.draw(true);
  }

  connect() {
    const { player, view, recording } = this, { title } = recording.scene;
    $('play').addEventListener('click', () => player.toggle());
    $('back').addEventListener('click', () => player.step(-1));
    $('forward').addEventListener('click', () => player.step(1));
    Object.assign($('scrub'), { min: player.start, max: player.end });
    $('scrub').addEventListener('input', () => { player.pause(); player.seek(Number($('scrub').value)); });
    $('speed').addEventListener('change', () => { player.speed = Number($('speed').value); });
    $('loop').addEventListener('change', () => { player.loop = $('loop').checked; });
    for (const name of ['strand', ...Object.keys(recording.scene.scalars)]) {
      if (name === 'strand' || recording.scene.strands.some((s) => s.scalars.includes(name))) $('colour').append(new Option(name, name));
    }
    $('colour').addEventListener('change', () => this.colourBy($('colour').value));
    this.colourBy('strand');
    $('stripe').addEventListener('change', () => { view.setStripe($('stripe').checked); this.changed = true; });
    $('thickness-label').hidden = !view.someThin;
    $('thickness').addEventListener('change', () => { view.setTrueThickness($('thickness').checked); this.changed = true; });
    $('contacts-label').hidden = !recording.scene.contacts;
    $('contacts').addEventListener('change', () => { view.setContacts($('contacts').checked); this.legend(); });
    $('constraints-label').hidden = recording.scene.constraints.length + recording.scene.anchors.length === 0;
    $('constraints').addEventListener('change', () => { view.setConstraints($('constraints').checked); this.changed = true; });
    $('home').addEventListener('click', () => view.stage.home());
    $('picture').addEventListener('click', () => savePicture($('view'), title));
    $('video').addEventListener('click', () => { if (this.video.running) this.video.stop(); else this.video.start(title); });
    if (!globalThis.MediaRecorder) $('video').hidden = true;
  }

  connectKeys() {
    const { player } = this, colours = [...$('colour').options];
    const keys = {
      ' ': () => player.toggle(), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
      Home: () => player.seek(player.start), End: () => player.seek(player.end), 0: () => this.view.stage.home(),
    };
    colours.forEach((option, i) => { keys[i + 1] = () => { $('colour').value = option.value; this.colourBy(option.value); }; });
    addEventListener('keydown', (event) => {
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey || /SELECT|BUTTON|INPUT/.test(event.target.tagName)) return;
      event.preventDefault();
      action();
    });
  }

  colourBy(name) {
    this.painter.use(name);
    this.view.setNeutral(name !== 'strand');
    this.legend();
  }

  legend() {
    showLegend($('legend'), this.painter, this.recording.scene, $('contacts').checked);
    this.changed = true;
  }

  refresh() {
    const { player, view } = this;
    view.show(player.frame, player.part);
    this.plots.draw();
    $('scrub').value = player.time;
    const digits = player.end >= 100 ? 1 : player.end >= 1 ? 2 : 4;
    $('time').textContent = `${player.time.toFixed(digits)} of ${tidy(player.end, 4)} s`;
    $('play').classList.toggle('playing', player.playing);
    $('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
  }

  run() {
    let last = performance.now();
    const turn = (now) => {
      this.player.advance(Math.min(0.25, (now - last) / 1000));
      last = now;
      if (this.changed) {
        this.changed = false;
        this.refresh();
      }
      this.view.stage.draw();
      this.video.watch();
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }
}

async function start() {
  try {
    const begun = performance.now();
    const recording = await load();
    describe(recording.scene);
    const failed = showFailure(recording.scene);
    if (recording.frames === 0) return message('Nothing was recorded.');
    const app = new App(recording);
    app.loaded = performance.now() - begun;
    message('');
    app.run();
    if (failed) app.player.seek(app.player.end);
    else if (!matchMedia('(prefers-reduced-motion: reduce)').matches) app.player.play();
    window.cordage = app; // for those who look under the bonnet, and for the tests
  } catch (error) {
    message(`This page could not be shown: ${error.message}`);
    throw error;
  }
}

start();
