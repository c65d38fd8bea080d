import { compile, type PayloadSample } from "@configc/compiler";
import { expect, test } from "vitest";

/** D51: the hint needs two deliveries, neither of which bears a number. */
const text = JSON.stringify({
  data_intake: [{ type: "webhook", name: "created", scope: "workflow", create: { "!jq": "." } }],
});

const sample = (name: string, numbered?: boolean): PayloadSample => ({
  name,
  webhook: "created",
  payload: { id: name },
  ...(numbered === undefined ? {} : { numbered }),
});

test.each<[string, readonly PayloadSample[], boolean]>([
  ["two without a number", [sample("a", false), sample("b", false)], true],
  ["one", [sample("a", false)], false],
  ["one of three has a number", [sample("a", false), sample("b", false), sample("c", true)], false],
  ["nobody looked", [sample("a"), sample("b")], false],
  ["those of another webhook", [sample("a", false), { ...sample("b", false), webhook: "paid" }], false],
])("%s", (_name, payloads, told) => {
  const samples = { responses: [], payloads, documents: [], own: [] };
  const { diagnostics } = compile(text, { samples });
  expect(diagnostics.some(({ finding }) => finding.rule.id === "intake/unnumbered")).toBe(told);
});
