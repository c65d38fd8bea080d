import { readdirSync, readFileSync } from "node:fs";
import { type App, compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { readWorld } from "../../src/save/saved-world.ts";
import { testCaseOf } from "../../src/save/test-case.ts";
import { exploreSetup } from "../../src/setup/explore.ts";
import { plainSetup } from "../../src/setup/world.ts";

/*
 * The guided setup against the simulated service (E222): what a customer with none, one and a thousand of everything sees.
 */

const root = new URL("../../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const right = read("packages/simulate/test/polling/right.app.json");
const effort = { time: Number.POSITIVE_INFINITY, now: () => 0 };

async function setupOf(app: App, workflow = 0) {
  const part = await exploreSetup(app, app.workflows[workflow]!, effort);
  if (part === undefined || "reason" in part) throw new Error(part?.reason ?? "nothing is sent");
  return part;
}

/** The right app with options of its list that are read in another way, and an API that pages. */
function paged(request: string, pagination?: object, options = "[.items[] | {display: .name, value: .id}]") {
  const json = JSON.parse(right);
  if (pagination !== undefined) json.api.pagination = pagination;
  json.workflows[0].setup.select.form_fields[0].options = {
    "!pipe": [{ "!http": JSON.parse(request) }, { "!jq": options }],
  };
  return compile(JSON.stringify(json)).app;
}

const all = '{"path": "/lists", "pagination": true}';
const number = (value: number) => ({ param: "page", value });
const styles: readonly (readonly [string, object])[] = [
  [
    "pages from 1",
    { style: { type: "page", page_number: number(1) }, parser: { total_pages: { "!jq": ".pages" } } },
  ],
  [
    "pages from 0",
    { style: { type: "page", page_number: number(0) }, parser: { total_pages: { "!jq": ".pages" } } },
  ],
  [
    "links",
    { style: { type: "page", page_number: number(1) }, parser: { next_page_url: { "!jq": ".links.next" } } },
  ],
  [
    "offsets",
    {
      style: {
        type: "limitoffset",
        limit: { param: "limit", value: 50 },
        offset: { param: "skip", value: 0 },
      },
      parser: { total_items: { "!jq": ".total" } },
    },
  ],
  [
    "cursors",
    {
      style: { type: "cursor", cursor: { param: "after" } },
      parser: { next_result_token: { "!jq": ".next" } },
    },
  ],
  [
    "a count of records",
    {
      style: { type: "page", page_number: number(1), page_size: { param: "size", value: 20 } },
      parser: { total_pages: { "!jq": "(.count / 20) | ceil" } },
    },
  ],
];

describe("a thousand options come in pages", () => {
  test.each(styles)("%s", async (_name, pagination) => {
    const part = await setupOf(paged(all, pagination));
    expect(part.failures).toEqual([]);
    expect(part.notTried).toEqual([]);
    // More than one for each world.
    expect(part.requests).toBeGreaterThan(8 * 2 + 10);
  });

  test("whoever divides by another number than that of a page loses the last ones", async () => {
    const [, pagination] = styles.at(-1)!;
    const wrong = JSON.parse(JSON.stringify(pagination).replace("/ 20", "/ 25"));
    const { failures } = await setupOf(paged(all, wrong));
    expect(failures.map(({ law, message, pointer }) => [law, message, pointer])).toEqual([
      [
        "every-option-shown",
        "Of 21 records at the service, 1 isn't among the options of `list`.",
        "/api/pagination",
      ],
    ]);
    expect(failures[0]!.needs).toEqual(["21 options"]);
  });
});

test("what is left out on purpose isn't missing", async () => {
  const options = "[.items[] | select(.archived | not) | {display: .name, value: .id}]";
  const { failures, worlds } = await setupOf(paged(all, styles[0]![1], options));
  expect(failures).toEqual([]);
  expect(worlds).toBe(8);
});

test("a size without further pages is told at the request", async () => {
  const { failures, hypotheses } = await setupOf(paged('{"path": "/lists", "params": {"per_page": 30}}'));
  expect(hypotheses.find(({ told }) => told === "many")?.broken).toEqual([
    { law: "every-option-shown", worlds: 1 },
  ]);
  expect(failures.map(({ law, message }) => `${law}: ${message}`)).toEqual([
    "every-option-shown: Of 31 records at the service, 1 isn't among the options of `list`.",
  ]);
  expect(failures[0]!.pointer).toMatch(/\/options\/!pipe\/0$/);
  expect(failures[0]!.story.at(-1)).toContain("the customer sees 30 of them");
});

test("no options at all are tried, and kept as a case", async () => {
  const options = "[{display: (.items[0].name | ascii_upcase), value: .items[0].id}]";
  const { failures } = await setupOf(paged('{"path": "/lists"}', undefined, options));
  const [failure] = failures;
  expect([failure!.law, failure!.needs]).toEqual(["runs-succeed", ["no options"]]);
  const { world } = testCaseOf({ workflow: "w" }, failure!);
  expect(world).toEqual({ kind: "setup", records: 0 });
  expect(readWorld(world)).toEqual({ world: { ...plainSetup, records: 0 } });
});

test("what can't be tried is listed", async () => {
  const { notTried } = await setupOf(compile(right).app);
  expect(notTried).toEqual(["pages of the options of `list`, for their requests ask for no further page"]);
  const unknown = { ...styles[4]![1], parser: { next_result_token: { "!jq": ".items[-1].id" } } };
  expect((await setupOf(paged(all, unknown))).notTried).toEqual([
    "pages of the options of `list`, for where an answer says that there are more isn't known",
  ]);
});

const folders = readdirSync(new URL("examples", root)).filter(
  (name) => !name.includes(".") && name !== "broken",
);
const configs = [
  ...folders.flatMap((name) =>
    readdirSync(new URL(`examples/${name}`, root))
      .filter((file) => /\.app\.jsonc?$/.test(file))
      .map((file) => `examples/${name}/${file}`),
  ),
  ...readdirSync(new URL("packages/cli/templates", root))
    .filter((file) => file.endsWith(".app.json"))
    .map((file) => `packages/cli/templates/${file}`),
];

test.each(configs)("no alarm: %s", async (path) => {
  const { app } = compile(read(path));
  for (const workflow of app.workflows) {
    const part = await exploreSetup(app, workflow, effort);
    if (part === undefined || "reason" in part) continue;
    expect(part.failures, workflow.name).toEqual([]);
  }
});

test("the setups of all examples but one are tried", async () => {
  const untried: string[] = [];
  for (const path of configs) {
    const { app } = compile(read(path));
    for (const workflow of app.workflows) {
      const part = await exploreSetup(app, workflow, effort);
      if (part !== undefined && "reason" in part) untried.push(`${workflow.name}: ${part.reason}`);
    }
  }
  expect(untried).toEqual([
    expect.stringMatching(/^airtable-log-a-contact: .* nothing to choose for `column`$/),
  ]);
}, 60_000);
