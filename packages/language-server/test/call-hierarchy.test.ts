import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallHierarchyItem, Range } from "vscode-languageserver/node";
import { baseFile } from "../../compiler/test/support/bases.ts";
import { type Opened, Session, textOf } from "./support/session.ts";

/** Saved and polling keys: what reads a key calls it, and a key calls what writes it. */
const template = (name: string) => readFileSync(baseFile(name), "utf8");
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

interface Call {
  readonly from?: CallHierarchyItem;
  readonly to?: CallHierarchyItem;
  readonly fromRanges: readonly Range[];
}

async function prepare(marked: string) {
  const { result, opened } = await session.at<CallHierarchyItem[] | null>(
    "textDocument/prepareCallHierarchy",
    marked,
  );
  return { item: result?.[0], opened };
}

/** `name (detail): the places`, one line a call. */
async function calls(direction: "incoming" | "outgoing", item: CallHierarchyItem, opened: Opened) {
  const found = await session.request<Call[]>(`callHierarchy/${direction}Calls`, { item });
  return found.map(({ from, to, fromRanges }) => {
    const { name, detail } = (from ?? to)!;
    return `${name} (${detail}): ${fromRanges.map((range) => textOf(opened, range)).join(", ")}`;
  });
}

/** The text with a marked part of it put in the place of that part. */
const marked = (text: string, part: string) =>
  text.replace(part.replace("┆", ""), part.replaceAll("$", "$$$$"));

const saved = "saved key";
const polling = "polling key, intake customers";
const webhook = "intake submission.created";
const places: readonly {
  name: string;
  text: string;
  item: string;
  incoming: readonly string[];
  outgoing: readonly string[];
}[] = [
  {
    name: "a saved key where it is written",
    text: marked(template("inbound-webhook"), "{hook┆_id: .id}"),
    item: `data.workflow.hook_id (${saved})`,
    incoming: [`update (${webhook}): hook_id`, `delete (${webhook}): hook_id`],
    outgoing: [`create (${webhook}): hook_id`],
  },
  {
    name: "a saved key where an expansion reads it",
    text: marked(template("inbound-webhook"), "/hooks/${data.workflow.┆hook_id}"),
    item: `data.workflow.hook_id (${saved})`,
    incoming: [`update (${webhook}): hook_id`, `delete (${webhook}): hook_id`],
    outgoing: [`create (${webhook}): hook_id`],
  },
  {
    name: "a saved key that only the type of a step before gives away",
    text: template("inbound-webhook")
      .replace('"{hook_id: .id}"', '". + {} | [{hook_id: .id}] | first"')
      .replace("workflow.hook_id", "workflow.hook┆_id"),
    item: `data.workflow.hook_id (${saved})`,
    incoming: [`update (${webhook}): hook_id`, `delete (${webhook}): hook_id`],
    outgoing: [`create (${webhook}): "!save"`],
  },
  {
    name: "a polling key in a hole of jq",
    text: marked(template("inbound-polling"), "${polling_state.pa┆ge} + 1"),
    item: `polling_state.page (${polling})`,
    incoming: ["request (intake customers): page, page"],
    outgoing: ["initial_setup (intake customers): page", "request (intake customers): page"],
  },
  {
    name: "a polling key that a jq program reads from its input",
    text: template("inbound-polling").replace(
      '"initial_setup":',
      '"post_poll": { "!jq": "{polling_state: {page: 1, since: .polling_state.┆since}}" },\n      "initial_setup":',
    ),
    item: `polling_state.since (${polling})`,
    incoming: ["request (intake customers): since, since, since", "post_poll (intake customers): since"],
    outgoing: [
      "initial_setup (intake customers): since",
      "request (intake customers): since",
      "post_poll (intake customers): since",
    ],
  },
  {
    name: "a command that reads and writes",
    text: marked(template("inbound-polling"), '"requ┆est"'),
    item: "request (intake customers)",
    incoming: [`polling_state.page (${polling}): page`, `polling_state.since (${polling}): since`],
    outgoing: [
      `polling_state.page (${polling}): page, page`,
      `polling_state.since (${polling}): since, since, since`,
    ],
  },
];

describe("who writes and who reads", () => {
  test.each(places)("$name", async ({ text, item: name, incoming, outgoing }) => {
    const { item, opened } = await prepare(text);
    expect(`${item?.name} (${item?.detail})`).toBe(name);
    expect(await calls("incoming", item!, opened)).toEqual(incoming);
    expect(await calls("outgoing", item!, opened)).toEqual(outgoing);
  });
});

test("the keys of two intakes are told apart", async () => {
  const config = JSON.parse(template("inbound-polling"));
  const [intake] = config.data_intake;
  config.data_intake.push({ ...intake, name: "others" });
  const text = JSON.stringify(config, undefined, 2);
  const at = text.indexOf("polling_state.page}", text.indexOf('"others"'));
  const { item, opened } = await prepare(`${text.slice(0, at)}polling_state.┆${text.slice(at + 14)}`);
  expect(item?.detail).toBe("polling key, intake others");
  expect((await calls("outgoing", item!, opened)).every((call) => call.includes("intake others"))).toBe(true);
});

test.each([
  ["a name that is no key", marked(template("inbound-webhook"), '"id": "fo┆rm"')],
  ["a command that has to do with no key", marked(template("inbound-webhook"), '"path": "/m┆e"')],
])("%s is in no hierarchy", async (_, text) => {
  expect((await prepare(text)).item).toBeUndefined();
});

test("an item of which the document has nothing any more has no calls", async () => {
  const { item, opened } = await prepare(places[0]!.text);
  const textDocument = { uri: opened.uri, version: 2 };
  await session.connection.sendNotification("textDocument/didChange", {
    textDocument,
    contentChanges: [{ text: "{" }],
  });
  expect(await calls("incoming", item!, opened)).toEqual([]);
});
