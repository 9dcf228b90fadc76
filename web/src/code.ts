// SPDX-License-Identifier: Apache-2.0
// Read-only texts: the source and the stages, with lines that light up and costs beside them.
import { defaultKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h, percent } from "./dom";
import type { Cost } from "./model";

export type Language = "source" | "ir" | "assembly" | "plain";

export const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: [tags.controlKeyword, tags.modifier], color: "var(--keyword)" },
  { tag: [tags.number, tags.bool], color: "var(--number)" },
  { tag: [tags.string, tags.character], color: "var(--string)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--number)" },
  { tag: [tags.labelName, tags.function(tags.variableName)], color: "var(--name)", fontWeight: "600" },
  { tag: tags.meta, color: "var(--comment)" },
]);

// A language whose words depend on whether they are the first of their line.
const byWords = (name: string, word: (stream: StringStream, first: boolean) => string | null) =>
  StreamLanguage.define<{ start: boolean }>({
    name,
    startState: () => ({ start: true }),
    token(stream, state) {
      if (stream.sol()) state.start = true;
      if (stream.eatSpace()) return null;
      const first = state.start;
      state.start = false;
      return word(stream, first);
    },
  });

// Names of values, types, places and labels look the same in all dialects of the text form.
const ir = byWords("ir", (stream, start) => {
  if (stream.match(/^!\d+(:\d+)*/)) return "comment";
  if (stream.match(/^;.*/)) return "comment";
  if (stream.match(/^[%@][\w.$]+/)) return null;
  if (start && stream.match(/^[\w.$]+(?=.*:\s*$)/)) return "labelName";
  if (stream.match(/^b\d+(\.[\w$]+)?/)) return "labelName";
  if (stream.match(/^(-?0x[\da-fA-F.p+-]+|-?\d+(\.\d+)?)/)) return "number";
  if (stream.match(/^(i1|i8|i16|i32|i64|f16|f32|f64|ptr|lane|mask|sreg|vreg)\b/)) return "typeName";
  if (stream.match(/^"([^"\\]|\\.)*"/)) return "string";
  if (stream.match(/^[a-z_][\w.]*/)) return stream.string.slice(stream.pos).match(/^\s*:(?!\d)/) ? null : "keyword";
  stream.next();
  return null;
});

const assembly = byWords("assembly", (stream, start) => {
  if (stream.match(/^(#|\/\/|;).*/)) return "comment";
  if (stream.match(/^"([^"\\]|\\.)*"/)) return "string";
  if (start && stream.match(/^[\w.$@]+:/)) return "labelName";
  if (start && stream.match(/^\.[\w.]+/)) return "meta";
  if (start && stream.match(/^[\w.]+/)) return "keyword";
  if (stream.match(/^[$#]?-?(0x[\da-fA-F]+|\d+)\b/)) return "number";
  if (stream.match(/^%?[a-zA-Z_][\w.]*/)) return null;
  stream.next();
  return null;
});

function languageOf(language: Language): Extension {
  if (language === "source") return cpp();
  if (language === "ir") return ir;
  if (language === "assembly") return assembly;
  return [];
}

// The first line of `chosen` is the one that was asked for; `linked` ones come from the same place of the source.
interface Lit {
  chosen: number[];
  linked: number[];
}
const setLit = StateEffect.define<Lit>();

const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setLit)) continue;
      const marks: Range<Decoration>[] = [];
      const doc = transaction.state.doc;
      const mark = (lines: number[], name: string) => {
        for (const line of lines) if (line >= 1 && line <= doc.lines) marks.push(Decoration.line({ class: name }).range(doc.line(line).from));
      };
      mark(effect.value.chosen, "chosen");
      mark(effect.value.linked, "linked");
      return Decoration.set(marks, true);
    }
    return set.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface LineCost {
  used: number; // shares of the most expensive line
  wasted: number;
  title: string;
}

class CostMarker extends GutterMarker {
  constructor(private readonly cost: LineCost) {
    super();
  }
  override eq(other: CostMarker): boolean {
    return other.cost.title === this.cost.title && other.cost.used === this.cost.used;
  }
  override toDOM(): Node {
    const width = (share: number) => `width:${(100 * share).toFixed(1)}%`;
    return h("div", { class: "meter", title: this.cost.title }, h("i", { style: width(this.cost.used) }), h("i", { class: "wasted", style: width(this.cost.wasted) }));
  }
}

const setCosts = StateEffect.define<Map<number, LineCost>>();
const costs = StateField.define<Map<number, LineCost>>({
  create: () => new Map(),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCosts)) return effect.value;
    return value;
  },
});

const costGutter = gutter({
  class: "cm-cost",
  lineMarker(view, line) {
    const number = view.state.doc.lineAt(line.from).number;
    const cost = view.state.field(costs).get(number);
    return cost ? new CostMarker(cost) : null;
  },
  lineMarkerChange: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(setCosts))),
  initialSpacer: () => new CostMarker({ used: 0, wasted: 0, title: "" }),
});

export function extensions(label: string, language: Language, pick: (line: number) => void): Extension[] {
  return [
    lineNumbers(),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
    syntaxHighlighting(colours),
    languageOf(language),
    search({ top: true }),
    highlightSelectionMatches(),
    keymap.of([
      {
        key: "Enter",
        run: (view) => {
          pick(view.state.doc.lineAt(view.state.selection.main.head).number);
          return true;
        },
      },
      ...defaultKeymap.filter((binding) => binding.key !== "Escape"),
      ...searchKeymap,
    ]),
    lit,
    EditorView.domEventHandlers({
      click(event, view) {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at !== null && view.state.selection.main.empty) pick(view.state.doc.lineAt(at).number);
        return false;
      },
    }),
  ];
}

export function light(view: EditorView, chosen: number[], linked: number[], scroll: boolean): void {
  view.dispatch({ effects: setLit.of({ chosen, linked }) });
  const first = chosen[0] ?? linked[0];
  if (!scroll || first === undefined || first < 1 || first > view.state.doc.lines) return;
  const line = view.state.doc.line(first);
  const block = view.lineBlockAt(line.from);
  const scroller = view.scrollDOM;
  if (block.top < scroller.scrollTop + 20 || block.bottom > scroller.scrollTop + scroller.clientHeight - 20)
    view.dispatch({ effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
}

export function sourcePane(parent: HTMLElement, text: string, pick: (line: number) => void): EditorView {
  return new EditorView({ parent, doc: text, extensions: [costs, costGutter, ...extensions("Source of the kernel", "source", pick)] });
}

// What lines cost under a scheme, as shares of the most expensive one.
export function lineCosts(cost: Cost | undefined): Map<number, LineCost> {
  const lines = new Map<number, LineCost>();
  if (!cost) return lines;
  const most = Math.max(1, ...cost.lines.map((line) => line.issued));
  for (const line of cost.lines)
    lines.set(line.line, { used: line.active / most, wasted: (line.issued - line.active) / most,
      title: `line ${line.line} under ${cost.scheme}: ${percent(line.issued, cost.issued)} of all issue slots, ${percent(line.issued - line.active, line.issued)} of them wasted` });
  return lines;
}

// What the editor of the lab has in common with a pane of text.
export const editing: Extension[] = [costs, costGutter, syntaxHighlighting(colours), cpp(), lit];

export function showCosts(view: EditorView, lines: Map<number, LineCost>): void {
  view.dispatch({ effects: setCosts.of(lines) });
}
