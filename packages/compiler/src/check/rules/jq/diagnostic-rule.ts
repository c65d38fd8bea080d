import { type DiagnosticArguments, type JqDiagnosticCode, type JqFix, messageOf } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import {
  type Args,
  defineRule,
  type Finding,
  type Fix,
  type Related,
  type Rule,
} from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";

/** Each finding of `@configc/jq` is a rule; that a builtin isn't implemented here is no mistake of the author. */
export type ReportedCode = Exclude<JqDiagnosticCode, "not-implemented" | "module-problem">;

type JqRule<Code extends ReportedCode> = Rule<DiagnosticArguments[Code]>;
type Page<Code extends ReportedCode> = Pick<JqRule<Code>, "summary" | "why" | "guards" | "help" | "examples">;

/** The rule `jq/CODE`: text and repairs come from `@configc/jq`, the page from here. */
export function jqRule<Code extends ReportedCode>(code: Code, page: Page<Code>): JqRule<Code> {
  return defineRule<DiagnosticArguments[Code]>({
    ...page,
    id: `jq/${code}`,
    severity: "error",
    message: (args) => quoteLeadingName(messageOf(code, args)),
    fixes: (finding, { document, model }) => {
      const { node } = finding.at as StringPart;
      return repairs(finding, model).map(
        (repair): Fix => ({
          ...repair,
          edits: repair.edits.map(({ start, end, newText }) =>
            replaceInString(document, node, start, end, newText),
          ),
        }),
      );
    },
  });
}

/** The module of some of these rules; each code is paired with the rule that takes its arguments. */
export function jqModule(rules: { readonly [Code in ReportedCode]?: JqRule<Code> }): RuleModule {
  const byCode = new Map(Object.entries(rules)) as ReadonlyMap<string, Rule<Args>>;
  return {
    rules: [...byCode.values()],
    checks: {
      program(program, report) {
        if (program.diagnostics.length === 0 || isReportedElsewhere(program)) return;
        for (const { code, args, start, end, related = [] } of program.diagnostics) {
          const rule = byCode.get(code);
          if (rule === undefined) continue;
          const { node } = program;
          const places = related.map(
            (place): Related => ({
              message: place.role === "opener" ? "opened here" : "also used here",
              at: { node, from: place.start, to: place.end },
            }),
          );
          report(rule, { node, from: start, to: end }, args, places);
        }
      },
    },
  };
}

/**
 * Whether the program's mistakes follow from another finding: an empty text, or an expansion without its closer, which takes the
 * rest of the program with it.
 */
function isReportedElsewhere({ node, holes }: JqProgram): boolean {
  return node.value === "" || holes.some(({ syntax }) => syntax.problem?.kind === "unclosed");
}

function repairs({ rule, at }: Finding, model: Model): readonly JqFix[] {
  const { node, from, to } = at as StringPart;
  const program = model.programs.find((candidate) => candidate.node === node);
  const found = program?.diagnostics.find(
    ({ code, start, end }) => rule.id === `jq/${code}` && start === from && end === to,
  );
  if (program === undefined || found === undefined) return [];
  if (found.code === "unclosed") return [closing(found.args.closer, from)];
  if (found.code === "invalid-escape" && found.args.problem === "unknown") return [doubling(from)];
  if (found.code === "syntax" && found.fixes === undefined) return repairedSyntax(node.value, from, to);
  const fixes = found.fixes ?? [];
  if (found.code !== "unknown-function" || !readsResponse(program)) return fixes;
  const member = (fix: JqFix): boolean => fix.edits[0]?.newText === `.${found.args.name}`;
  return [...fixes.filter(member), ...fixes.filter((fix) => !member(fix))];
}

/** In a pagination parser a bare word is the member of the response that it names (D22). */
function readsResponse({ command, tree }: JqProgram): boolean {
  return command.place.input === "response" && tree.body.kind === "Call";
}

/** @param closer between quotation marks, as messages have it */
function closing(closer: string, at: number): JqFix {
  const text = closer.replace(/^“|”$/g, "");
  const newText = /^\w/.test(text) ? ` ${text}` : text;
  return { title: `Add \`${text}\``, safe: false, edits: [{ start: at, end: at, newText }] };
}

/** What other languages write, and a bracket too many. */
function repairedSyntax(text: string, from: number, to: number): readonly JqFix[] {
  const found = text.slice(from, to);
  const replaced = (start: number, newText: string): JqFix => ({
    title: newText === "" ? `Remove the \`${found}\`` : `Write \`${newText}\``,
    safe: false,
    edits: [{ start, end: to, newText }],
  });
  if (found === "&&") return [replaced(from, "and")];
  if (found === "||") return [replaced(from, "or")];
  if (found === "|" && text.charAt(from - 1) === "|") return [replaced(from - 1, "or")];
  if (/^'[^'"\\]*'$/.test(found)) return [replaced(from, `"${found.slice(1, -1)}"`)];
  return /^[)\]}]$/.test(found) ? [replaced(from, "")] : [];
}

/** `"\d"` where `"\\d"` was meant: the backslash of a regular expression. */
function doubling(at: number): JqFix {
  return { title: "Double the backslash", safe: false, edits: [{ start: at, end: at, newText: "\\" }] };
}

/** A message begins with a capital or a quoted name; those of `@configc/jq` may begin with a function's bare name. */
function quoteLeadingName(message: string): string {
  return message.replace(/^[a-z_][\w:]*/, (name) => `\`${name}\``);
}
