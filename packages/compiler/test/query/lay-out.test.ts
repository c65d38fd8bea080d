import { compile } from "@configc/compiler";
import { layOut, onOneLine } from "@configc/jq/internal";
import { expect, test } from "vitest";
import { parseTemplate } from "../../src/parse/template.ts";
import { validConfigs } from "../support/configs.ts";

/** Programs over several lines, and back on one. */
const holesIn = (text: string) =>
  (parseTemplate(text)?.expansions ?? []).map(({ start, end }) => ({ start, end }));

test("every program of the examples is laid out within 80 columns where it can be, and comes back as it was", () => {
  const long: string[] = [];
  for (const { path, text } of validConfigs())
    for (const { node } of compile(text, { uri: path }).model.programs) {
      const { value } = node;
      const laidOut = layOut(value, holesIn(value));
      expect(onOneLine(laidOut, holesIn(laidOut))).toBe(value);
      // Once more changes nothing.
      expect(layOut(laidOut, holesIn(laidOut))).toBe(laidOut);
      long.push(...laidOut.split("\n").filter((line) => line.length > 100));
    }
  // A long text, or a long path, has no place to break.
  expect(long.length).toBeLessThan(5);
});

const rows: readonly (readonly [name: string, program: string, laidOut: string])[] = [
  ["what fits", "{a: .b} | .a", "{a: .b} | .a"],
  [
    "stages and members",
    '.items[] | select(.status == "active" and .deleted == false) | {name: .name, email: .contact.email}',
    `.items[]
| select(.status == "active" and .deleted == false)
| {name: .name, email: .contact.email}`,
  ],
  [
    "conditions",
    'if .status == "canceled" or .no_show != null then {status: "gone", id: .id} elif .x then {status: "there", id: .id} else empty end',
    `if .status == "canceled" or .no_show != null then
  {status: "gone", id: .id}
elif .x then
  {status: "there", id: .id}
else
  empty
end`,
  ],
  [
    "definitions and folds",
    "def total: map(.price * .quantity) | add; reduce .orders[] as $order ({}; .[$order.id] = ($order.items | total) + ($order.shipping // 0))",
    `def total: map(.price * .quantity) | add;
reduce .orders[] as $order (
  {};
  .[$order.id] = ($order.items | total) + ($order.shipping // 0)
)`,
  ],
  [
    "comments stay where they are",
    `.items[] # all of them, whatever their state is, since the service keeps those that are gone\n| .id`,
    `.items[] # all of them, whatever their state is, since the service keeps those that are gone\n| .id`,
  ],
  ["a mistake", `{a: ${"1 + ".repeat(40)}`, `{a: ${"1 + ".repeat(40)}`],
];

test.each(rows)("%s", (_, program, laidOut) => {
  expect(layOut(program)).toBe(laidOut);
});
