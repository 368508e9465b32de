import { yaml } from '@codemirror/lang-yaml';
import { foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Colours are the page's tokens, so that a change of theme needs no new editor.
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--progressing)' },
  { tag: [tags.comment, tags.meta], color: 'var(--faint)' },
  { tag: tags.punctuation, color: 'var(--muted)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-weak) !important' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--surface-2)', border: 'none', color: 'var(--muted)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--healthy-weak) !important' },
  '.cm-deletedChunk, .cm-deletedLine': { backgroundColor: 'var(--degraded-weak) !important' },
  '.cm-deletedChunk .cm-deletedText, .cm-changedText, .cm-deletedLine del': {
    background: 'none !important',
    textDecoration: 'none',
    fontWeight: '600',
  },
  '.cm-deletedChunk del': { textDecoration: 'none' },
  '.cm-changeGutter': { width: '3px' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-collapsedLines': {
    background: 'var(--surface-2) !important',
    color: 'var(--muted)',
    padding: '3px 12px',
    fontFamily: 'var(--sans)',
  },
});

/** A read-only YAML view that can be focused, selected and copied from. */
export const readOnlyYaml = (label: string): Extension => [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  yaml(),
  syntaxHighlighting(colours),
  look,
];
