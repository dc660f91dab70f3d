// Gives the code editor the page's colours and sizes, through custom properties, which reach into its shadow root.

/** @typedef {typeof import("../../vendor/codemirror.js")} CodeMirror */

/** @param {CodeMirror} cm @returns {import("@codemirror/state").Extension[]} */
export function codeTheme({ EditorView, HighlightStyle, syntaxHighlighting, tags }) {
  const frame = EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper-raised)" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--font-formula)", fontSize: "var(--size-small)", lineHeight: "1.5", overflow: "auto" },
    ".cm-content": { padding: "var(--space-2) 0", caretColor: "var(--ink)" },
    ".cm-line": { padding: "0 var(--space-3) 0 var(--space-2)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      background: "var(--selected)",
    },
    ".cm-gutters": { backgroundColor: "var(--paper-raised)", color: "var(--ink-soft)", border: "0" },
    ".cm-lineNumbers .cm-gutterElement": { padding: "0 var(--space-1) 0 var(--space-2)", minWidth: "2ch" },
    ".cm-gutter-lint": { width: "1.1em" },
    ".cm-gutter-lint .cm-gutterElement": { display: "grid", placeContent: "center", padding: "0" },
    // This is a border, because borders stay visible in forced colours.
    ".cm-lint-marker-error": { content: "normal", width: "0", height: "0", border: "0.25rem solid var(--ink)", borderRadius: "50%" },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--line-strong)" },
    ".cm-lit": { backgroundColor: "var(--lit-own)", borderRadius: "2px", boxShadow: "0 1px 0 var(--rose)" },
    ".cm-lintRange-error": {
      backgroundImage: "none",
      textDecoration: "underline wavy var(--ink)",
      textDecorationSkipInk: "none",
      textUnderlineOffset: "0.2em",
    },
    ".cm-tooltip": {
      maxWidth: "min(30rem, 90vw)",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--radius)",
      backgroundColor: "var(--paper-raised)",
      color: "var(--ink)",
      fontSize: "var(--size-small)",
    },
    ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-formula)", maxHeight: "14em" },
    ".cm-tooltip-autocomplete > ul > li": { padding: "2px var(--space-2)", lineHeight: "1.5" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--ink)" },
    ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal" },
    ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650" },
    ".cm-completionInfo": { maxWidth: "20rem", padding: "var(--space-2)", fontFamily: "var(--font-text)" },
    ".cm-diagnostic": { padding: "var(--space-1) var(--space-2)", whiteSpace: "pre-wrap" },
    ".cm-diagnostic-error": { borderLeft: "2px solid var(--ink)" },
  });
  const style = HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], fontWeight: "600" },
    { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
    { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: "600" },
    { tag: [tags.meta, tags.function(tags.meta)], color: "var(--ink-soft)" },
  ]);
  return [frame, syntaxHighlighting(style)];
}
