import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Completion, compile, completionsAt, recompile } from "../../src/index.ts";
import { missingMembers, withoutPlaces } from "../../src/internal.ts";

/**
 * Whatever completion writes is right as it stands: each entry, at every 60th place of real documents, is taken as it is, and
 * the result compiled. What a new member or command means for others isn't its own mistake: the exceptions below.
 */
const template = (name: string) =>
  readFileSync(new URL(`../../../cli/templates/${name}.app.json`, import.meta.url), "utf8");
const STEP = 60;
/** Of the many functions of jq, at each place other ones. */
const FUNCTIONS = 40;

/** Rules that speak of what something means for the rest of the document. */
const ofTheRest = [
  // What a pipe gives in the end, or a program of a step, depends on what it is for.
  /^contract\//,
  /^jq\/(input-type|argument-type|cannot-index)$/,
  // Examples name a field, a group or an intake that a document of its own may not have.
  /^expansion\/unknown-field$|^mapping\/unknown-default-group$|^reference\/unknown-intake$/,
  // A state that others read, and a second one of a kind that there can be one of.
  /^polling\/dropped-key$|^setup\/repeated-import-option$/,
];

function taken(
  text: string,
  { replace, snippet, before }: Completion,
): { after: string; start: number; end: number } {
  const comma = before === undefined ? "" : ",";
  const head =
    text.slice(0, before?.start ?? replace.start) +
    comma +
    text.slice(before?.start ?? replace.start, replace.start);
  const written = withoutPlaces(snippet);
  return {
    after: head + written + text.slice(replace.end),
    start: head.length,
    end: head.length + written.length,
  };
}

describe.each(["inbound-webhook", "inbound-polling", "historical-sync", "outbound"])("%s", (name) => {
  const text = template(name);
  const uri = `${name}.app.json`;
  let compiled = compile(text, { uri });
  const offered: { offset: number; item: Completion }[] = [];
  for (let offset = 0; offset <= text.length; offset += STEP) {
    for (const [index, item] of completionsAt(compiled.model, offset).entries()) {
      const isOthersTurn = item.kind === "function" && (index + offset / STEP) % FUNCTIONS !== 0;
      if (!isOthersTurn) offered.push({ offset, item });
    }
  }
  const isNew = ({ item: { replace } }: (typeof offered)[number]): boolean => replace.start === replace.end;

  test("what is put between other things gives no error", () => {
    const tried = offered.filter(isNew);
    expect(tried.length).toBeGreaterThan(20);
    for (const { offset, item } of tried) {
      // A value in front of a program, which a bar has to follow.
      if (item.kind === "function" && /^[{[.(]/.test(text.slice(offset))) continue;
      const { after, start, end } = taken(text, item);
      compiled = recompile(compiled, after, { uri });
      const found = compiled.diagnostics.filter(
        ({ severity, span }) => severity === "error" && span.start <= end && start <= span.end,
      );
      const rules = found.map(({ finding }) => finding.rule.id);
      expect(
        rules.filter((rule) => !ofTheRest.some((known) => known.test(rule))),
        `${item.label} at ${offset}: ${after.slice(start - 40, end + 20)}`,
      ).toEqual([]);
    }
  });

  test("what takes the place of a text leaves the JSON whole", () => {
    for (const { offset, item } of offered.filter((each) => !isNew(each)))
      expect(() => JSON.parse(taken(text, item).after), `${item.label} at ${offset}`).not.toThrow();
  });
});

test("whatever is missing is added with all that it requires", () => {
  let text = "{}";
  const { edit } = missingMembers(compile(text, { uri: "new.app.json" }).model)[0]!;
  text = text.slice(0, edit.start) + edit.newText + text.slice(edit.end);
  const rules = compile(text, { uri: "new.app.json" }).diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  expect(rules.map(({ finding }) => finding.rule.id)).toEqual([]);
});

test("nothing is offered within a comment, or where something else has its place", () => {
  const text = `{ // "au
    /* "api" */ "auth": { "a": { "type": "oauth2" } }, "api": {}
  }`;
  const { model } = compile(text, { uri: "new.app.jsonc" });
  const labels = (before: string) =>
    completionsAt(model, text.indexOf(before) + before.length).map(({ label }) => label);
  for (const before of ["{ /", '{ // "au', '/* "api', '"auth":', '"auth": ', "{}\n  }"])
    expect(
      labels(before).filter((label) => label !== "auth"),
      before,
    ).toEqual([]);
  expect(labels("*/ ")).toContain("workflows");
});
