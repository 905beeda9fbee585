// The scene's text beside the picture: what is typed is run as soon as it is a scene, from where things are; while it is none, the old
// world goes on and the errors are shown.
import { element } from './elements.js';
import { Refused } from './session.js';

const PAUSE = 350; // ms without typing, after which the text is run

// Overrides (of sliders, say) go where the text of their key is edited: else the edit would have no effect.
export function stillApplying(overrides, before, after) {
  const old = new Set(before.split('\n')), edited = after.split('\n').filter((line) => !old.has(line));
  return overrides.filter((override) => {
    const key = override.split('=')[0].split('.').at(-1);
    return !edited.some((line) => line.includes(`${key}:`));
  });
}

export class ScenePane {
  // `load()`: a promise of the editor; `live()`: the live run, or null; `begin()`: starts one with the files of `opened`;
  // `opened`: { files: [{ name, bytes }], overrides }.
  constructor(box, { load, live, begin, opened, message }) {
    Object.assign(this, { box, load, live, begin, opened, message, editor: null, name: null });
  }

  async show() {
    if (this.editor || this.loading) return this.editor?.focus();
    this.loading = true;
    const bar = element('div', 'bar'), run = element('button', '', 'Run'), again = element('button', '', 'From the start');
    this.file = document.createElement('select');
    this.file.setAttribute('aria-label', 'File');
    const auto = element('label', 'switch');
    this.auto = Object.assign(document.createElement('input'), { type: 'checkbox', checked: true });
    auto.append(this.auto, element('span', '', 'As I type'));
    run.title = 'Run this text from where things are (Ctrl+Enter)';
    run.onclick = () => this.run(true);
    again.onclick = () => this.run(false);
    this.file.onchange = () => this.choose(this.file.value);
    this.errors = element('ul', 'errors');
    this.errors.setAttribute('role', 'status');
    bar.append(this.file, run, again, auto);
    const parent = element('div', 'editor');
    this.box.replaceChildren(bar, parent, this.errors);
    try {
      const { createEditor } = await this.load();
      this.fill();
      this.editor = createEditor(parent, { text: this.textOf(this.name), schema: () => this.schema(), changed: (text) => this.typed(text), run: () => this.run(true) });
    } catch (error) {
      parent.textContent = `The editor could not be loaded: ${error.message}`;
    }
    return undefined;
  }

  // The schema comes from the engine, once.
  async schema() {
    this.schemaKnown ??= await this.live()?.session.schema().catch(() => null);
    return this.schemaKnown ?? null;
  }

  isText({ bytes }) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  }

  fill() {
    const names = this.opened.files.filter((file) => this.isText(file)).map(({ name }) => name);
    this.file.replaceChildren(...names.map((name) => new Option(name, name)));
    this.file.hidden = names.length < 2;
    [this.name] = names;
  }

  textOf(name) { return new TextDecoder().decode(this.opened.files.find((file) => file.name === name).bytes); }

  choose(name) {
    this.name = name;
    this.editor.setText(this.textOf(name));
    this.mark(this.diagnostics ?? []);
  }

  // Another scene is open.
  setOpened(opened) {
    this.opened = opened;
    if (!this.editor) return;
    this.fill();
    this.editor.setText(this.textOf(this.name));
    this.mark([]);
  }

  typed(text) {
    const file = this.opened.files.find(({ name }) => name === this.name), before = new TextDecoder().decode(file.bytes);
    file.bytes = new TextEncoder().encode(text);
    this.opened.overrides = stillApplying(this.opened.overrides, before, text);
    this.changed = true;
    clearTimeout(this.timer);
    if (this.auto.checked) this.timer = setTimeout(() => this.run(true), PAUSE);
  }

  // One run at a time; what is typed meanwhile runs after it.
  async run(carry) {
    clearTimeout(this.timer);
    if (this.running) {
      this.again = carry;
      return;
    }
    this.running = true;
    try {
      const live = this.live();
      if (live) await live.change(() => live.session.open(this.opened, { carry }), true);
      else await this.begin();
      this.mark([]);
    } catch (error) {
      this.mark(error instanceof Refused ? error.diagnostics : [{ file: '', line: 0, column: 0, message: error.message }]);
    }
    this.running = false;
    if (this.again !== undefined) {
      const next = this.again;
      this.again = undefined;
      this.run(next);
    }
  }

  // Squiggles in the file shown, and a list of all.
  mark(diagnostics) {
    this.diagnostics = diagnostics;
    const here = ({ file }) => file === this.name || file === '' || file.endsWith(`/${this.name}`);
    this.editor?.setDiagnostics(diagnostics.filter((d) => d.line > 0 && here(d)).map((d) => ({ ...d, severity: 'error' })));
    this.errors.replaceChildren(...diagnostics.map(({ file, line, column, message }) => {
      const item = element('li'), button = element('button', '', `${line ? `line ${line}: ` : ''}${message}`);
      button.onclick = () => {
        const name = this.opened.files.find((f) => f.name === file || file.endsWith(`/${f.name}`))?.name;
        if (name && name !== this.name) {
          this.file.value = name;
          this.choose(name);
        }
        if (line) this.editor.goTo(line, column);
      };
      item.append(button);
      return item;
    }));
  }
}
