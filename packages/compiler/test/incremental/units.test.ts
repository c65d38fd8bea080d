import { compile, recompile } from "@configc/compiler";
import { expect, test } from "vitest";

/** Each auth entry, intake and workflow is a unit: an edit in one leaves the others as they were bound (`design.md`, "Incremental"). */

const text = JSON.stringify(
  {
    auth: {
      alpha: { type: "basic_auth", configuration: { username: "<USER>", password: "<PASSWORD>" } },
      beta: { type: "oauth2", configuration: { token_url: "https://beta.example.com/token" } },
    },
    api: { base_url: "https://api.example.com" },
    data_intake: [{ type: "webhook", name: "gamma.created", scope: "workflow" }],
    workflows: [
      { name: "delta", label: "Delta", auth: "alpha" },
      { name: "epsilon", label: "Epsilon", auth: "beta" },
    ],
  },
  undefined,
  2,
);

const units = ["alpha", "beta", "gamma", "delta", "epsilon"];

/** Where an edit is made, and the units that are bound anew: an `auth` is parsed as a whole. */
const edits: readonly (readonly [edited: string, anew: readonly string[]])[] = [
  ["Delta", ["delta"]],
  ["gamma.created", ["gamma"]],
  ["https://api.example.com", []],
  ["https://beta.example.com/token", ["alpha", "beta"]],
];

test.each(edits)("an edit of %s has these units bound anew: %s", (edited, anew) => {
  const options = { uri: "a.app.json" };
  const before = compile(text, options);
  before.diagnostics.length;
  const parts = before.model.parts.filter(({ item }) => item !== undefined);
  expect(parts).toHaveLength(units.length);
  const after = recompile(before, text.replace(edited, `${edited}x`), options);
  after.diagnostics.length;
  const again = after.model.parts.filter(({ item }) => item !== undefined);
  expect(units.filter((_, index) => parts[index] !== again[index])).toEqual(anew);
});
