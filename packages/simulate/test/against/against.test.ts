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

function changed(...edits: readonly (readonly [string, string])[]): App {
  const text = edits.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replaceAll(from, () => to);
  }, right);
  return compile(text).app;
}

const same = changed();
const pages = changed(...mistakes.find(({ name }) => name.startsWith("pages by number"))!.edits);
const renamedState = changed(["polling_state.since", "polling_state.from"], [", since: ", ", from: "]);
const renamedIntake = changed(
  ['"name": "customers"', '"name": "people"'],
  ['"data_intake": "customers"', '"data_intake": "people"'],
);

test("what is told of each change", async () => {
  const told: string[] = [];
  for (const [name, app, old] of [
    ["the same app", same, same],
    ["pages instead of a cursor", pages, same],
    ["a cursor instead of pages", same, pages],
    ["another name of a key of the state", renamedState, same],
    ["another name of the intake", renamedIntake, same],
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
