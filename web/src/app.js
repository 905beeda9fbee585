// The page's parts, tied together: picture, time, plots, panels; a recording, and the live run that takes over from it.
import { Painter } from './colours.js';
import { Player } from './player.js';
import { isSoftware, Quality } from './quality.js';
import { Plots } from './plots.js';
import { Theme } from './theme.js';
import { View } from './view.js';
import { Live } from './live.js';
import { LivePanel } from './sliders.js';
import { Keys } from './keys.js';
import { ScenePane } from './scene_pane.js';
import { Selection } from './selection.js';
import { Tabs } from './tabs.js';
import { Tools } from './tools.js';
import { decodeImages } from './images.js';
import { showLegend } from './legend.js';
import { ROLE } from './protocol.js';
import { RemoteRecording } from './remote_recording.js';
import { fileName, savePicture, VideoRecorder } from './capture.js';
import { $, download, element } from './elements.js';
import { engineBytes, hasEngine, loadEditor, openedFiles, socketAddress, stateAt } from './page.js';
import { pageOf, valuesOf } from './save.js';
import { filesToJson, fragmentOf } from './share.js';
import { SocketTransport, WorkerTransport } from './transport.js';
import { tidy } from './numbers.js';
import workerCode from 'bundle:worker.js';

const TOAST = 6000, WIDEN = 500; // ms that a message stays; between two looks at the range of colours

export class App {
  constructor(shell) {
    Object.assign(this, { shell, recording: null, source: null, player: null, view: null, live: null, changed: true, opened: openedFiles() });
    this.quality = new Quality(isSoftware() ? 1 : 0);
    this.theme = new Theme($('theme'), () => this.retheme());
    this.plots = new Plots($('plots'), this.theme);
    this.tabs = new Tabs($('tabs'), (id) => this.showTab(id));
    this.panel = new LivePanel($('sliders'));
    this.selection = new Selection($('card'), (selected) => this.tools.actions(selected));
    this.tools = new Tools(this);
    this.pane = new ScenePane($('scene-text'), { load: loadEditor, live: () => this.live, begin: () => this.takeOver(true), opened: this.opened, message: (t) => this.toast(t) });
    this.connectButtons();
    this.connectKeys();
  }

  // The live run, once it is what is shown.
  get acting() { return this.source !== null && this.live?.source === this.source ? this.live : null; }

  // ---- what is shown

  showRecording(recording) {
    this.recording = recording;
    this.use(recording, new Player(recording, () => { this.changed = true; }), 'nothing');
    this.describe(recording.scene);
  }

  // A source with its player. `keep`: of the view (View.setSource).
  use(source, player, keep) {
    const colour = $('colour').value || 'strand';
    Object.assign(this, { source, player, changed: true });
    this.fillColours(source.scene);
    this.painter = new Painter(source, $('colour').value === colour ? colour : 'strand');
    if (this.view) this.view.setSource(source, this.painter, { keep });
    else {
      this.view = new View($('view'), source, this.painter);
      this.video = new VideoRecorder($('view'), () => $('video').classList.toggle('on', this.video.running));
      this.view.setTheme(this.theme.colours);
    }
    this.selection.setView(this.view);
    this.tools.setView(this.view);
    this.hasPlots = this.plots.setSource(source, player);
    $('thickness-label').hidden = !this.view.someThin;
    $('contacts-label').hidden = !source.scene.contacts;
    $('constraints-label').hidden = source.scene.constraints.length + source.scene.anchors.length === 0;
    this.colourBy(this.painter.name);
    player.setSpeed(Number($('speed').value));
    player.loop = $('loop').checked;
    this.offer();
  }

  describe(scene) {
    const title = scene.title ?? 'Cordage';
    document.title = title;
    $('title').textContent = title;
    const paragraphs = (scene.about ?? '').split(/\n\s*\n/).filter((t) => t.trim());
    $('about').replaceChildren(...paragraphs.map((text) => element('p', '', text)));
    $('about-button').hidden = paragraphs.length === 0;
  }

