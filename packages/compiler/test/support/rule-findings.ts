import { compile } from "@configc/compiler";
import { exampleDocument, setAt } from "../rule-examples.ts";
import { baseWorld } from "./bases.ts";

export type Template = "inbound-webhook" | "inbound-polling" | "outbound" | "historical-sync";

/** What a rule marks in a template with changes, by their JSON Pointers. */
export function findings(
  rule: string,
  template: Template,
  changes: Readonly<Record<string, unknown>>,
): string[] {
  const name = { in: template, at: "/api/base_url", bad: "", good: "" } as const;
  let { text } = exampleDocument(name, '"https://api.example.com/v1"');
  for (const [pointer, json] of Object.entries(changes)) text = setAt(text, pointer, JSON.stringify(json));
  const { diagnostics } = compile(text, { uri: "x.app.json", samples: { world: baseWorld } });
  return diagnostics.flatMap(({ finding, span }) =>
    finding.rule.id === rule
      ? [text.slice(span.start, span.end).replaceAll('\\"', '"').replaceAll("\\\\", "\\")]
      : [],
  );
}

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
