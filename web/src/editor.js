// The editor of scenes, a script of its own that the page loads when it is wanted: CodeMirror with YAML, completion and explanations
// from the schema of scenes, and the diagnostics of the reader.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { descriptionAt, suggestionsAt } from './scene_path.js';

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '8px', maxWidth: '26rem' },
  '.cm-tooltip.cm-explained': { padding: '4px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'inherit', opacity: '.7' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
});
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' }, { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.string, color: 'color-mix(in srgb, var(--ink) 80%, #2f7dad)' }, { tag: tags.punctuation, color: 'var(--soft)' }]);

function completer(schema) {
  return async (context) => {
    const known = await schema();
    if (!known) return null;
    const { from, key, options } = suggestionsAt(known, context.state.doc.toString(), context.pos);
    if (options.length === 0 || (!context.explicit && from === context.pos && key && context.state.doc.lineAt(from).text.trim() === '')) return null;
    return { from, options: options.map(({ label, detail, apply }) => ({ label, info: detail || undefined, apply, type: key ? 'property' : 'constant' })), validFor: /^[\w@.-]*$/ };
  };
}

function explainer(schema) {
  return hoverTooltip(async (view, position) => {
    const known = await schema(), found = known && descriptionAt(known, view.state.doc.toString(), position);
    if (!found) return null;
    const create = () => {
      const dom = document.createElement('div');
      dom.className = 'cm-explained';
      dom.textContent = found.description;
      return { dom };
    };
    return { pos: found.from, end: found.to, above: true, create };
  });
}

// `schema()`: a promise of the JSON Schema of scenes, or of null; `changed(text)`; `run()`: Ctrl+Enter.
export function createEditor(parent, { text, schema, changed, run }) {
  let silent = false;
  const extensions = [lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
    indentUnit.of('  '), EditorState.tabSize.of(2), yaml(), syntaxHighlighting(colours), look, autocompletion({ override: [completer(schema)] }), explainer(schema),
    keymap.of([{ key: 'Mod-Enter', run: () => { run(); return true; } }, ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
    EditorView.contentAttributes.of({ 'aria-label': "The scene's text", spellcheck: 'false' }),
    EditorView.updateListener.of((update) => { if (update.docChanged && !silent) changed(update.state.doc.toString()); })];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  const position = (line, column) => {
    const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    return Math.min(at.to, at.from + Math.max(0, column - 1));
  };
  return {
    get text() { return view.state.doc.toString(); },
    setText(next) {
      silent = true;
      view.setState(EditorState.create({ doc: next, extensions }));
      silent = false;
    },
    // [{ line, column, message, severity }]: each marks the word at its position.
    setDiagnostics(list) {
      const marks = list.map(({ line, column, message, severity }) => {
        const from = position(line, column), word = view.state.wordAt(from), end = view.state.doc.lineAt(from).to;
        return { from, to: Math.max(word?.to ?? from, Math.min(from + 1, end)), severity, message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    goTo(line, column) {
      view.dispatch({ selection: { anchor: position(line, column) }, scrollIntoView: true });
      view.focus();
    },
    focus() { view.focus(); },
    destroy() { view.destroy(); },
  };
}

globalThis.cordage_editor = { createEditor };