  // Buttons and panels that there are now.
  offer() {
    const live = this.live !== null, can = this.opened !== null && hasEngine();
    $('live').hidden = live ? this.recording === null : !can;
    $('live').firstElementChild.textContent = live ? 'End live' : 'Take over';
    $('live').title = live ? 'Back to the recording (L)' : 'Go on live from the frame shown (L)';
    for (const id of ['restart', 'undo', 'tools', 'status']) $(id).hidden = !live;
    if (live && this.view) this.view.stage.canvas.style.touchAction = 'none'; // it may have been left to the page around (main.js)
    $('loop-label').hidden = live;
    $('share').hidden = !(can || live) || this.opened === null;
    this.tabs.offer(...[this.hasPlots && 'tab-plots', live && 'tab-sliders', (can || live) && this.opened && 'tab-scene', live && 'tab-save'].filter(Boolean));
  }

  showTab(id) {
    if (id === 'tab-scene') this.pane.show();
    this.changed = true;
  }

  fillColours(scene) {
    const names = ['strand', ...Object.keys(scene.scalars).filter((name) => scene.strands.some((s) => s.scalars.includes(name)))], before = $('colour').value;
    if ([...$('colour').options].map((o) => o.value).join() === names.join()) return;
    $('colour').replaceChildren(...names.map((name) => new Option(name, name)));
    $('colour').value = names.includes(before) ? before : 'strand';
  }

  colourBy(name) {
    $('colour').value = name;
    this.painter.use(name);
    this.view.setNeutral(name !== 'strand');
    this.legend();
  }

  legend() {
    showLegend($('legend'), this.painter, this.source.scene, $('contacts').checked);
    this.changed = true;
  }

  retheme() {
    this.view?.setTheme(this.theme.colours);
    this.tools.marks?.setTheme(this.theme.colours);
    this.plots.recolour();
  }

