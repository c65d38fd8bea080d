import { walk } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { JsonNode, StringNode } from "../../../parse/syntax-tree.ts";
import { type ExpansionSyntax, parseTemplate } from "../../../parse/template.ts";
import { changeInString } from "../../change-fix.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";

const lookalike = defineRule<{ text: string; expansion: string }>({
  id: "expansion/lookalike",
  severity: "warning",
  summary: "This looks like an expansion but isn't one",
  why: "Only `${…}` and `$<…>` are expanded. `{custom_data.form.value}`, `{{…}}`, `$(…)`, `<%= … %>` and `%…%`are syntax of other languages and are sent literally: the service gets these words instead of the customer's value.",
  guards: ["D6"],
  message: ({ text }) => `\`${text}\` isn't an expansion. It is sent literally.`,
  help: ({ expansion }) => `Write \`${expansion}\`.`,
  examples: [
    {
      title: "D6: without its dollar sign",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/«{data.workflow.hook_id}»"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: in two braces, with a filter",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"«{{ custom_data.note.value | default }}»"',
      good: '"${custom_data.note.value | default}"',
      fixed: '"${custom_data.note.value | default}"',
    },
    {
      title: "D6: in parentheses, in a string of a jq program",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display/!jq",
      bad: '"\\"Form «$(custom_data.form.display)»\\""',
      good: '"\\"Form ${custom_data.form.display}\\""',
      fixed: '"\\"Form ${custom_data.form.display}\\""',
    },
    {
      title: "D6: as in pages of a web server",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/«<%= data.workflow.hook_id %>»"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: between percent signs",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"100% «%custom_data.note.value%»"',
      good: '"100% ${custom_data.note.value | default}"',
      fixed: '"100% ${custom_data.note.value}"',
      also: ["expansion/optional-without-default"],
    },
    {
      title: "D6: as jq fills it in",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"From «\\\\(.email)»"',
      good: '"From ${piped_content.0.email}"',
      fixed: '"From ${piped_content.0.email}"',
    },
    {
      title: "D6: without braces",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '"«$piped_content.0»"',
      good: '"${piped_content.0}"',
      fixed: '"${piped_content.0}"',
    },
  ],
  fixes: ({ at, args: { expansion } }, { document }) => {
    return [changeInString(document, at as StringPart, expansion, false)];
  },
});

const strayCloser = defineRule<{ closer: string }>({
  id: "expansion/stray-closer",
  severity: "warning",
  summary: "An expansion is closed twice",
  why: "The first `}` closes the expansion. The second one is text and is sent after the value.",
  guards: ["D6"],
  message: ({ closer }) => `The expansion is already closed, so this \`${closer}\` is sent as text.`,
  examples: [
    {
      title: "D6: twice",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${data.workflow.hook_id}«}»"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
  ],
  fixes: ({ at, args: { closer } }, { document }) => {
    const { node, from, to } = at as StringPart;
    const edits = [replaceInString(document, node, from, to, "")];
    return [{ title: `Remove the second \`${closer}\``, safe: false, edits }];
  },
});

