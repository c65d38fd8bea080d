import { readFileSync } from "node:fs";
import { parseDocument } from "@configc/compiler/internal";
import { describe, expect, test } from "vitest";

/** D2 where there are no lines to go by: one slip in a minified document is one finding, at its place. */

const text = (name: string) =>
  JSON.stringify(
    JSON.parse(readFileSync(new URL(`../../cli/templates/${name}.app.json`, import.meta.url), "utf8")),
  );
/** Long enough that nobody would write it by hand. */
const minified = `{"first":${text("historical-sync")},"second":${text("outbound")}}`;

/** Offsets of the quotes around strings. */
function quotesOf(source: string): number[] {
  return [...source.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(({ 0: string, index }) => [
    index,
    index + string.length - 1,
  ]);
}

function problemsOf(source: string) {
  return parseDocument(source, "a.app.json").problems.map(({ kind, span }) => ({ kind, span }));
}

const quotes = quotesOf(minified);
const without = (at: number) => minified.slice(0, at) + minified.slice(at + 1);

describe("a quote that is missing", () => {
  test.each([0, 1])("of each %s", (side) => {
    const places = quotes.filter((_, index) => index % 2 === side);
    const wrong = places.filter((at, index) => {
      if (index % 24 !== 0) return false;
      const [problem, ...others] = problemsOf(without(at));
      const near = problem !== undefined && problem.span.start <= at && at <= problem.span.end;
      return others.length > 0 || !near || !/^un(opened|closed)-string$/.test(problem.kind);
    });
    expect(wrong.map((at) => minified.slice(at - 20, at + 20))).toEqual([]);
  });

  test("and the next one some words behind", () => {
    const [a, b] = [minified.indexOf('"client_id"'), minified.indexOf('"scopes"')];
    const source = `${minified.slice(0, a)}${minified.slice(a + 1, b)}${minified.slice(b + 1)}`;
    expect(problemsOf(source).map(({ kind }) => kind)).toEqual(["unopened-string", "unopened-string"]);
  });
});

test.each([
  ["one too many behind a string", (at: number) => `${minified.slice(0, at)}"${minified.slice(at)}`],
  ["a word in quotes", (at: number) => `${minified.slice(0, at)} "so called" ones${minified.slice(at)}`],
])("%s is one mistake", (_, broken) => {
  const ends = [...minified.matchAll(/"label":"[^"]*"/g)].map(
    ({ 0: member, index }) => index + member.length - 1,
  );
  expect(ends.length).toBeGreaterThan(5);
  for (const at of ends) expect(problemsOf(broken(at))).toHaveLength(1);
});

test.each([
  ["quotes", '"'.repeat(50_000)],
  ["names without quotes", `{${"a,".repeat(3_000)}`],
  ["a slip behind a long string", `{"a":"${"x,".repeat(500_000)}", b":1}`],
  ["lists in objects that nothing closes", '{"a":['.repeat(20_000)],
  [
    "lists of lists, one bracket too few",
    `{"a":${"[".repeat(400)}${"[1],".repeat(20_000)}${"]".repeat(400)}}`,
  ],
  ["members, one bracket too many", `{"a":{"b":{${'"x":{"y":[1,{"z":2}]},'.repeat(4_000)}"w":1}}}}`],
  ["a slip in each member", `{${'"path:"x",'.repeat(5_000)}}`],
])("a long line of %s ends", (_, source) => {
  const before = process.cpuUsage();
  expect(problemsOf(source).length).toBeGreaterThan(0);
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(10);
});
