import { docsOf, ruleById } from "@configc/compiler";
import type { Explanation } from "./protocol.ts";

/** What a rule says, as its page does. */
export function explain(id: string): Explanation | undefined {
  const rule = ruleById(id);
  if (rule === undefined) return undefined;
  const { severity, summary, why, examples } = rule;
  const [{ bad, good }] = examples;
  return { rule: id, severity, summary, why, bad, good, docs: docsOf(id) };
}