const SEGMENT = "[^\\s.:|[\\]{}<>()\"'/\\\\]+";
const DOT = "(?:\\.|::)";
/** Paths that nothing but an expansion would have: a root with what must come below it. */
const PATH = `(?:${[
  `webhook${DOT}url`,
  `custom_data${DOT}${SEGMENT}${DOT}(?:value|display)`,
  `data${DOT}(?:workflow|connection|application)${DOT}${SEGMENT}`,
  `polling_state${DOT}${SEGMENT}`,
  `piped_content(?:${DOT}\\d+|\\[\\d+\\])`,
].join("|")})(?:${DOT}${SEGMENT}|\\[\\d+\\])*`;
const FILTER = "(?:\\s*\\|\\s*default(?:\\s*:[^|{}()<>]*)?)?";
/** What other languages put around it. */
const BRACKETS = [
  ["\\{\\{", "\\}\\}"],
  ["\\{", "\\}"],
  ["\\(", "\\)"],
  ["<%[=-]?", "%>"],
  ["%", "%"],
];
const IN_BRACKETS = new RegExp(
  `(?:\\$ ?|[%#@])?(?:${BRACKETS.map(([open, close]) => `${open}\\s*(${PATH})(${FILTER})\\s*${close}`).join("|")})`,
  "g",
);
const BARE = new RegExp(`\\$(${PATH})(?![\\w.:])`, "g");
/** A root behind what opens no expansion: spares nearly all strings the search. */
const SUSPECT =
  /(?:(?<!\$)\{|\{\{|\(|\$|%[=-]?)\s*(?:webhook|custom_data|data|polling_state|piped_content)(?:\.|::|\[)/;

/** Whether a text has one of the signs before which `SUSPECT` looks for a root: most have none. */
const mayOpen = (text: string): boolean =>
  text.includes("{") || text.includes("(") || text.includes("$") || text.includes("%");

/** @param bare whether a path behind a dollar sign alone is meant: in jq it is a variable */
function* lookalikes(text: string, bare: boolean): Generator<{ from: number; to: number; path: string }> {
  const real = parseTemplate(text)?.expansions ?? [];
  for (const pattern of bare ? [IN_BRACKETS, BARE] : [IN_BRACKETS]) {
    for (const found of text.matchAll(pattern)) {
      const [from, to] = [found.index, found.index + found[0].length];
      // Parentheses alone are prose or a call; `${` and `$<` were read already.
      if (found[0].startsWith("(") || real.some(({ start, end }) => start < to && from < end)) continue;
      yield {
        from,
        to,
        path: found
          .slice(1)
          .filter((part) => part !== undefined)
          .join(""),
      };
    }
  }
}

function checkText(node: StringNode, from: number, to: number, bare: boolean, report: Report): void {
  const text = node.value.slice(from, to);
  if (!mayOpen(text) || !SUSPECT.test(text)) return;
  for (const found of lookalikes(text, bare)) {
    const at = { node, from: from + found.from, to: from + found.to };
    report(lookalike, at, { text: node.value.slice(at.from, at.to), expansion: `\${${found.path}}` });
  }
}

/** What jq fills into its strings: a path into the input. */
const INTERPOLATION = /\\\(((?:\.[A-Za-z_]\w*)+)\)/g;

/** @param input the expansion of the command's input, which jq calls `.` */
function checkInterpolations(node: StringNode, input: string, report: Report): void {
  if (!node.value.includes("\\(")) return;
  for (const { 0: text, 1: path, index } of node.value.matchAll(INTERPOLATION))
    report(
      lookalike,
      { node, from: index, to: index + text.length },
      { text, expansion: `\${${input}${path}}` },
    );
}

/** How an expansion names the input of a command, where it can. */
function inputOf({ place, pipe, stepsRun }: Command): string | undefined {
  return pipe !== undefined || place.roots.includes("piped_content")
    ? `piped_content.${stepsRun}`
    : undefined;
}

/** Every string of what a command sends; commands in it are looked at by themselves. */
function checkStrings(root: JsonNode | undefined, input: string | undefined, report: Report): void {
  const open: JsonNode[] = root === undefined ? [] : [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "string") {
      checkText(node, 0, node.value.length, true, report);
      if (input !== undefined) checkInterpolations(node, input, report);
    } else if (node.kind === "array") open.push(...node.items);
    else if (node.kind === "object")
      for (const { key, value } of node.members) {
        open.push(key);
        if (value !== undefined) open.push(value);
      }
  }
}

/** Where a closer right behind an expansion closes nothing that the text has opened itself. */
function strayClosers(text: string, expansions: readonly ExpansionSyntax[]): number[] {
  const stray: number[] = [];
  let opened = 0;
  let at = 0;
  for (const { start, end, opener, problem } of expansions) {
    for (; at < start; at++) opened += text[at] === "{" || text[at] === "<" ? 1 : 0;
    at = end;
    const closer = opener === "${" ? "}" : ">";
    if (problem === undefined && opened === 0 && text[end] === closer) stray.push(end);
  }
  return stray;
}

const module: RuleModule = {
  rules: [lookalike, strayCloser],
  checks: {
    command: {
      any(command, report) {
        const { key, argument } = command;
        if (key === "!pipe" || key === "!switch" || key === "!jq" || key === "!error") return;
        checkStrings(argument, inputOf(command), report);
      },
    },
    program({ node, tree }, report) {
      if (!SUSPECT.test(node.value)) return;
      walk(tree, {
        enter(inner) {
          if (inner.kind === "StringText") checkText(node, inner.start, inner.end, false, report);
          return undefined;
        },
      });
    },
    template({ node, template: { expansions, text }, position }, report) {
      if (position === "jq") return;
      for (const from of strayClosers(text, expansions))
        report(strayCloser, { node, from, to: from + 1 }, { closer: text[from]! });
    },
  },
};
export default module;
