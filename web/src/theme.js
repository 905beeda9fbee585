// Light or dark: the preference of the system, until the reader chooses.

// Colours of sky, ground and lines are sRGB, light is linear, `least` is the luminance of strands and bodies; the same as of stills (src/record/render_setup.c).
const light = { key: [0.88, 0.85, 0.80], sky: [0.44, 0.47, 0.52] };
export const THEMES = {
  light: { ...light, top: [0.80, 0.85, 0.91], bottom: [0.965, 0.97, 0.98], ground: [0.955, 0.955, 0.95], line: [0.875, 0.88, 0.885], below: [0.25, 0.24, 0.22],
           zenith: [0.50, 0.58, 0.70], horizon: [0.95, 0.96, 0.98], low: [0.42, 0.41, 0.40], least: 0, metal: '#6b737d', sketch: '#5c6670', plane: '#5b8fb5', weight: '#59636e' },
  dark: { ...light, top: [0.07, 0.08, 0.10], bottom: [0.15, 0.165, 0.19], ground: [0.20, 0.215, 0.24], line: [0.27, 0.285, 0.31], below: [0.16, 0.16, 0.16],
          zenith: [0.10, 0.12, 0.16], horizon: [0.34, 0.37, 0.42], low: [0.05, 0.055, 0.06], least: 0.14, metal: '#6b737d', sketch: '#aab4be', plane: '#6fa6cc', weight: '#a9b3bf' },
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
