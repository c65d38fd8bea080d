import { compile } from "@configc/compiler";
import { exampleDocument, setAt } from "../rule-examples.ts";
import { baseWorld } from "./bases.ts";

export type Template = "inbound-webhook" | "inbound-polling" | "outbound" | "historical-sync";

/** What is found in a template with changes, by their JSON Pointers: the rule and the text that it marks. */
export function allFindings(
  template: Template,
  changes: Readonly<Record<string, unknown>>,
): readonly { readonly rule: string; readonly marked: string; readonly message: string }[] {
  const name = { in: template, at: "/api/base_url", bad: "", good: "" } as const;
  let { text } = exampleDocument(name, '"https://api.example.com/v1"');
  for (const [pointer, json] of Object.entries(changes)) text = setAt(text, pointer, JSON.stringify(json));
  const { diagnostics } = compile(text, { uri: "x.app.json", samples: { world: baseWorld } });
  return diagnostics.map(({ finding, span }) => ({
    rule: finding.rule.id,
    message: finding.rule.message(finding.args),
    marked: text.slice(span.start, span.end).replaceAll('\\"', '"').replaceAll("\\\\", "\\"),
  }));
}

/** What one rule marks there. */
export const findings = (
  rule: string,
  template: Template,
  changes: Readonly<Record<string, unknown>>,
): string[] => allFindings(template, changes).flatMap((found) => (found.rule === rule ? [found.marked] : []));

/** What a rule marks in a program that is the source of the template with a webhook. */
export const inSource = (
  rule: string,
  program: string,
  more: Readonly<Record<string, unknown>> = {},
): string[] =>
  findings(rule, "inbound-webhook", {
    ...more,
    "/workflows/0/data_pipeline/source": { "!jq": program },
  });

/** What a rule marks in the template with polling where the intake has these commands. */
export const inPolling = (rule: string, commands: Readonly<Record<string, unknown>>): string[] =>
  findings(
    rule,
    "inbound-polling",
    Object.fromEntries(Object.entries(commands).map(([name, json]) => [`/data_intake/0/${name}`, json])),
  );
