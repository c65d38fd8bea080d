import { readFileSync } from "node:fs";
import type { Rule } from "@configc/compiler";

/** What the page of a rule shows, and no check. */
type RulePage = Pick<Rule, "summary" | "why" | "guards" | "examples">;

let built: Readonly<Record<string, RulePage>> | undefined;

/** The page of a rule. The build keeps all pages in one file beside the command, so that a check needn't load them. */
export function pageOf(rule: Rule): RulePage {
  if ("why" in rule) return rule;
  built ??= JSON.parse(readFileSync(new URL("rule-pages.json", import.meta.url), "utf8")) as NonNullable<
    typeof built
  >;
  return built[(rule as Rule).id]!;
}
