import type { RuleModule } from "../../checks.ts";
import brackets from "./brackets.ts";
import document from "./document.ts";
import duplicateMember from "./duplicate-member.ts";
import foreignText from "./foreign-text.ts";
import notJson from "./not-json.ts";
import separators from "./separators.ts";
import strings from "./strings.ts";
import tokens from "./tokens.ts";

export const syntaxRules: readonly RuleModule[] = [
  brackets,
  document,
  duplicateMember,
  foreignText,
  notJson,
  separators,
  strings,
  tokens,
];
