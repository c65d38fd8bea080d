import { readFileSync } from "node:fs";
import { type App, compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { simulateAgainst } from "../../src/index.ts";

/*
 * Two versions of one app. What the comparison says of each change stands in `told.txt`:
 * `npx vitest run packages/simulate/test/against -u` renews it.
 */

const polling = new URL("../polling/", import.meta.url);
const right = readFileSync(new URL("right.app.json", polling), "utf8");
const mistakes = JSON.parse(readFileSync(new URL("mistakes.json", polling), "utf8")) as readonly {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
}[];

type Edits = readonly (readonly [string, string])[];

function edited(text: string, edits: Edits): App {
  const now = edits.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replaceAll(from, () => to);
  }, text);
  return compile(now).app;
}

function changed(...edits: Edits): App {
  return edited(right, edits);
}

/** One of the other right configs. */
function other(name: string, ...edits: Edits): App {
  return edited(readFileSync(new URL(`../right/${name}.app.json`, import.meta.url), "utf8"), edits);
}

const same = changed();
const pages = changed(...mistakes.find(({ name }) => name.startsWith("pages by number"))!.edits);
const renamedState = changed(["polling_state.since", "polling_state.from"], [", since: ", ", from: "]);
const renamedIntake = changed(
  ['"name": "customers"', '"name": "people"'],
  ['"data_intake": "customers"', '"data_intake": "people"'],
);

const leads = other("signed-leads");
const otherSecret = other(
  "signed-leads",
  [", secret: ", ", key: "],
  ["data.workflow.secret", "data.workflow.key"],
);
const otherHook = other(
  "signed-leads",
  ["{hook_id: ", "{hook: "],
  ["data.workflow.hook_id", "data.workflow.hook"],
);
const cards = other("keyed-cards");
const paper = other(
  "keyed-cards",
  ['"id": "greeting"', '"id": "paper"'],
  ["${custom_data.greeting.value | default}", "${custom_data.paper.value}"],
  ['"required": false', '"required": true'],
);

test("what is told of each change", async () => {
  const told: string[] = [];
  for (const [name, app, old] of [
    ["the same app", same, same],
    ["pages instead of a cursor", pages, same],
    ["a cursor instead of pages", same, pages],
    ["another name of a key of the state", renamedState, same],
    ["another name of the intake", renamedIntake, same],
    ["the same webhook", leads, leads],
    ["another name of the secret that a webhook saved", otherSecret, leads],
    ["another name of the hook's id", otherHook, leads],
    ["the same outbound workflow", cards, cards],
    ["a field of the form that customers of before didn't fill in", paper, cards],
  ] as const) {
    const { parts } = await simulateAgainst(app, old, { seeds: 0, days: 0.25 });
    told.push(`## ${name}`);
    for (const { findings, notTried } of parts) {
      if (findings.length === 0) told.push("nothing broke");
      for (const { cause, failure } of findings) {
        const { law, way, message, story } = failure;
        told.push(`${cause}: ${law} (${way}): ${message}`);
        if (cause === "hand-over")
          told.push(...story.map((line) => `    ${line}`), `    cure: ${failure.cure}`);
      }
      told.push(...notTried.map((each) => `not tried: ${each}`));
    }
    told.push("");
  }
  await expect(told.join("\n")).toMatchFileSnapshot("told.txt");
}, 120_000);
