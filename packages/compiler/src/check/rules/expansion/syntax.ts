import type { Expansion } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import { defineRule, type Edit, type FixContext } from "../../../findings/rule.ts";
import { isRootName } from "../../../language/expansion-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { ExpansionProblem, ExpansionProblemKind } from "../../../parse/template.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { spellsUnreferableField } from "./uses.ts";

const unclosed = defineRule<{ opener: string; closer: string; wrongCloser: boolean }>({
  id: "expansion/unclosed",
  severity: "error",
  summary: "An expansion isn't closed",
  why: "`${` always opens an expansion. Without its `}` the platform can't tell where the path ends, and the command fails. To write a literal `${`, use `$${`.",
  guards: ["D6"],
  message: ({ opener, closer, wrongCloser }) =>
    wrongCloser
      ? `\`${opener}\` must be closed by \`${closer}\`, not by \`${closer === "}" ? ">" : "}"}\`.`
      : `This expansion has no closing \`${closer}\`.`,
  help: ({ opener }) => (opener === "${" ? "To write a literal `${`, use `$${`." : undefined),
  examples: [
    {
      title: "D6: points at the opener",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/«${»data.workflow.hook_id"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: the opener decides the closer",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/«${»data.workflow.hook_id>"',
      good: '"/hooks/$<data.workflow.hook_id>"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: before another expansion, which is checked as usual",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/«$<»data.workflow.hook_id/${data.workflow.hook_id}"',
      good: '"/hooks/$<data.workflow.hook_id>/${data.workflow.hook_id}"',
      fixed: '"/hooks/$<data.workflow.hook_id>/${data.workflow.hook_id}"',
    },
  ],
  fixes: (finding, context) => {
    const edit = closingEdit(finding.at as StringPart, finding.args, context);
    return edit === undefined
      ? []
      : [{ title: `Close it with \`${finding.args.closer}\``, safe: false, edits: [edit] }];
  },
});

type Hint = "colon" | "brace" | "blank" | "argument" | "fallback";

const syntax = defineRule<{ kind: ExpansionProblemKind; found: string; hint: Hint | undefined }>({
  id: "expansion/syntax",
  severity: "error",
  summary: "An expansion can't be parsed",
  why: "An expansion is a path of names joined by dots, with `[0]` for items of a list, followed by filters: `${custom_data.form.value | default}`. The platform refuses anything else, or reads a different name.",
  guards: ["D6", "D7", "D14", "expansion.default"],
  message: ({ kind, found, hint }) => {
    if (hint === "fallback") return `\`${found}\` isn't how an expansion gives a default.`;
    switch (kind) {
      case "empty":
        return `\`${found}\` has no path.`;
      case "empty-segment":
        return `A name is missing before \`${found}\`.`;
      case "bad-index":
        return `\`${found}\` isn't an index. Brackets take a whole number, 0 or more.`;
      case "missing-filter":
        return "The name of a filter is missing after `|`.";
      case "opener-in-argument":
        return "The argument of a filter can't contain an expansion.";
      default:
        return hint === "blank"
          ? `A space ends the path of an expansion, so \`${found}\` can't follow it.`
          : `Unexpected \`${found}\` in an expansion.`;
    }
  },
  help: ({ kind, found, hint }) => {
    if (hint === "fallback")
      return "Write a default string as `| default:TEXT`. For any other value, use `//` in a `!jq`.";
    switch (kind) {
      case "empty":
        return "Write a path, such as `${custom_data.form.value}`. To write a literal `${`, use `$${`.";
      case "missing-filter":
        return "The only filter is `default`: `| default`, or `| default:TEXT`.";
      case "opener-in-argument":
        return "`| default:TEXT` gives TEXT literally. For any other value, use `//` in a `!jq`.";
      default:
        if (hint === "colon") return "Join names with `.`.";
        if (hint === "brace") return `An expansion has one \`${found}\`, not two.`;
        if (hint === "argument") return "The argument of a filter follows a colon: `| default:TEXT`.";
        return undefined;
    }
  },
  examples: [
    {
      title: "D6: empty",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/«${}»"',
      good: '"/hooks/$${}"',
    },
    {
      title: "D6: an empty segment",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${data.workflow.«.»hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: a single colon",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${data.workflow«:»hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: a blank in the path",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${data.workflow.hook «i»d}"',
      good: '"/hooks/${ data.workflow.hook_id }"',
    },
    {
      title: "D14: a fractional index",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '"${piped_content«[0.5]»}"',
      good: '"${piped_content[0]}"',
    },
    {
      title: "D7: no filter after the bar",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${custom_data.note.value «|»}"',
      good: '"${custom_data.note.value | default}"',
      fixed: '"${custom_data.note.value | default}"',
    },
    {
      title: "D7: a fallback of another language",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: "\"${custom_data.note.value «|| 'none'»}\"",
      good: '"${custom_data.note.value | default:none}"',
      fixed: '"${custom_data.note.value | default:none}"',
    },
    {
      title: "D7: an argument without its colon",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${custom_data.note.value | default «n»one}"',
      good: '"${custom_data.note.value | default:none}"',
      fixed: '"${custom_data.note.value | default:none}"',
    },
    {
      title: "D7: an opener inside the argument",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${custom_data.note.value | default:«${»custom_data.list.value}}"',
      good: '"${custom_data.note.value | default:none}"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const { node, from, to } = at as StringPart;
    const fix = (title: string, start: number, end: number, text: string) => [
      { title, safe: false, edits: [replaceInString(document, node, start, end, text)] },
    ];
    if (args.hint === "fallback") {
      const text = FALLBACK.exec(node.value.slice(from, to))![2]!;
      // Another value isn't a text.
      if (isRootName(text.split(".")[0])) return [];
      const filter = text === "" ? "| default" : `| default:${text}`;
      return fix(`Change to \`${filter}\``, from, to, filter);
    }
    if (args.kind === "missing-filter") return fix("Add `default`", from, to, "| default");
    if (args.kind === "empty-segment" && args.found === ".")
      return fix("Remove the second dot", from, to, "");
    if (args.hint === "colon") return fix("Change to `.`", from, to, ".");
    if (args.hint === "brace") return fix("Remove the second brace", from, to, "");
    if (args.hint === "argument")
      return fix("Add a colon before it", blanksBefore(node.value, from), from, ":");
    return [];
  },
});

const module: RuleModule = {
  rules: [unclosed, syntax],
  checks: {
    template({ node, expansions }, report) {
      // After the first that isn't closed, others that aren't are as likely its consequence; and a string may have very many.
      let isOpen = false;
      for (const expansion of expansions) {
        if (expansion.syntax.problem === undefined || (isOpen && isUnclosed(expansion))) continue;
        isOpen ||= isUnclosed(expansion);
        checkOne(node, expansion, expansion.syntax.problem, report);
      }
    },
  },
};
export default module;

/** `|| 'none'` and the like, up to the closer. */
const FALLBACK = /^(?:\|\||\?\?|\/\/)\s*(["']?)([^"'|{}<>]*?)\1(?=\s*[}>]|$)/;

function isUnclosed({ syntax: { problem } }: Expansion): boolean {
  return problem?.kind === "unclosed";
}

function checkOne(node: StringNode, expansion: Expansion, problem: ExpansionProblem, report: Report): void {
  const { opener } = expansion.syntax;
  if (spellsUnreferableField(expansion) !== undefined) return;
  if (problem.kind === "unclosed") {
    const closer = opener === "${" ? "}" : ">";
    const wrongCloser = node.value.charAt(afterPath(expansion)) === (closer === "}" ? ">" : "}");
    report(unclosed, { node, from: problem.start, to: problem.end }, { opener, closer, wrongCloser });
    return;
  }
  const from = problem.start;
  const fallback = FALLBACK.exec(node.value.slice(from))?.[0];
  const to = fallback === undefined ? endOf(problem, node.value) : from + fallback.length;
  const found = excerpt(node.value.slice(from, to), 30);
  const hint = fallback === undefined ? hintOf(expansion, problem) : "fallback";
  report(syntax, { node, from, to }, { kind: problem.kind, found, hint });
}

/** The whole of an index in brackets, and the whole of a character outside the basic plane. */
function endOf({ kind, start, end }: ExpansionProblem, text: string): number {
  if (kind === "bad-index") {
    const length = /^\[[^\]{}<>$]*\]/.exec(text.slice(start))?.[0].length;
    return length === undefined ? end : start + length;
  }
  if (kind === "unexpected-character") return start + (text.codePointAt(start)! > 0xffff ? 2 : 1);
  return end;
}

function hintOf(
  { node, syntax: { filters, opener, path } }: Expansion,
  { kind, start }: ExpansionProblem,
): Hint | undefined {
  if (kind !== "unexpected-character") return undefined;
  const found = node.value.charAt(start);
  if (found === ":" && filters.length === 0) return "colon";
  if (found === opener.charAt(1) && path.length === 0) return "brace";
  if (!/\s/.test(node.value.charAt(start - 1))) return undefined;
  if (filters.length > 0) return filters.at(-1)?.argument === undefined ? "argument" : undefined;
  return path.length > 0 ? "blank" : undefined;
}

/** Where the closer should have been: behind the path and its filters, and blanks. */
function afterPath({ node, syntax: { path, filters, start } }: Expansion): number {
  let at = filters.at(-1)?.end ?? path.at(-1)?.end ?? start + 2;
  while (/\s/.test(node.value.charAt(at))) at++;
  return at;
}

/** Expansions by their string and offset: a string may have very many. */
const expansionsAt = derived((model) => {
  const found = new Map<StringNode, Map<number, Expansion>>();
  for (const expansion of model.expansions) {
    const inString = found.get(expansion.node);
    if (inString === undefined) found.set(expansion.node, new Map([[expansion.syntax.start, expansion]]));
    else inString.set(expansion.syntax.start, expansion);
  }
  return found;
});

function closingEdit(
  { node, from }: StringPart,
  { closer, wrongCloser }: { closer: string; wrongCloser: boolean },
  { document, model }: FixContext,
): Edit | undefined {
  const expansion = expansionsAt(model).get(node)?.get(from);
  const last = expansion?.syntax.path.at(-1);
  if (expansion === undefined || last === undefined) return undefined;
  if (wrongCloser) {
    const at = afterPath(expansion);
    return replaceInString(document, node, at, at + 1, closer);
  }
  const { filters } = expansion.syntax;
  // A slash can stand in a name, but in a URL it rather begins what follows the expansion.
  const slash = expansion.position === "value" || filters.length > 0 ? -1 : last.text.search(/[/?&]/);
  const at = slash > 0 ? last.start + slash : (filters.at(-1)?.end ?? last.end);
  return replaceInString(document, node, at, at, closer);
}

function blanksBefore(text: string, offset: number): number {
  let at = offset;
  while (/\s/.test(text.charAt(at - 1))) at--;
  return at;
}
