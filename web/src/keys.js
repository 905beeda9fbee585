// Keyboard shortcuts, wherever the focus is, and the list of them. What is typed into a text is the text's; and a control that was
// reached with the tabulator keeps the keys that operate it.
import { element } from './elements.js';

const SLIDING = /^(Arrow|Home|End|Page)/;
const OPERATING = { BUTTON: /^( |Enter)$/, SUMMARY: /^( |Enter)$/, SELECT: /^([a-z0-9 ]|Enter|Arrow.*|Home|End)$/i, checkbox: /^ $/, range: SLIDING };
const NAMES = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

function typing(target) {
  return target.isContentEditable || target.tagName === 'TEXTAREA' || (target.tagName === 'INPUT' && !['checkbox', 'range', 'radio', 'button'].includes(target.type));
}

function keeps(target, key) {
  const kind = target.tagName === 'INPUT' ? target.type : target.tagName;
  return target.id !== 'scrub' && kind in OPERATING && OPERATING[kind].test(key);
}

export class Keys {
  // `shortcuts`: [{ keys: ['a'], says, act, when }]; one with `when` works, and is listed, while that is true.
  constructor(shortcuts, dialog) {
    Object.assign(this, { shortcuts, dialog });
    addEventListener('keydown', (event) => this.down(event));
    addEventListener('pointerdown', () => { this.tabbed = false; }, { capture: true });
    // A button is pressed when its key comes up.
    addEventListener('keyup', (event) => { if (this.taken === event.key) event.preventDefault(); this.taken = null; });
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  }

  down(event) {
    if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== 'z')) return;
    if (event.key === 'Tab') this.tabbed = true;
    const key = (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + event.key, { target } = event;
    if (typing(target) || (this.tabbed && keeps(target, key)) || document.querySelector('dialog[open]')) return;
    const shortcut = this.shortcuts.find(({ keys, when }) => keys.includes(key) && (!when || when()));
    if (!shortcut) return;
    event.preventDefault();
    this.taken = event.key;
    shortcut.act(key);
  }

  help() {
    const list = element('dl');
    for (const { keys, says, when } of this.shortcuts) {
      if (when && !when()) continue;
      const term = element('dt');
      const distinct = keys.filter((key, i) => keys[i - 1]?.toUpperCase() !== key); // not both cases of a letter
      distinct.forEach((key) => term.append(element('kbd', '', NAMES[key] ?? key.replace(/^[a-z]$/, (letter) => letter.toUpperCase()))));
      list.append(term, element('dd', '', says));
    }
    const mouse = element('dl');
    for (const [what, does] of this.pointing ?? []) mouse.append(element('dt', '', what), element('dd', '', does));
    const shut = Object.assign(element('button', '', 'Close'), { onclick: () => this.dialog.close() });
    this.dialog.replaceChildren(element('h2', '', 'Keys'), list, element('h2', '', 'Mouse and fingers'), mouse, shut);
    this.dialog.showModal();
  }
}
