// The editor: TOML with syntax colours, mistakes at their place, and completion.

import { autocompletion, closeBrackets, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Problem } from "./answers";
import { describe, keysAt, valuesAt, type Schema } from "./schema";
import { placeOf } from "./toml-place";

/** Marks a change by a slider or another scenario rather than by typing. */
const outside = Annotation.define<boolean>();

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--number)" },
  { tag: tags.propertyName, color: "var(--key)" },
  { tag: tags.bracket, color: "var(--fg)" },
]);

/** The editor of one text. */
export class Editor {
  private readonly view: EditorView;

  constructor(parent: HTMLElement, schema: () => Schema | undefined, changed: (text: string) => void, run: () => void) {
    const completions = (context: CompletionContext) => complete(context, schema());
    const hover = hoverTooltip((view, pos) => {
      const root = schema();
      const word = view.state.wordAt(pos);
      if (!root || !word) return null;
      const place = placeOf(view.state.sliceDoc(0, word.to));
      const about = place?.what === "key" ? describe(root, [...place.path, place.word]) : "";
      if (!about) return null;
      const dom = document.createElement("div");
      dom.className = "about-key";
      dom.textContent = about;
      return { pos: word.from, end: word.to, create: () => ({ dom }) };
    });
    const extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      lintGutter(),
      hover,
      StreamLanguage.define(toml),
      syntaxHighlighting(COLOURS),
      autocompletion({ override: [completions] }),
      // Tab leaves the editor, as elsewhere on a page.
      keymap.of([
        { key: "Mod-Enter", run: () => (run(), true) },
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.contentAttributes.of({ "aria-label": "Scenario file" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((tr) => tr.annotation(outside))) changed(this.text);
      }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions }) });
    // Lets the keyboard scroll without moving the cursor.
    this.view.scrollDOM.tabIndex = 0;
  }

  /** The editor's text. */
  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text unless it is the same. */
  set(text: string): void {
    if (text === this.text) return;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      annotations: outside.of(true),
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  /** Replaces a range of the text. */
  replace(from: number, to: number, insert: string): void {
    this.view.dispatch({ changes: { from, to, insert }, annotations: outside.of(true) });
  }

  /** Shows mistakes and warnings. */
  mark(errors: Problem[], warnings: Problem[]): void {
    const length = this.view.state.doc.length;
    const diagnostic = (severity: "error" | "warning") => (problem: Problem): Diagnostic => {
      const from = Math.min(problem.from, length);
      const to = Math.min(Math.max(problem.to, from), length);
      return { from, to, severity, message: [problem.message, ...problem.help].join("\n") };
    };
    const all = [...errors.map(diagnostic("error")), ...warnings.map(diagnostic("warning"))];
    this.view.dispatch(setDiagnostics(this.view.state, all.sort((a, b) => a.from - b.from)));
  }

  /** Moves the cursor to a place. */
  go(to: number): void {
    const anchor = Math.min(to, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}

function complete(context: CompletionContext, schema: Schema | undefined): CompletionResult | null {
  if (!schema) return null;
  const place = placeOf(context.state.sliceDoc(0, context.pos));
  if (!place || (place.word === "" && !context.explicit && place.what === "key")) return null;
  const from = context.pos - place.word.length;
  if (place.what === "value") {
    const options = valuesAt(schema, place.path).map((option) => completion(option.label, "", option.info, "enum"));
    const plain = options.map((option) => ({ ...option, label: option.label.replace(/^"|"$/g, "") }));
    return { from, options: place.quoted ? plain : options, validFor: /^[^\s,\]}]*$/ };
  }
  const tail = place.what === "key" ? " = " : "";
  const options = keysAt(schema, place.path).map((option) => ({
    ...completion(option.label, option.detail, option.info, "property"),
    apply: option.label + tail,
  }));
  return { from, options, validFor: /^[\w-]*$/ };
}

function completion(label: string, detail: string, info: string, type: string): Completion {
  return { label, detail, type, ...(info ? { info } : {}) };
}
