// Light or dark: the preference of the system, until the reader chooses.

export const THEMES = {
  light: { skyTop: '#a3c4de', skyLow: '#f4f1ea', ground: '#e9e5db', grid: '#c9c3b4', shadow: 0.32, fog: '#f1eee6',
           ambient: 1.9, sun: 2.2, metal: '#97a0a9', sketch: '#5c6670', plane: '#5b8fb5' },
  dark: { skyTop: '#0d1116', skyLow: '#2b323b', ground: '#22272d', grid: '#3a424c', shadow: 0.55, fog: '#272d35',
          ambient: 1.3, sun: 2.4, metal: '#8d959e', sketch: '#aab4be', plane: '#6fa6cc' },
};

export class Theme {
  constructor(button, changed) {
    this.changed = changed;
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.chosen = null;
    this.system.addEventListener('change', () => this.apply());
    button.addEventListener('click', () => {
      this.chosen = this.name === 'dark' ? 'light' : 'dark';
      this.apply();
    });
    document.documentElement.dataset.theme = this.name;
  }
  get name() { return this.chosen ?? (this.system.matches ? 'dark' : 'light'); }
  get colours() { return THEMES[this.name]; }
  apply() {
    document.documentElement.dataset.theme = this.name;
    this.changed();
  }
}
