import { byId, debounced, h } from "./dom.ts";
import { draftAt, keepDraft } from "./draft.ts";
import { createEditor } from "./editor/editor.ts";
import { type Example, exampleById, examples, exchangesOf } from "./examples.ts";
import { graphPanel } from "./panels/graph.ts";
import { jqPanel } from "./panels/jq.ts";
import { problemsPanel } from "./panels/problems.ts";
import { ruleDialog } from "./panels/rule.ts";
import { runPanel } from "./panels/run.ts";
import { simulatePanel } from "./panels/simulate.ts";
import { tabs } from "./panels/tabs.ts";
import { typesPanel } from "./panels/types.ts";
import { fromFragment, jqFragment, jqFromFragment, LONGEST_LINK, toFragment } from "./share.ts";
import { toast } from "./toast.ts";
import { toolsClient } from "./tools/client.ts";

const FIRST = "payments";

/** The text that the example or the link brought. */
let opened = "";

const tools = toolsClient();
// A run may take long: what is asked beside it shall not wait.
const runner = toolsClient();
const simulator = toolsClient();
const jqRunner = toolsClient();
const editor = createEditor(byId("editor"), {
  changed: debounced(400, () => {
    const { text } = editor.source();
    keepDraft(text === opened ? undefined : { hash: location.hash, text });
    panels.changed();
  }),
  moved: debounced(120, () => panels.moved()),
  jumped: () => panels.showSource(),
  problems: (found) => problems.show(found),
});
const explain = ruleDialog(byId("rule") as HTMLDialogElement, tools);
const problems = problemsPanel(
  { summary: byId("problem-summary"), list: byId("problems") },
  editor,
  (rule) => void explain(rule),
);
const run = runPanel(editor, tools, runner);
const jq = jqPanel(jqRunner, (isAlone) => {
  enlarge(isAlone);
  // What belongs to the config isn't shown.
  document.body.classList.toggle("jq-alone", isAlone);
});
const panels = tabs(
  { list: byId("tabs"), place: byId("panels"), source: byId("source") },
  [
    typesPanel(editor, tools),
    run,
    simulatePanel(editor, tools, simulator),
    graphPanel(editor, tools, enlarge),
    jq,
  ],
  matchMedia("(width < 860px)"),
);

const chooser = byId("examples") as HTMLSelectElement;
// Chosen by a link with a config in it, never by hand.
chooser.append(h("option", { value: "", hidden: true }, "From a link"));
chooser.append(...examples.map(({ id, title }) => h("option", { value: id }, title)));
chooser.onchange = () => {
  keepDraft(undefined);
  open(chooser.value);
};

byId("format").onclick = () => (panels.shown() === jq.id ? void jq.format() : editor.format());
byId("fix-all").onclick = async () => {
  if (!(await editor.fixAll())) toast("There is nothing that can be fixed safely.");
};
byId("share").onclick = async () => {
  const isJq = panels.shown() === jq.id;
  const { name, text } = editor.source();
  const fragment = await (isJq ? jqFragment(jq.work()) : toFragment({ name, text, ...run.shared() }));
  history.replaceState(undefined, "", `#${fragment}`);
  if (!isJq) {
    opened = text;
    keepDraft(undefined);
  }
  const what = isJq ? "the program and its input are in it" : "the config is in it";
  const long = fragment.length > LONGEST_LINK ? " It is long: some programs may cut it." : "";
  try {
    await navigator.clipboard.writeText(location.href);
    toast(`The link is copied; ${what}.${long}`);
  } catch {
    toast(`The link is in the address bar; ${what}.${long}`);
  }
};
// A link is followed: what it brings counts, and not what was written at that address before.
addEventListener("hashchange", () => {
  keepDraft(undefined);
  void openFragment();
});

/** Shows the panels without the editor, or beside it again; by default the other of both. */
function enlarge(large?: boolean): boolean {
  return document.body.classList.toggle("large", large);
}

function open(id: string): void {
  const known = exampleById(id);
  if (known === undefined) toast(`There is no example “${id.slice(0, 40)}”; this is another one.`);
  const example = known ?? exampleById(FIRST);
  if (example === undefined) return;
  history.replaceState(undefined, "", `#example=${example.id}`);
  showExample(example.id);
}

function showExample(id: string): void {
  const example = exampleById(id);
  if (example === undefined) return;
  chooser.value = example.id;
  show(example.file, example.text, example);
}

async function openFragment(): Promise<void> {
  const work = await jqFromFragment(location.hash);
  if (work !== undefined && !(work instanceof Error)) {
    jq.use(work === "new" ? undefined : work);
    panels.show(jq.id);
    if (editor.source().name === "") showExample(FIRST);
    return;
  }
  if (work instanceof Error) toast(work.message);
  if (panels.shown() === jq.id) panels.showFirst();
  const shared = await fromFragment(location.hash);
  if (shared instanceof Error) toast(shared.message);
  if (shared === undefined || shared instanceof Error) {
    open(new URLSearchParams(location.hash.slice(1)).get("example") ?? FIRST);
    return;
  }
  const example = examples.find(({ file }) => file === shared.name);
  chooser.value = example?.id ?? "";
  show(shared.name, shared.text, example, shared.test);
}

/** Shows a document, with what was written at this address before the page was loaded again. */
function show(name: string, text: string, example: Example | undefined, test?: string): void {
  opened = text;
  const draft = draftAt(location.hash);
  if (draft !== undefined)
    toast("This is what you wrote here before. Choose the example again to begin anew.");
  run.use(example, test);
  editor.load({ name, text: draft ?? text, exchanges: exchangesOf(example) });
}

jq.use();
await openFragment();
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("offline.js").catch(() => undefined);
