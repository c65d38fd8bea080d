import { docsOf, rules } from "@configc/compiler";
import type { Arguments } from "../command-line/arguments.ts";
import { plural } from "../command-line/phrases.ts";
import { pageOf } from "../rule-pages.ts";
import { hasColour, print } from "../terminal/output.ts";
import { inlineCode, levelColour, styleOf } from "../terminal/style.ts";

export function run(args: Arguments): number {
  print(args.value("format") === "json" ? asJson() : asTable());
  return 0;
}

function asJson(): string {
  const listed = rules.map((rule) => ({
    id: rule.id,
    severity: rule.severity,
    core: rule.core,
    summary: pageOf(rule).summary,
    hasFix: rule.fixes !== undefined,
    docs: docsOf(rule.id),
  }));
  return `${JSON.stringify(listed, null, 2)}\n`;
}

function asTable(): string {
  const style = styleOf(hasColour(process.stdout));
  const idWidth = Math.max(...rules.map(({ id }) => id.length));
  const rows = rules.map((rule) => {
    const { id, severity, fixes } = rule;
    const { summary } = pageOf(rule);
    const fix = fixes === undefined ? "   " : style.dim("fix");
    return `${id.padEnd(idWidth)}  ${levelColour(style, severity)(severity.padEnd(7))}  ${fix}  ${inlineCode(style, summary)}`;
  });
  return `${rows.join("\n")}\n\n${plural(rows.length, "rule")}; “configc explain RULE” tells more about one.\n`;
}
