import { docsOf, type Rule, type Severity } from "@configc/compiler";
import { exampleTitle } from "../../packages/cli/src/verbs/example-title.ts";
import { code, list, page, table } from "./markdown.ts";
import { type Answer, answerTo, exampleBlocks } from "./rule-example.ts";

/** `docs/rules/<area>/<rule>.md`: what `configc explain` says, with what the compiler really answers to the examples. */
export function rulePage(rule: Rule): { path: string; text: string } {
  const answers = rule.examples.map((example) => answerTo(rule, example));
  const several = answers.length > 1;
  return {
    path: docsOf(rule.id),
    text: page(
      rule.id,
      `${rule.summary}.`,
      table(
        ["", ""],
        [
          ["Severity", rule.severity],
          ...(rule.core === undefined ? [] : [["Severity in `core`", rule.core]]),
          ["Fix", fixText(rule, answers)],
          ...(rule.concerns === undefined ? [] : [["Concerns", rule.concerns.join(", ")]]),
          ["Guards", rule.guards.map(guardLink).join(", ")],
        ],
      ),
      "## Why",
      rule.why,
      several ? "## Examples" : "## Example",
      ...answers.flatMap((answer, index) => [
        several ? `### ${exampleTitle(answer.example) || `Case ${index + 1}`}` : undefined,
        ...exampleBlocks(answer),
      ]),
      "## Silence it",
      silence(rule),
    ),
  };
}

/** The area of a rule: the first half of its id. */
export function areaOf(rule: Rule): string {
  return rule.id.slice(0, rule.id.indexOf("/"));
}

function guardLink(guard: string): string {
  return `[${guard}](../../coverage.md#${guardAnchor(guard)})`;
}

/** The anchor of a row in `docs/coverage.md`. */
export function guardAnchor(guard: string): string {
  return guard.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function fixText(rule: Rule, answers: readonly Answer[]): string {
  if (rule.fixes === undefined) return "none";
  const fixes = answers.flatMap(({ diagnostics }) =>
    diagnostics.flatMap((diagnostic) => diagnostic.fixes ?? []),
  );
  const kinds = new Set(fixes.map(({ safe }) => safe));
  if (kinds.size === 2) return "where it is safe, applied by `--fix`; else only offered";
  return kinds.has(true) ? "safe, applied by `--fix`" : "offered, but not certain: `--fix` leaves it to you";
}

function silence(rule: Rule): string {
  const inSettings = `everywhere: ${code(`"rules": { "${rule.id}": "off" }`)} in \`configc.config.json\``;
  const onCommandLine = `for one run: ${code(`configc ${rule.concerns === undefined ? "check" : "breaking"} --rule ${rule.id}=off`)}`;
  if (areaOf(rule) === "suppression") {
    return `It is about suppressions, so no suppression silences it.\n\n${list([inSettings, onCommandLine])}`;
  }
  const here = `in one object and all below: ${code(`"_comment": "configc-ignore ${rule.id}: REASON"`)}`;
  const levels: readonly Severity[] = ["error", "warning", "info", "hint"];
  const other = levels.filter((level) => level !== rule.severity).map(code);
  return `${list([here, inSettings, onCommandLine])}\n\nInstead of \`off\`, a level of your own: ${other.join(", ")}. See [suppressing](../../suppressing.md).`;
}
