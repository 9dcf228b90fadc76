// SPDX-License-Identifier: Apache-2.0
// The editor of a pass.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { colours } from "../code";

export class PassEditor {
  private readonly view: EditorView;
  private readonly extensions: Extension[];

  constructor(parent: HTMLElement, changed: () => void, run: () => void) {
    this.extensions = [
      lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), search({ top: true }), indentUnit.of("  "),
      EditorView.contentAttributes.of({ "aria-label": "Your pass in JavaScript", tabindex: "0" }),
      // Escape, then Tab, leaves the editor.
      keymap.of([{ key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (run(), true) }, indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
      syntaxHighlighting(colours), javascript(),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed();
      }),
    ];
    this.view = new EditorView({ parent });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  // Another text, with a history of its own.
  open(text: string): void {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  // Another text that can be undone.
  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  mark(line: number, message: string): void {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return this.clear();
    const { from, to } = doc.line(line);
    this.view.dispatch(setDiagnostics(this.view.state, [{ from, to: Math.max(from, to), severity: "error", message }]));
  }

  clear(): void {
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }

  goTo(line: number): void {
    const at = this.view.state.doc.line(Math.max(1, Math.min(line, this.view.state.doc.lines))).from;
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }
}
