import { byId, debounced, h } from "./dom.ts";
import { createEditor } from "./editor/editor.ts";
import { exampleById, examples, exchangesOf } from "./examples.ts";
import { graphPanel } from "./panels/graph.ts";
import { problemsPanel } from "./panels/problems.ts";
import { ruleDialog } from "./panels/rule.ts";
import { runPanel } from "./panels/run.ts";
import { tabs } from "./panels/tabs.ts";
import { typesPanel } from "./panels/types.ts";
import { fromFragment, LONGEST_LINK, toFragment } from "./share.ts";
import { toast } from "./toast.ts";
import { toolsClient } from "./tools/client.ts";

const FIRST = "payments";

const tools = toolsClient();
// A run may take long: what is asked beside it shall not wait.
const runner = toolsClient();
const editor = createEditor(byId("editor"), {
  changed: debounced(400, () => panels.changed()),
  moved: debounced(120, () => panels.moved()),
  problems: (found) => problems.show(found),
});
const explain = ruleDialog(byId("rule") as HTMLDialogElement, tools);
const problems = problemsPanel(
  { summary: byId("problem-summary"), list: byId("problems") },
  editor,
  (rule) => void explain(rule),
);
const run = runPanel(editor, tools, runner);
const panels = tabs(byId("tabs"), byId("panels"), [
  typesPanel(editor, tools),
  run,
  graphPanel(editor, tools, enlarge),
]);

const chooser = byId("examples") as HTMLSelectElement;
// Chosen by a link with a config in it, never by hand.
chooser.append(h("option", { value: "", hidden: true }, "From a link"));
chooser.append(...examples.map(({ id, title }) => h("option", { value: id }, title)));
chooser.onchange = () => open(chooser.value);

byId("format").onclick = () => editor.format();
byId("fix-all").onclick = async () => {
  if (!(await editor.fixAll())) toast("There is nothing that can be fixed safely.");
};
byId("share").onclick = async () => {
  const { name, text } = editor.source();
  const fragment = await toFragment({ name, text, ...run.shared() });
  history.replaceState(undefined, "", `#${fragment}`);
  const long = fragment.length > LONGEST_LINK ? " It is long: some programs may cut it." : "";
  try {
    await navigator.clipboard.writeText(location.href);
    toast(`The link is copied; the config is in it.${long}`);
  } catch {
    toast(`The link is in the address bar; the config is in it.${long}`);
  }
};
addEventListener("hashchange", () => void openFragment());

/** Shows the panels without the editor, or beside it again; by default the other of both. */
function enlarge(large?: boolean): boolean {
  return document.body.classList.toggle("large", large);
}

function open(id: string): void {
  const example = exampleById(id) ?? examples[0];
  if (example === undefined) return;
  chooser.value = example.id;
  history.replaceState(undefined, "", `#example=${example.id}`);
  run.use(example);
  editor.load({ name: example.file, text: example.text, exchanges: exchangesOf(example) });
}

async function openFragment(): Promise<void> {
  const shared = await fromFragment(location.hash);
  if (shared instanceof Error) toast(shared.message);
  if (shared === undefined || shared instanceof Error) {
    open(new URLSearchParams(location.hash.slice(1)).get("example") ?? FIRST);
    return;
  }
  const example = examples.find(({ file }) => file === shared.name);
  chooser.value = example?.id ?? "";
  run.use(example, shared.test);
  editor.load({ name: shared.name, text: shared.text, exchanges: exchangesOf(example) });
}

await openFragment();
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("offline.js").catch(() => undefined);