  toast(text) {
    $('toast').textContent = text;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => { $('toast').textContent = ''; }, TOAST);
  }

  // `actions`: buttons below it, [label, act].
  fail(text, actions = []) {
    const row = element('span', 'actions');
    row.append(...actions.map(([label, onclick]) => Object.assign(element('button', '', label), { onclick })));
    $('failure').replaceChildren(text, row);
    $('failure').hidden = text === '';
  }

  // ---- live

  // Goes on live from the frame shown, or from the scene's start.
  async takeOver(fromStart = false) {
    if (this.live || this.starting) return;
    this.starting = true;
    const frame = this.player?.frame ?? 0, time = this.source?.times[frame] ?? 0;
    $('message').textContent = 'Starting the engine …';
    const wasm = await engineBytes().catch((error) => { $('message').textContent = ''; throw error; }).finally(() => { this.starting = false; });
    this.player?.pause();
    this.startLive((callbacks) => new WorkerTransport(workerCode, wasm.slice(), callbacks), false);
    this.live.keepFirst = this.recording ? 'stage' : 'nothing';
    const state = fromStart || time === 0 ? new Uint8Array() : await stateAt(frame);
    await this.open({ state, until: fromStart ? 0 : time });
  }

  async open(options) {
    const { live } = this;
    try {
      await live.welcome;
      live.decoded = await decodeImages(this.opened.files);
      await live.session.open(this.opened, options);
      live.begins = true;
      await live.session.play(live.clock?.speed ?? Number($('speed').value));
      live.startPlaying = true;
      if (live.clock) live.clock.playing = true;
      this.changed = true;
    } catch (error) {
      if (this.live === live) this.leave();
      throw error;
    }
  }

  startLive(connect, again) {
    const live = new Live(connect, { again, scalars: () => this.wantedScalars(), on: {
      shown: (source, clock, keep) => { if (this.live.startPlaying) clock.playing = true; this.use(source, clock, keep); this.panel.show(this.live); $('message').textContent = ''; },
      described: (scene) => this.described(scene),
      arrived: (frame) => this.arrived(frame),
      changed: () => { this.changed = true; },
      message: (text) => this.toast(text),
      stopped: (text) => this.stopped(text),
      restarted: () => { this.fail(''); this.tools.handles?.reset(); },
      lost: (reason) => this.lost(live, reason),
      chunks: (recorded) => this.showRemote(recorded),
      series: (overview) => this.recording.overview(overview),
    } });
    this.live = live;
  }

  described(scene) {
    this.describe(scene);
    if (this.opened && scene.live?.overrides) this.opened.overrides = scene.live.overrides;
    if (this.live.source) this.panel.show(this.live);
  }

  // A page that was served: its session is elsewhere.
  async connect() {
    const address = socketAddress();
    if (!address) {
      if (!hasEngine() || !this.opened) throw new Error('there is no recording in it');
      await this.takeOver(true);
      return;
    }
    $('message').textContent = 'Connecting …';
    this.startLive((callbacks) => new SocketTransport(address, callbacks), true);
    const { live } = this;
    const { role } = await live.welcome, files = live.session.files();
    this.setOpened(role === ROLE.RECORDING ? await files.catch(() => null) : await files);
    this.offer();
    if (role === ROLE.RECORDING) return;
    live.startsWith = () => { if (live.frame.time === 0 && !live.clock.playing) live.clock.play(); }; // nobody has looked at it before
  }

  // A recording that the server plays: no more of it is in memory than is looked at. The chunks in the middle and at the end
  // say, with the first one, how large its motion and its quantities are.
  async showRemote({ scene, pixels, chunks }) {
    if (this.remote) return this.recording.retry(); // connected again
    this.remote = this.live;
    const { remote } = this;
    const recording = new RemoteRecording(scene, chunks, { load: (n) => remote.session.chunk(n), changed: () => this.loadedMore(), failed: (text) => this.fail(`Some frames cannot be shown: ${text}`) });
    recording.pixels = pixels;
    this.recording = recording; // which overview() is given to
    const last = chunks.length - 1;
    await Promise.all([...new Set([0, last >> 1, last])].map((n) => recording.request(n)));
    if (recording.chunks.length === 0) return $('message').textContent = 'No frame of the recording can be read.';
    this.live = null; // the session only has the chunks
    this.showRecording(recording);
    $('message').textContent = '';
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.player.play();
    return undefined;
  }

  loadedMore() {
    this.changed = true;
    if (this.painter?.widen()) this.legend();
  }

  // A scene that came in the page's address.
  async openShared(opened) {
    this.setOpened(opened);
    if (!hasEngine()) throw new Error('it holds a scene, and this page has no engine');
    await this.takeOver(true);
  }

  setOpened(opened) {
    this.opened = opened;
    this.pane.setOpened(opened);
  }

  wantedScalars() {
    const names = (this.source?.scene.profiles ?? []).map(({ scalar }) => scalar);
    if (this.painter && this.painter.name !== 'strand') names.push(this.painter.name);
    if (this.selection.selected) names.push(...Object.keys(this.source.scene.scalars));
    return names;
  }

  arrived(frame) {
    if (this.live.startsWith) {
      this.live.startsWith();
      this.live.startsWith = null;
    }
    this.panel.follow(this.source, this.source.frames - 1);
    if (!$('failure').hidden && this.live && !(frame.flags & 4)) this.fail('');
    const now = performance.now();
    if (now - (this.widened ?? 0) > WIDEN) {
      this.widened = now;
      if (this.painter.widen()) this.legend();
    }
  }

  // A step of the live run has failed. Scenes are made for the time that they last: beyond it, a weight may have come to the end of its rope.
  stopped(text) {
    const { scene } = this.source, until = scene.live?.until, beyond = until < (this.live.frame?.time ?? 0);
    this.fail(`${beyond ? `This scene ends at ${tidy(until, 4)} s; beyond that, the` : 'The'} simulation has stopped: ${text}`,
      [['From the start', () => this.live.restart()], ...(this.recording ? [['End live', () => this.leave()]] : [])]);
  }

  lost(live, reason) {
    if (live === this.remote) return this.fail(`The connection is lost (${reason}): only frames that were loaded are shown.`);
    this.toast(`The live run has ended: ${reason}${live.again ? '.\nIf cordage view has ended, start it again: it prints a new address' : ''}`);
    const { source } = live;
    if (!this.recording && source) { // what has been seen of it can still be played
      this.live.end();
      this.live = null;
      this.tools.leave();
      this.use(source, new Player(source, () => { this.changed = true; }), 'stage');
      $('status').hidden = false;
      $('status').className = 'lost';
      this.statusShown = null;
      $('status').replaceChildren('Not connected', Object.assign(element('button', '', 'Try again'), { onclick: () => location.reload() }));
    } else {
      this.leave();
    }
    return undefined;
  }

  // Back to the recording.
  leave() {
    this.live?.end();
    this.live = null;
    this.tools.leave();
    this.fail('');
    this.panel.key = null;
    $('message').textContent = '';
    if (this.recording) {
      const player = new Player(this.recording, () => { this.changed = true; }), { time } = this.player;
      this.use(this.recording, player, 'stage');
      player.seek(time);
      this.describe(this.recording.scene);
    } else {
      this.offer();
    }
  }

  toggleLive() {
    if (this.live) this.leave();
    else this.takeOver().catch((error) => this.toast(error.message));
  }

  // ---- buttons and keys

  connectButtons() {
    const on = (id, name, act) => $(id).addEventListener(name, act);
    on('about-button', 'click', () => {
      $('about').hidden = !$('about').hidden;
      $('about-button').setAttribute('aria-expanded', String(!$('about').hidden));
    });
    on('options-button', 'click', () => {
      const open = $('options').classList.toggle('open');
      $('options-button').setAttribute('aria-expanded', String(open));
    });
    on('play', 'click', () => this.player.toggle());
    on('back', 'click', () => this.player.step(-1));
    on('forward', 'click', () => this.player.step(1));
    on('restart', 'click', () => this.live.restart());
    on('undo', 'click', () => this.live.undo());
    on('live', 'click', () => this.toggleLive());
    on('scrub', 'input', () => { this.player.pause(); this.player.seek(Number($('scrub').value)); });
    on('speed', 'change', () => this.player.setSpeed(Number($('speed').value)));
    on('loop', 'change', () => { this.player.loop = $('loop').checked; });
    on('colour', 'change', () => this.colourBy($('colour').value));
    on('stripe', 'change', () => { this.view.setStripe($('stripe').checked); this.changed = true; });
    on('thickness', 'change', () => { this.view.setTrueThickness($('thickness').checked); this.changed = true; });
    on('contacts', 'change', () => { this.view.setContacts($('contacts').checked); this.legend(); });
    on('lens', 'change', () => this.view.setDepthOfField($('lens').checked));
    on('constraints', 'change', () => { this.view.setConstraints($('constraints').checked); this.changed = true; });
    on('home', 'click', () => this.view.stage.home());
    on('picture', 'click', () => this.savePicture());
    on('video', 'click', () => this.toggleVideo());
    on('help-button', 'click', () => this.keys.help());
    on('share', 'click', () => this.share());
    on('link-close', 'click', () => $('link').close());
    on('link-copy', 'click', () => this.copyLink());
    on('save-page', 'click', () => this.savePage());
    on('save-values', 'click', () => download(valuesOf(this.source), `${fileName(this.source.scene.title)}.csv`, 'text/csv'));
    on('save-scene', 'click', () => { const [{ name, bytes }] = this.opened.files; download(bytes, name.split('/').pop(), 'text/yaml'); });
    on('save-video', 'click', () => this.toggleVideo());
    if (!globalThis.MediaRecorder) for (const id of ['video', 'save-video']) $(id).hidden = true;
    // Time does not go on where nobody looks.
    document.addEventListener('visibilitychange', () => {
      if (!this.live?.clock?.playing || this.live.again) return; // one elsewhere goes on
      this.live.session.play(document.hidden ? 0 : this.player.speed).catch(() => {});
    });
  }

  connectKeys() {
    const live = () => this.acting !== null, tool = (name) => () => this.tools.choose(name);
    const colour = (key) => { const option = $('colour').options[Number(key) - 1]; if (option) this.colourBy(option.value); };
    this.keys = new Keys([
      { keys: [' '], says: 'play or pause', act: () => this.player.toggle() },
      { keys: ['ArrowLeft', 'ArrowRight'], says: 'one frame back or forward; live, one step', act: (key) => this.player.step(key === 'ArrowLeft' ? -1 : 1) },
      { keys: ['Home', 'End'], says: 'first or last frame', act: (key) => this.player.seek(key === 'Home' ? this.player.start : this.player.end) },
      { keys: ['1', '2', '3', '4', '5', '6'], says: 'colours: strands, and the quantities of the list', act: colour },
      { keys: ['0'], says: 'look from where you began', act: () => this.view.stage.home() },
      { keys: ['l', 'L'], says: 'take over: go on live; back to the recording', act: () => this.toggleLive(), when: () => !$('live').hidden },
      { keys: ['e', 'E'], says: "the scene's text", act: () => this.tabs.select('tab-scene'), when: () => !$('tab-scene').hidden },
      { keys: ['h', 'H'], says: 'pull', act: tool('hand'), when: live },
      { keys: ['p', 'P'], says: 'pin', act: tool('pin'), when: live },
      { keys: ['x', 'X'], says: 'cut', act: tool('cut'), when: live },
      { keys: ['w', 'W'], says: 'weight', act: tool('weight'), when: live },
      { keys: ['r', 'R'], says: "from the scene's start", act: () => this.live.restart(), when: live },
      { keys: ['z', 'Ctrl+z'], says: 'undo', act: () => this.live.undo(), when: live },
      { keys: ['Escape'], says: 'select nothing', act: () => { this.selection.set(null); this.tools.handles?.hide(); } },
      { keys: ['?'], says: 'this list', act: () => this.keys.help() },
    ], $('help'));
    this.keys.pointing = [['drag', 'turn the view; with the right button or two fingers, move it'], ['wheel, pinch', 'zoom'],
      ['click, tap', 'name, position, tension and curvature of what is under the pointer'], ['drag an object, live', 'pull it; several fingers pull several'],
      ['click a clamp, live', 'handles to move and turn it'], ['drag in a plot', 'move in time']];
  }

  toggleVideo() {
    if (this.video.running) this.video.stop();
    else this.video.start(this.source.scene.title, this.player, this.live !== null);
  }

  async share() {
    const address = location.href.replace(/#.*$/, '') + `#${await fragmentOf(this.opened)}`;
    $('link-text').value = address;
    $('link-size').textContent = `${Math.ceil(address.length / 1024)} kB. Whoever opens it needs this page at the same address${this.whereItIs()}.`;
    $('link').showModal();
    $('link-text').select();
    $('link-text').scrollTop = 0;
  }

  whereItIs() {
    if (location.protocol === 'file:') return ': this one is a file of your own machine';
    return socketAddress() ? ': this one is served as long as cordage view runs. A page that is saved holds the scene, too' : '';
  }

  async copyLink() {
    $('link-text').select();
    await navigator.clipboard.writeText($('link-text').value).then(() => this.toast('The link is in the clipboard.'), () => document.execCommand('copy'));
  }

  async savePage() {
    const html = await pageOf(this.source, this.shell, filesToJson(this.opened));
    download(html, `${fileName(this.source.scene.title)}.html`, 'text/html');
  }

  // ---- pictures

  refresh() {
    const { player, view } = this, { frame } = player;
    this.source.prepare(frame);
    view.show(frame, player.part);
    this.plots.follow();
    this.selection.follow(frame);
    this.tools.follow(frame);
    Object.assign($('scrub'), { min: player.start, max: player.end });
    $('scrub').value = player.time;
    const digits = player.end >= 100 ? 1 : player.end >= 1 ? 2 : 4;
    $('time').textContent = this.acting && player.following ? `${player.time.toFixed(2)} s` : `${player.time.toFixed(digits)} of ${tidy(player.end, 4)} s`;
    $('play').classList.toggle('playing', player.playing);
    $('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
  }

  showStatus() {
    const { status } = this.live;
    if (status === this.statusShown) return;
    this.statusShown = status;
    $('status').textContent = status;
    $('status').className = /×/.test(status) ? 'late' : '';
  }

  draw(now) {
    if (!this.view) return;
    const { stage } = this.view;
    stage.controls.update(); // the camera may still swing
    this.view.setQuality(this.quality.turn(now, { dirty: stage.dirty, playing: Boolean(this.player?.playing), filming: Boolean(this.video?.running) }));
    stage.draw();
  }

  // As finely as can be, whatever it takes.
  savePicture() {
    this.view.setQuality(0);
    this.view.stage.draw();
    savePicture($('view'), this.source.scene.title);
  }

  run() {
    let last = performance.now();
    const turn = (now) => {
      this.live?.turn(now);
      this.player?.advance(Math.min(0.25, (now - last) / 1000));
      last = now;
      if (this.changed && this.view && this.source.frames > 0) {
        this.changed = false;
        this.refresh();
      }
      if (this.acting) this.showStatus();
      this.draw(now);
      this.video?.watch();
      this.drawn?.(now);
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }
}
