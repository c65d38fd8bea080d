import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { findNode, readSamples } from "@configc/compiler/internal";
import { describe, expect, test } from "vitest";
import { setAt } from "../rule-examples.ts";
import { baseFile } from "../support/bases.ts";

/**
 * Where a contract is violated, and that many ways of writing what is right aren't: programs in `contracts/*.txt`, below the
 * template and the place where they stand (`design.md`, "Where findings point").
 */

const items = [
  { id: 1, name: "A", tags: ["x"], at: null },
  { id: 2, name: "B", tags: [] },
];
const dictionary = { "2024-01-01": "Alpha", "2024-01-02": "Beta" };
const read = readSamples("sample.json", {
  request: { path: "/sampled" },
  response: { body: { items, m: dictionary, n: "5", s: "a,b", total: 12 } },
});
if ("problem" in read) throw new Error(read.problem);
const samples = { responses: read.samples, payloads: read.payloads, documents: [] };

interface Case {
  readonly template: string;
  readonly at: string;
  /** With its marks. */
  readonly program: string;
}

function casesOf(name: string): Case[] {
  const found: Case[] = [];
  let [template = "", at = ""] = ["", ""];
  for (const line of readFileSync(new URL(`contracts/${name}.txt`, import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("## ")) [template = "", at = ""] = line.slice(3).split(" ");
    else if (line !== "" && !line.startsWith("# ")) found.push({ template, at, program: line });
  }
  return found;
}

/** The program with marks where errors and warnings about contracts, and other rules' ids, are. */
function marked({ template, at, program }: Case, path: string): string {
  const source = program.replaceAll(/[«»]/g, "");
  const text = setAt(
    readFileSync(baseFile(template), "utf8"),
    at,
    JSON.stringify({ "!pipe": [{ "!http": { path } }, { "!jq": source }] }),
  );
  const { model, diagnostics } = compile(text, { uri: "test.app.json", samples });
  const place = findNode(model, `${at}/!pipe/1/!jq`);
  if (!("node" in place)) throw new Error(`nothing is at ${at}`);
  const marks: [number, string][] = [];
  for (const { finding, severity } of diagnostics) {
    if (severity !== "error" && severity !== "warning") continue;
    if (!("from" in finding.at) || finding.at.node !== place.node) continue;
    // Their states are constants, so that only the contracts count.
    if (["polling/same-request", "polling/constant-iterate", "polling/idle-key"].includes(finding.rule.id))
      continue;
    if (!finding.rule.id.startsWith("contract/")) return finding.rule.id;
    marks.push([finding.at.from, "«"], [finding.at.to, "»"]);
  }
  let result = source;
  for (const [offset, mark] of marks.sort(([a], [b]) => b - a))
    result = result.slice(0, offset) + mark + result.slice(offset);
  return result;
}

describe("what is right in an unusual form", () => {
  const cases = casesOf("right");
  test.each(["/sampled", "/unknown"])("where the response is %s", (path) => {
    expect(cases.map((each) => marked(each, path))).toEqual(cases.map(({ program }) => program));
  });
});

test("the smallest expression that makes what is wrong", () => {
  const cases = casesOf("wrong");
  expect(cases.map((each) => marked(each, "/sampled"))).toEqual(cases.map(({ program }) => program));
});
