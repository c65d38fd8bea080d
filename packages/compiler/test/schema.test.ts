import { readFileSync } from "node:fs";
import { defaultSettings, exportSchema, type JsonNode } from "@configc/compiler";
import { parseDocument, toJson } from "@configc/compiler/internal";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { bind } from "../src/bind/binder.ts";
import { validConfigs } from "./support/configs.ts";

/**
 * The exported JSON Schema and the binder's walk say the same about structure: on every example and template, and on every
 * document that comes from one of them by taking out, renaming or replacing one value.
 */

const validate = new Ajv({ strict: false, allErrors: false }).compile(exportSchema());

/** What a schema can't say: levels below error, and what only one side knows by design. */
const beyondSchema = new Set(["command-in-data"]);

function walkerFinds(text: string): string[] {
  return bind(parseDocument(text, "x.app.jsonc"), defaultSettings)
    .structure.filter((problem) => !beyondSchema.has(problem.kind))
    .filter((problem) => !(problem.kind === "missing-member" && problem.member.tolerated !== undefined))
    .filter((problem) => !(problem.kind === "unknown-value" && problem.openEnded))
    .map((problem) => problem.kind);
}

test("the schema itself is valid draft-07 and finds nothing in the examples", () => {
  for (const { path, text } of validConfigs()) {
    validate(toJson(parseDocument(text, path).root!));
    expect(validate.errors ?? [], path).toEqual([]);
  }
});

/** Valid documents that use what no example does. */
const fixtures = [
  "documents-poll/input.app.jsonc",
  "issue-tracker/input.app.jsonc",
  "custom-objects/input.app.json",
];

test.each(fixtures)("schema and walker accept %s", (path) => {
  const text = readFileSync(new URL(`../../../test/fixtures/${path}`, import.meta.url), "utf8");
  validate(toJson(parseDocument(text, path).root!));
  expect(validate.errors ?? []).toEqual([]);
  expect(walkerFinds(text)).toEqual([]);
});

/** Every how manieth change is tried: all of the templates, and a sample of the examples, which are ten times as many. */
const step = (path: string) => (path.includes("templates") ? 1 : 7);

describe.each(validConfigs())("$path", ({ path, text }) => {
  test("schema and walker agree on every single change", () => {
    const disagreements: string[] = [];
    let changes = 0;
    for (const { what, changed } of variants(text)) {
      if (changes++ % step(path) !== 0) continue;
      const walker = walkerFinds(changed);
      const schema = validate(toJson(parseDocument(changed, "x.app.jsonc").root!)) as boolean;
      if (schema !== (walker.length === 0))
        disagreements.push(
          `${what}: schema ${schema ? "accepts" : "refuses"}, walker says ${walker.join(", ") || "fine"}`,
        );
    }
    expect(changes).toBeGreaterThan(100);
    expect(disagreements.slice(0, 10)).toEqual([]);
  });
});

/** Each value replaced by each other kind of value, and each member renamed. */
function* variants(text: string): Generator<{ what: string; changed: string }> {
  const document = parseDocument(text, "x.app.jsonc");
  const pending: JsonNode[] = [document.root!];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { start, end } = node;
    const source = text.slice(start, Math.min(end, start + 40));
    for (const other of ["null", "1", '"x"', "{}", "[]", "true"]) {
      yield { what: `${source} → ${other}`, changed: text.slice(0, start) + other + text.slice(end) };
    }
    if (node.kind === "array") pending.push(...node.items);
    if (node.kind !== "object") continue;
    for (const { key, value } of node.members) {
      if (value !== undefined) pending.push(value);
      yield {
        what: `${key.value} renamed`,
        changed: `${text.slice(0, key.start)}"zzzzzz"${text.slice(key.end)}`,
      };
    }
  }
}
