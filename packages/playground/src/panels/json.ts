import { jsonLanguage } from "@codemirror/lang-json";
import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { h } from "../dom.ts";

const names = tagHighlighter([
  { tag: tags.propertyName, class: "token-name" },
  { tag: tags.string, class: "token-string" },
  { tag: tags.number, class: "token-number" },
  { tag: [tags.bool, tags.null], class: "token-constant" },
]);
const LONGEST = 20_000;

/** JSON text in the editor's colours. */
export function jsonText(text: string): HTMLElement {
  const shown =
    text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;
  const pre = h("pre", { className: "json", tabIndex: 0 });
  highlightCode(
    shown,
    jsonLanguage.parser.parse(shown),
    names,
    (part, className) => pre.append(className === "" ? part : h("span", { className }, part)),
    () => pre.append("\n"),
  );
  return pre;
}

/** A value on one line, short enough for a summary. */
export function brief(value: unknown, width = 90): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
