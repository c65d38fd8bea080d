import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { simulate } from "../../src/index.ts";

/*
 * One right app, and mistakes of behaviour in it. What the simulation says of each stands in `told.txt`:
 * `npx vitest run packages/simulate/test/polling -u` renews it.
 */

const here = new URL(".", import.meta.url);
const right = readFileSync(new URL("right.app.json", here), "utf8");
const mistakes = JSON.parse(readFileSync(new URL("mistakes.json", here), "utf8")) as readonly {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
}[];

test("what is told of each mistake", async () => {
  const told: string[] = [];
  for (const { name, edits } of mistakes) {
    const text = edits.reduce((before, [from, to]) => {
      expect(before, `${name}: ${from}`).toContain(from);
      return before.replace(from, () => to);
    }, right);
    const { app } = compile(text);
    const { parts } = await simulate(app, { seeds: 10, days: 1 });
    told.push(`## ${name}`);
    for (const { failures } of parts) {
      if (failures.length === 0) told.push("nothing broke");
      for (const { law, way, message, needs, story, pointer } of failures)
        told.push(
          `${law} (${way}) at ${pointer}`,
          message,
          `needs: ${needs.join(", ") || "nothing"}`,
          ...story.map((line) => `    ${line}`),
        );
    }
    told.push("");
  }
  await expect(told.join("\n")).toMatchFileSnapshot("told.txt");
}, 300_000);
