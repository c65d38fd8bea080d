import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { type PartReport, simulate } from "../src/index.ts";

const right = readFileSync(new URL("polling/right.app.json", import.meta.url), "utf8");

async function partOf(...edits: readonly (readonly [from: string, to: string])[]): Promise<PartReport> {
  const text = edits.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replace(from, () => to);
  }, right);
  const { parts } = await simulate(compile(text).app, { seeds: 20, days: 0 });
  return parts[0]!;
}

function verdict({ hypotheses }: PartReport, topic: string, told: string) {
  const found = hypotheses.find((each) => each.topic === topic && each.told === told);
  expect(found, `${topic}: ${told}`).toBeDefined();
  return found!;
}

/** A further field of the form. */
const withField = (field: string): readonly [string, string] => [
  '"form_fields": [',
  `"form_fields": [${field},`,
];

describe("each hypothesis has its own verdict", () => {
  test("where an app is right, nothing broke because of any", async () => {
    const { hypotheses } = await partOf();
    expect(hypotheses.length).toBeGreaterThan(20);
    for (const { broken, worlds } of hypotheses) {
      expect(broken).toEqual([]);
      expect(worlds).toBeGreaterThan(0);
    }
  });

  test("pages by number are lost of a live list only", async () => {
    const part = await partOf(
      ["cursor: null, since", "cursor: 1, since"],
      ["if ${polling_state.cursor} == null then", "if ${polling_state.cursor} == 1 then"],
      ['"cursor": "${polling_state.cursor}"', '"page": "${polling_state.cursor}"'],
      [
        "iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor, since: (if .next_cursor == null then",
        "iterate: .has_more, polling_state: {cursor: (if .has_more then ${polling_state.cursor} + 1 else 1 end), since: (if .has_more | not then",
      ],
    );
    const live = verdict(part, "pages that change meanwhile", "live");
    expect(live.broken[0]!.law).toBe("everything-arrives");
    expect(live.broken[0]!.worlds).toBeLessThanOrEqual(live.worlds);
    const frozen = verdict(part, "pages that change meanwhile", "frozen");
    expect(frozen.broken).toEqual([]);
    expect(frozen.worlds).toBeGreaterThan(0);
  });

  test("an optional field that a program can't do without", async () => {
    const note = '{"id": "note", "label": "Note", "type": "text", "required": false}';
    const part = await partOf(withField(note), [
      "city: .address.city",
      "city: (.address.city + ${custom_data.note.value})",
    ]);
    expect(verdict(part, "the form", "no note").broken).toMatchObject([{ law: "runs-succeed" }]);
    expect(verdict(part, "the form", "as a customer fills it in").broken).toEqual([]);
    const careful = await partOf(withField(note), [
      "city: .address.city",
      'city: (.address.city + ${custom_data.note.value | default: \\"\\"})',
    ]);
    expect(verdict(careful, "the form", "no note").broken).toEqual([]);
  });

  test("a static option that leads to a program which fails", async () => {
    const kinds =
      '{"id": "kind", "label": "Kind", "type": "dropdown", "required": true, "options": [{"value": "all", "display": "All"}, {"value": "old", "display": "Old"}]}';
    const part = await partOf(withField(kinds), [
      "city: .address.city",
      'city: (if ${custom_data.kind.value} == \\"old\\" then (1 | ltrimstr(\\"x\\") | .a) else .address.city end)',
    ]);
    expect(part.notTried.join()).toContain("a form with kind: Old: whether items pass the pipeline");
  });
});
