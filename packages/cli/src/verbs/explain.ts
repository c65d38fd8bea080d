import { docsOf, type Rule, type RuleExample, ruleById } from "@configc/compiler";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { pageOf } from "../rule-pages.ts";
import { unknownRule } from "../settings/validate.ts";
import { hasColour, print } from "../terminal/output.ts";
import { inlineCode, levelColour, type Style, styleOf } from "../terminal/style.ts";
import { exampleTitle } from "./example-title.ts";
import whatHappens from "./what-happens.json" with { type: "json" };

export function run(args: Arguments): number {
  const id = args.operands[0]!;
  const rule = ruleById(id);
  if (rule === undefined) throw new UsageError(unknownRule(id));
  print(args.value("format") === "json" ? `${JSON.stringify(describe(rule), null, 2)}\n` : page(rule));
  return 0;
}

/** A rule as data: everything but its functions. */
function describe(rule: Rule): object {
  const { id, severity, core, concerns, fixes } = rule;
  const { summary, why, guards, ...shown } = pageOf(rule);
  const happens = happensIn(rule).map((lines) => lines.split("\n"));
  const examples = shown.examples.map((example, index) => ({ ...example, happens: happens[index] }));
  return {
    id,
    severity,
    core,
    concerns,
    summary,
    why,
    guards,
    examples,
    hasFix: fixes !== undefined,
    docs: docsOf(id),
  };
}

function page(rule: Rule): string {
  const style = styleOf(hasColour(process.stdout));
  const { id, severity, core, concerns } = rule;
  const { summary, why, guards, examples } = pageOf(rule);
  const verb = concerns === undefined ? "check" : "breaking";
  const level = levelColour(style, severity)(severity);
  const inCore = core === undefined ? "" : `, ${levelColour(style, core)(core)} with "language": "core"`;
  const sections = [
    `${style.bold(id)} (${level}${inCore})\n${inlineCode(style, summary)}.`,
    inlineCode(style, why),
    ...examples.map((example, index) => exampleText(example, happensIn(rule)[index], style)),
    ...(concerns === undefined ? [] : [`${style.bold("Concerns")}  ${concerns.join(", ")}`]),
    `${style.bold("Guards")}  ${guards.join(", ")} ${style.dim("(rows of docs/coverage.md)")}`,
    `${style.bold("Change its level")}  configc ${verb} --rule ${id}=off, or "rules": {"${id}": "off"} in configc.config.json`,
    ...(id.startsWith("suppression/")
      ? []
      : [`${style.bold("Silence one place")}  "_comment": "configc-ignore ${id}: the reason"`]),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** On which values or way each example goes wrong, as lines. */
function happensIn({ id }: Rule): readonly string[] {
  const told: Readonly<Record<string, string>> = whatHappens;
  return told[id]?.split("\n\n") ?? [];
}

function exampleText(example: RuleExample, happens: string | undefined, style: Style): string {
  const title = exampleTitle(example);
  const place = example.in === "document" ? "a whole document" : `at ${example.at}`;
  return [
    `${style.bold(title === "" ? "Example" : `Example: ${title}`)} ${style.dim(`(${place})`)}`,
    ...(example.published === undefined
      ? []
      : [`  ${style.dim("was")}    ${example.published.replaceAll("\n", "\n         ")}`]),
    `  ${style.red("wrong")}  ${marked(example.bad, style).replaceAll("\n", "\n         ")}`,
    ...(happens === undefined || happens === ""
      ? []
      : happens
          .split("\n")
          .map((line, index) => `  ${style.dim(index === 0 ? "so" : "  ")}     ${inlineCode(style, line)}`)),
    `  ${style.green("right")}  ${example.good.replaceAll("\n", "\n         ")}`,
  ].join("\n");
}

/** What the finding points at: in colour, or between its marks. */
function marked(bad: string, style: Style): string {
  return style.isColorSupported
    ? bad.replace(/«([^»]*)»/gs, (_, part: string) => style.red(style.underline(part)))
    : bad;
}
