// The panels beside the picture, one at a time.

export class Tabs {
  constructor(list, changed) {
    this.tabs = [...list.querySelectorAll('[role=tab]')];
    this.list = list;
    this.changed = changed;
    for (const tab of this.tabs) tab.addEventListener('click', () => this.select(tab.id));
  }

  get selected() { return this.tabs.find((tab) => tab.getAttribute('aria-selected') === 'true')?.id; }

  // Those that there are; the first one is selected if the present one is not among them. Fewer than two need no list.
  offer(...ids) {
    for (const tab of this.tabs) tab.hidden = !ids.includes(tab.id);
    this.list.hidden = ids.length < 2;
    this.list.parentElement.hidden = ids.length === 0;
    if (ids.length > 0) this.select(ids.includes(this.selected) ? this.selected : ids[0]);
  }

  select(id) {
    for (const tab of this.tabs) {
      const on = tab.id === id;
      tab.setAttribute('aria-selected', String(on));
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !on;
    }
    this.list.parentElement.dataset.tab = id;
    this.changed(id);
  }
}
