import {
  compile,
  docsOf,
  type RenderedDiagnostic,
  type Rule,
  type RuleExample,
  render,
  type Severity,
} from "@configc/compiler";
import { exampleDocument } from "../../packages/compiler/test/rule-examples.ts";
import { layOut } from "./layout.ts";
import { code, fence, list, page, quote, table } from "./markdown.ts";

/** `docs/rules/<area>/<rule>.md`: what `configc explain` says, with what the compiler really answers to the examples. */
export function rulePage(rule: Rule): { path: string; text: string } {
  const several = rule.examples.length > 1;
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
          ["Fix", fixText(rule)],
          ["Guards", rule.guards.map(guardLink).join(", ")],
        ],
      ),
      "## Why",
      rule.why,
      several ? "## Examples" : "## Example",
      ...rule.examples.flatMap((example, index) => [
        several ? `### ${title(example, index)}` : undefined,
        ...exampleBlocks(rule, example),
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

function title(example: RuleExample, index: number): string {
  const text = example.title ?? `Case ${index + 1}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function exampleBlocks(rule: Rule, example: RuleExample): (string | undefined)[] {
  const bad = layOut(isBytes(example) ? `${example.bad}«\\xE9»` : example.bad);
  return [
    `${where(example)}:`,
    fence("text", shortened(bad.underlined)),
    ...findings(rule, example).map(said),
    example.fixed === undefined || example.fixed === example.good
      ? undefined
      : `The fix makes it:\n\n${fence("json", layOut(example.fixed).text)}`,
    example.fixed !== undefined && example.fixed === example.good ? "The fix makes it right:" : "Right:",
    fence("json", shortened(layOut(example.good).text)),
  ];
}

function where(example: RuleExample): string {
  if (example.in === "document") return "Wrong, a whole document";
  const app = {
    "inbound-webhook": "an inbound app with a webhook",
    "inbound-polling": "an inbound app that polls",
  };
  const others = { "historical-sync": "an app with a historical sync", outbound: "an outbound app" };
  const changes = Object.entries(example.with ?? {}).map(([pointer, json]) =>
    json === undefined ? `without ${code(pointer)}` : `with ${code(pointer)} set to ${code(json)}`,
  );
  const also = changes.length === 0 ? "" : `, ${changes.join(", ")}`;
  return `Wrong, at ${code(example.at)} of ${{ ...app, ...others }[example.in]}${also}`;
}

/** An example of bytes that aren't UTF-8, which no text can hold: one is added to its text. */
function isBytes({ also }: RuleExample): boolean {
  return also?.includes("bytes") === true;
}

/** What the compiler says about the bad case. */
function findings(rule: Rule, example: RuleExample): RenderedDiagnostic[] {
  const { text, uri } = exampleDocument(example, example.bad);
  const source = isBytes(example) ? new Uint8Array([...text, "\xe9"].map((c) => c.charCodeAt(0))) : text;
  const { model, diagnostics } = compile(source, { uri });
  const own = diagnostics.filter(({ finding }) => finding.rule.id === rule.id);
  if (own.length === 0) throw new Error(`${rule.id}: the example ${code(example.bad)} gives no finding.`);
  return own.map((diagnostic) => render(model, diagnostic, { fixes: false }));
}

function said({ severity, message, help, related = [] }: RenderedDiagnostic): string {
  const lines = [`**${severity}**: ${message}`];
  if (help !== undefined) lines.push("", `**help**: ${help}`);
  if (related.length > 0) lines.push("", `**see also**: ${related.map((place) => place.message).join("; ")}`);
  return quote(lines.join("\n"));
}

function fixText(rule: Rule): string {
  if (rule.fixes === undefined) return "none";
  const kinds = new Set(rule.examples.flatMap((example) => fixKinds(rule, example)));
  if (kinds.size === 2) return "where it is safe, applied by `--fix`; else only offered";
  return kinds.has(true) ? "safe, applied by `--fix`" : "offered, but not certain: `--fix` leaves it to you";
}

function fixKinds(rule: Rule, example: RuleExample): boolean[] {
  const { text, uri } = exampleDocument(example, example.bad);
  const { model, diagnostics } = compile(text, { uri });
  return diagnostics
    .filter(({ finding }) => finding.rule.id === rule.id)
    .flatMap((diagnostic) => render(model, diagnostic, { fixes: true }).fixes ?? [])
    .map(({ safe }) => safe);
}

function silence(rule: Rule): string {
  const inSettings = `everywhere: ${code(`"rules": { "${rule.id}": "off" }`)} in \`configc.config.json\``;
  const onCommandLine = `for one run: ${code(`configc check --rule ${rule.id}=off`)}`;
  if (areaOf(rule) === "suppression") {
    return `It is about suppressions, so no suppression silences it.\n\n${list([inSettings, onCommandLine])}`;
  }
  const here = `in one object and all below: ${code(`"_comment": "configc-ignore ${rule.id}: REASON"`)}`;
  const levels: readonly Severity[] = ["error", "warning", "info", "hint"];
  const other = levels.filter((level) => level !== rule.severity).map(code);
  return `${list([here, inSettings, onCommandLine])}\n\nInstead of \`off\`, a level of your own: ${other.join(", ")}. See [suppressing](../../suppressing.md).`;
}

/** Some examples are about size or depth: nobody reads 500 brackets. */
function shortened(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length > 400 ? `${line.slice(0, 40)} … ${line.slice(-40)}` : line))
    .join("\n");
}
