import { type Expression, type Node, type Postfix, type Type, types } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { stepType } from "../../../flow/member-reads.ts";
import { nodesIn } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { spanOf } from "../../../parse/document.ts";
import type { Span } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

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

/** The same of the response's body. */
const ofBody: Readonly<Record<string, string>> = { ".[]": ".body[]", map: ".body | map" };

const module: RuleModule = {
  rules: [iteratedObject],
  checks: {
    program(program, report, model) {
      const { node, command, diagnostics } = program;
      if (diagnostics.length > 0 || !/\[\]|\bmap\b/.test(node.value) || !takesResponse(command)) return;
      const found = iteration(program);
      if (found === undefined) return;
      // What is known of the response may say that it is an object of objects.
      const flow = flowOf(model);
      const { at, path, member } = found;
      const iterated = path.reduce(stepType, flow.programInput(program));
      const parts = types.partsOf(iterated).filter(({ kind }) => kind !== "null");
      // Below the response, only what is known to be an object.
      if (path.length > 0 && (parts.length === 0 || !parts.every(isRecord))) return;
      if (parts.some(({ kind }) => kind !== "unknown" && kind !== "object")) return;
      if (parts.some(isMap)) return;
      const text = node.value.slice(at.start, at.end).trim();
      report(iteratedObject, { node, from: at.start, to: at.end }, { member, text });
    },
  },
};
export default module;

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
  readonly member: string;
}

/** `.[]` or `map(…)` of the program's input where members of each are read by name: a list of records is expected. */
function iteration({ tree, node: { value } }: JqProgram): Iteration | undefined {
  let at: Expression = tree.body;
  while (at.kind === "Group" || at.kind === "Array") {
    if (at.kind === "Array" && at.body === undefined) return undefined;
    at = at.body as Expression;
  }
  const [first, ...rest] = at.kind === "Pipeline" ? at.stages : [at];
  const read = (nodes: readonly Node[]): string | undefined => {
    const found = nodes.map(memberRead).find((each) => each !== undefined);
    return found === undefined ? undefined : value.slice(found.start, found.end);
  };
  if (first?.kind === "Call" && first.name.text === "map") {
    const member = read(first.arguments);
    return member === undefined ? undefined : { at: first.name, path: [], member };
  }
  if (first?.kind !== "Postfix" || first.head.kind !== "Identity") return undefined;
  if (first.suffixes.at(-1)?.kind !== "Iterate") return undefined;
  const member = read(rest);
  return member === undefined ? undefined : { at: first, path: first.suffixes.slice(0, -1), member };
}

/** `.key` and `.value` of `to_entries` would be another thing. */
const memberRead = (tree: Node): Node | undefined =>
  nodesIn(tree).findLast(
    (node) => node.kind === "Postfix" && node.head.kind === "Identity" && node.suffixes[0]?.kind === "Field",
  );
