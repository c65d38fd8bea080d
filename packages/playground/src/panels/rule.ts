import { h, prose } from "../dom.ts";
import type { ToolsClient } from "../tools/client.ts";

/** Set at build time: where the documentation is published; empty where it isn't. */
declare const DOCS: string;

/** Shows what a rule says: why it matters, and a wrong and a right example. */
export function ruleDialog(dialog: HTMLDialogElement, tools: ToolsClient): (rule: string) => Promise<void> {
  // A click beside it closes it, as Escape does.
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  return async (rule) => {
    const found = await tools.explain(rule);
    if (found === undefined) return;
    const { severity, summary, why, bad, good, docs } = found;
    dialog.replaceChildren(
      h(
        "article",
        {},
        h(
          "header",
          {},
          h("h2", { id: "rule-title" }, rule),
          h("button", { type: "button", className: "small", onclick: () => dialog.close() }, "Close"),
        ),
        h("p", {}, h("span", { className: `badge ${severity}` }, severity), " ", ...prose(`${summary}.`)),
        ...why.split(/\n{2,}/).map((paragraph) => h("p", {}, ...prose(paragraph))),
        h("h3", {}, "Wrong"),
        h("pre", {}, ...marked(bad)),
        h("h3", {}, "Right"),
        h("pre", {}, good),
        h(
          "p",
          { className: "docs" },
          DOCS === ""
            ? h("code", {}, docs)
            : h("a", { href: new URL(docs, DOCS).href, target: "_blank", rel: "noreferrer" }, docs),
        ),
      ),
    );
    dialog.showModal();
  };
}

/** The characters that the finding points at stand between `«` and `»`. */
function marked(example: string): (Node | string)[] {
  return example.split(/[«»]/).map((part, index) => (index % 2 === 1 ? h("mark", {}, part) : part));
}
