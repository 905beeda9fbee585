// The page: loads what lies in it and starts.
import { App } from './app.js';
import { MARKED } from './colours.js';
import { $ } from './elements.js';
import { failureOf, loadRecording } from './page.js';
import { shellOf } from './save.js';
import { openedBy } from './share.js';

const message = (text) => { $('message').textContent = text; };

// A run that failed has left its message and the objects to mark.
function showFailure(scene) {
  const failure = failureOf();
  if (!failure) return false;
  $('failure').textContent = `The run failed: ${failure.message}`;
  $('failure').hidden = false;
  for (const kind of ['strand', 'body', 'constraint', 'anchor']) {
    const list = { strand: scene.strands, body: scene.bodies, constraint: scene.constraints, anchor: scene.anchors }[kind];
    if (list[failure[kind]]) Object.assign(list[failure[kind]], { colour: MARKED, marked: true });
  }
  return true;
}

// In another page, as a picture that moves and can be taken over: "#embed". The wheel and one finger scroll that page.
function embed(app) {
  document.documentElement.dataset.embed = '';
  if (!app.view) return;
  app.view.stage.controls.enableZoom = false;
  app.view.stage.canvas.style.touchAction = 'pan-y';
}

async function start() {
  try {
    const begun = performance.now(), shell = shellOf(document);
    let unread = '';
    const shared = await openedBy(location.hash).catch((error) => { unread = error.message; return null; }); // the page shows what it has itself
    const recording = await loadRecording(), failed = recording !== null && showFailure(recording.scene);
    const app = new App(shell);
    window.cordage = app; // for those who look under the bonnet, and for the tests
    if (recording?.frames > 0) app.showRecording(recording);
    if (shared) await app.openShared(shared);
    else if (!recording) await app.connect();
    else if (recording.frames === 0) return message('Nothing was recorded.');
    if (window.parent !== window) document.documentElement.dataset.framed = ''; // the page around it has the title
    if (location.hash === '#embed') embed(app);
    app.loaded = performance.now() - begun;
    message('');
    if (unread && recording) app.fail(unread);
    else if (unread) app.toast(unread); // frames of a session would take a failure away
    app.run();
    if (shared || !recording) return undefined;
    if (failed) app.player.seek(app.player.end);
    else if (!matchMedia('(prefers-reduced-motion: reduce)').matches) app.player.play();
    return undefined;
  } catch (error) {
    message(`This page could not be shown: ${error.message}`);
    throw error;
  }
}

start();
