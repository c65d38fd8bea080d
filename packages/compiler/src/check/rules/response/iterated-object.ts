import { type Expression, type Node, type Postfix, type Type, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { stepType } from "../../../flow/member-reads.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import { type StringPart, spanOf } from "../../../parse/document.ts";
import type { Span } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { parserPrograms } from "../api/parser-programs.ts";

const iteratedObject = defineRule<{ member: string; text: string }>({
  id: "response/iterated-object",
  severity: "hint",
  summary: "A program iterates over a whole response object",
  why: "`!http` always gives an object; if the API sends a list, it is in `.body`. `.[]` goes through the members of that object, so the program reads `.name` of a list or a number and fails.",
  guards: ["D20", "command.!http"],
  message: ({ member, text }) =>
    text === ".[]" || text === "map"
      ? `A response is an object, so this reads \`${member}\` from each of its members.`
      : `\`${text}\` goes through the members of an object, so this reads \`${member}\` from each of them.`,
  because: ({ member, text }) => [
    "the response: `{items: […], total: 2}`",
    `\`${text === "map" ? "map" : ".[]"}\` gives the list and the number; neither has a \`${member}\``,
  ],
  help: () =>
    "If the API sends a list, write `.body[]`. Otherwise name the member that has the list: `.items[]`.",
  examples: [
    {
      title: "D20",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"[«.[]» | {display: .name, value: .id}]"',
      good: '"[.body[] | {display: .name, value: .id}]"',
      fixed: '"[.body[] | {display: .name, value: .id}]"',
    },
    {
      title: "By `map`",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"«map»({display: .name, value: .id})"',
      good: '".body | map({display: .name, value: .id})"',
      fixed: '".body | map({display: .name, value: .id})"',
    },
  ],
  fixes: ({ at, args: { text } }, { document }) => {
    const newText = ofBody[text];
    if (newText === undefined) return [];
    return [
      { title: `Change to \`${newText}\``, safe: false, edits: [{ ...spanOf(document, at), newText }] },
    ];
  },
});

const iteratedAnswer = defineRule<{ member: string; text: string; known: string }>({
  id: "response/iterated-answer",
  severity: "warning",
  summary: "A program iterates over a page that is an object, as `api.pagination` says",
  why: "`api.pagination` reads the total or the next token from the same page, so the page is an object that has it beside its list. `.[]` and `map` go through the members of that object, read a name of a list or a number, and fail: the field has no options, and no customer gets on.",
  guards: ["D20", "D22", "command.!http"],
  message: ({ member, text, known }) =>
    `\`api.pagination\` reads \`${known}\` from this page, so it is an object, and \`${text}\` reads \`${member}\` from each of its members.`,
  because: ({ member, known, text }) => [
    `a page has a list beside \`${known}\``,
    `\`${text}\` gives the list itself: to read \`${member}\` of a list fails`,
  ],
  help: () => "Name the member that has the list: `.items[]`.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/api/pagination":
          '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "«map»({display: .name, value: .id})"}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": ".items | map({display: .name, value: .id})"}]}',
    },
  ],
});

/** The same of the response's body. */
const ofBody: Readonly<Record<string, string>> = { ".[]": ".body[]", map: ".body | map" };

const module: RuleModule = {
  rules: [iteratedObject, iteratedAnswer],
  checks: {
    program(program, report, model) {
      const { node, command, diagnostics } = program;
      if (diagnostics.length > 0 || !takesResponse(command)) return;
      const found = iteration(program);
      if (found === null || !/\[\]|\bmap\b/.test(node.value)) return;
      // What is known of the response may say that it is an object of objects.
      const flow = flowOf(model);
      const { at, path, read } = found;
      const member = node.value.slice(read.start, read.end);
      const iterated = path.reduce(stepType, flow.programInput(program));
      const parts = types.partsOf(iterated).filter(({ kind }) => kind !== "null");
      const text = node.value.slice(at.start, at.end).trim();
      const known = parts.every(({ kind }) => kind === "unknown" || kind === "object")
        ? readByParser(command, path, node.value, model)
        : undefined;
      if (known !== undefined) {
        report(iteratedAnswer, { node, from: at.start, to: at.end }, { member, text, known: known.text }, [
          { message: "read here", at: known.at },
        ]);
        return;
      }
      // Below the response, only what is known to be an object.
      if (path.length > 0 && (parts.length === 0 || !parts.every(isRecord))) return;
      if (parts.some(({ kind }) => kind !== "unknown" && kind !== "object")) return;
      if (parts.some(isMap)) return;
      report(iteratedObject, { node, from: at.start, to: at.end }, { member, text });
    },
  },
};
export default module;

