import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * An editor in the returned element, made anew when text or extensions change. It lives in a shadow root: there CodeMirror
 * brings its styles as constructed sheets; in the document it would add a <style> element, which the server's content
 * policy refuses.
 */
export function useEditor(doc: string, extensions: Extension): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = new EditorView({ doc, extensions, parent: root, root });
    return () => view.destroy();
  }, [doc, extensions]);
  return host;
}
