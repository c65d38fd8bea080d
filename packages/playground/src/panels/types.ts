import { h, prose } from "../dom.ts";
import type { Editor } from "../editor/editor.ts";
import { tellFailure } from "../toast.ts";
import type { ToolsClient } from "../tools/client.ts";
import type { TypedCommand } from "../tools/protocol.ts";
import type { Panel } from "./tabs.ts";

/** Pixels that are left above the command at the cursor. */
const ABOVE = 60;

/** What flows through the command at the cursor, and through those around it. */
export function typesPanel(editor: Editor, tools: ToolsClient): Panel {
  const element = h("div", { className: "panel types" });
  let asked = 0;
  async function refresh(): Promise<void> {
    const question = ++asked;
    const commands = await tools.types(editor.source(), editor.cursor());
    // The cursor may have gone on since.
    if (question !== asked) return;
    element.replaceChildren(...contents(commands, editor));
    const current = element.querySelector<HTMLElement>("[aria-current]");
    // In the panel only: on a phone, the page would go away from the editor.
    if (current !== null) element.scrollTop = current.offsetTop - element.offsetTop - ABOVE;
  }
  return { id: "types", title: "Types", element, moved: () => refresh().catch(tellFailure) };
}

function contents(commands: readonly TypedCommand[], editor: Editor): Node[] {
  const [first] = commands;
  if (first === undefined) return [h("p", { className: "nothing" }, "There is no command here yet.")];
  if (!commands.some(({ current }) => current)) return outline(commands, editor);
  return [
    h("h2", { className: "where" }, first.title),
    h("div", { className: "flow-end" }, h("span", { className: "label" }, "takes"), type(first.input)),
    h("ol", { className: "flow" }, ...commands.map((command) => step(command, editor))),
  ];
}

/** Where the cursor is in no command: those around it, each by its name. */
function outline(commands: readonly TypedCommand[], editor: Editor): Node[] {
  return [
    h("p", { className: "nothing" }, "Put the cursor into a command to see what flows through it."),
    h(
      "ul",
      { className: "outline" },
      ...commands.map(({ title, key, start, end, output }) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", onclick: () => editor.jump(start, end) },
            h("span", { className: "place" }, title),
            h("span", { className: "key" }, key),
          ),
          type(output),
        ),
      ),
    ),
  ];
}

function step(
  { key, start, end, depth, current, input, output, because }: TypedCommand,
  editor: Editor,
): Node {
  const item = h(
    "li",
    { className: current ? "step current" : "step" },
    ...(current && depth > 0 ? [h("span", { className: "label" }, "takes"), type(input)] : []),
    h("button", { type: "button", className: "key", onclick: () => editor.jump(start, end) }, key),
    h("span", { className: "label" }, " gives"),
    type(output),
    because.length === 0
      ? undefined
      : h("ul", { className: "because" }, ...because.map((line) => h("li", {}, ...prose(line)))),
  );
  // Deeper ones are rare, and there is no room for them.
  item.classList.add(`depth-${Math.min(depth, 4)}`);
  if (current) item.setAttribute("aria-current", "true");
  return item;
}

function type(text: string): Node {
  return h("pre", { className: "type" }, text);
}