/** What `api.pagination` reads below what is iterated over, where that is a page that it follows. */
function readByParser(
  command: Command,
  path: Postfix["suffixes"],
  text: string,
  model: Model,
): { readonly text: string; readonly at: StringPart } | undefined {
  const argument = stepBefore(command)?.argument;
  const paginated = argument?.kind === "object" ? argument.get("pagination") : undefined;
  const names = stepsOf(path);
  if (paginated?.kind !== "boolean" || !paginated.value || names === undefined) return undefined;
  // Who asks what each member is has thought of it.
  if (/\b(?:arrays|objects|iterables|type|try)\b|\?/.test(text)) return undefined;
  for (const { program } of parserPrograms(model.api?.node.get("pagination"), model)) {
    const read = firstRead(plainBody(program));
    const below = read === undefined ? undefined : stepsOf(read.suffixes);
    if (read === undefined || below === undefined || below[0] === "body") continue;
    if (below.length <= names.length || !names.every((name, index) => below[index] === name)) continue;
    const { node } = program;
    return {
      text: node.value.slice(read.start, read.end).trim(),
      at: { node, from: read.start, to: read.end },
    };
  }
  return undefined;
}

/** The member of a page that a program certainly reads first: `.total` of `.total / 100 | ceil`. */
function firstRead(given: Expression): Postfix | undefined {
  const node = bare(given);
  if (node.kind === "Pipeline") {
    const [first] = stagesOf(node);
    return first === undefined ? undefined : firstRead(first);
  }
  if (node.kind === "Arithmetic") return firstRead(node.first);
  const isPath =
    node.kind === "Postfix" &&
    node.head.kind === "Identity" &&
    node.suffixes.every(({ kind }) => kind === "Field");
  return isPath ? node : undefined;
}

/** Whether all members that are known of an object are objects themselves. */
function isMap(type: Type): boolean {
  if (type.kind !== "object" || type.members.size === 0) return false;
  return [...type.members.values()].every((member) =>
    types.partsOf(member.type).every(({ kind }) => kind === "object"),
  );
}

/** Whether all members of an object are known. */
function isRecord(type: Type): boolean {
  return type.kind === "object" && type.rest === undefined && type.members.size > 0;
}

/** Whether a program gets what an `!http` gives. */
function takesResponse(command: Command): boolean {
  return command.key === "!jq" && stepBefore(command)?.key === "!http";
}

interface Iteration {
  /** `.items[]`, or the name of `map`. */
  readonly at: Span;
  /** From the program's input to what is gone through. */
  readonly path: Postfix["suffixes"];
  readonly read: Node;
}

/** `.[]` or `map(…)` of the program's input where members of each are read by name: a list of records is expected. */
const iteration = derivedFromText(({ body }): Iteration | null => {
  let at: Expression = body;
  while (at.kind === "Group" || at.kind === "Array") {
    if (at.kind === "Array" && at.body === undefined) return null;
    at = at.body as Expression;
  }
  const [first, ...rest] = at.kind === "Pipeline" ? at.stages : [at];
  if (first?.kind === "Call" && first.name.text === "map") {
    const read = memberReadIn(first.arguments);
    return read === undefined ? null : { at: first.name, path: [], read };
  }
  if (first?.kind !== "Postfix" || first.head.kind !== "Identity") return null;
  if (first.suffixes.at(-1)?.kind !== "Iterate") return null;
  const read = memberReadIn(rest);
  return read === undefined ? null : { at: first, path: first.suffixes.slice(0, -1), read };
});

function memberReadIn(nodes: readonly Node[]): Node | undefined {
  for (const node of nodes) {
    const read = memberRead(node);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** `.key` and `.value` of `to_entries` would be another thing. */
const memberRead = (tree: Node): Node | undefined =>
  nodesIn(tree).findLast(
    (node) => node.kind === "Postfix" && node.head.kind === "Identity" && node.suffixes[0]?.kind === "Field",
  );
