import { type Expression, types } from "@configc/jq";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import type { RuleModule } from "../../checks.ts";

const wholeOutputAsId = defineRule<{ member: string; text: string; has: string | undefined }>({
  id: "http/whole-output-as-id",
  severity: "warning",
  summary: "All that a step gives goes where an id is wanted",
  why: "A step gives an object: the answer to a request, or what a program makes. Where one id is wanted, the object is refused, or it is stored in its place and finds nothing later.",
  guards: ["command.!http", "command.!save", "expansion.piped_content", "D14", "D20"],
  message: ({ member, text, has }) =>
    has === undefined
      ? `\`${member}\` gets the whole answer to a request: \`${text}\` is an object.`
      : `\`${member}\` gets the whole object \`${text}\`, which has a \`${has}\` in it.`,
  because: ({ text, has }) => [
    has === undefined ? "an answer is an object, also one with a single member" : `\`${text}.${has}\` exists`,
    "an id is a text or a number",
  ],
  help: ({ text, has }) =>
    has === undefined
      ? "Read the member of it that is wanted."
      : `Write \`${text === "." ? "" : text}.${has}\`.`,
  examples: [
    {
      title: "What a program makes",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person_id: .people[0].id, note: \\"new\\"}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"person": {"id": "${«piped_content.2»}"}, "note": "${piped_content.2.note}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person_id: .people[0].id, note: \\"new\\"}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"person": {"id": "${piped_content.2.person_id}"}, "note": "${piped_content.2.note}"}}}]}',
    },
    {
      title: "An answer",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/origins", "body": {"name": "Mail"}}}, {"!jq": "{origin_id: «.»}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/origins", "body": {"name": "Mail"}}}, {"!jq": "{origin_id: .id}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.2}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeOutputAsId],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, rootExact, syntax, node, position } = expansion;
      const member = node.parent?.kind === "member" ? node.parent.name : undefined;
      if (root !== "piped_content" || !rootExact || member === undefined || !wantsOne(member)) return;
      if (position !== "value" && position !== "parameter") return;
      if (syntax.problem !== undefined || syntax.filters.length > 0) return;
      const [first, index, ...below] = syntax.path;
      if (syntax.start > 0 || syntax.end < node.value.length || below.length > 0) return;
      if (first === undefined || index === undefined || index.text === "0") return;
      const has = objectOf(expansion, model);
      if (has === undefined) return;
      const at = { node, from: first.start, to: index.end };
      report(wholeOutputAsId, at, { member, text: `piped_content.${index.text}`, ...has });
    },
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !names.test(program.node.value)) return;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const given = value === undefined ? undefined : bare(value);
          if (given === undefined || !mayBeWhole(given)) continue;
          const member = nameOf(key);
          if (member === undefined || !wantsOne(member)) continue;
          // Beside a member that is read of it, `jq/object-as-id` tells it.
          if (given.kind === "Identity" && entries.some(isReadOfInput)) continue;
          const has = wholeGiven(given, program, model);
          if (has !== undefined)
            report(wholeOutputAsId, partAt(program, given), {
              member,
              text: textAt(given, program),
              ...has,
            });
        }
    },
  },
};
export default module;

/** What is given as it comes: most members are read of something, or made. */
const mayBeWhole = ({ kind }: Expression): boolean =>
  kind === "Hole" || kind === "Identity" || kind === "Variable";

const isReadOfInput = ({ value }: { readonly value?: Expression | undefined }): boolean => {
  const read = value === undefined ? undefined : bare(value);
  return read?.kind === "Postfix" && read.head.kind === "Identity";
};

const names = /(?:_|\b)(?:id|uuid|guid|gid|secret|token|key)\b|(?:Id|Uuid|Guid|Secret|Token|Key)\b/;

/** Whether a member of that name takes a single value. */
const wantsOne = (name: string): boolean => isIdName(name) || (isSecretName(name) && name !== "key");

interface Whole {
  /** A member of it that may be meant; none of an answer. */
  readonly has: string | undefined;
}

/** What a value is that is taken as a step gives it. */
export function wholeGiven(node: Expression, program: JqProgram, model: Model): Whole | undefined {
  if (node.kind === "Hole") {
    const hole = program.holes[node.hole];
    const isWhole = hole?.root === "piped_content" && hole.rootExact && hole.syntax.path.length === 2;
    return isWhole && hole.syntax.path[1]?.text !== "0" ? objectOf(hole, model) : undefined;
  }
  return isAnswer(trailsOf(flowOf(model), program, node)) ? { has: undefined } : undefined;
}

/** What is known of a step that gives an object in every case. */
export function objectOf(expansion: Expansion, model: Model): Whole | undefined {
  if (isAnswer(expansionTrails(flowOf(model), expansion))) return { has: undefined };
  const parts = types.partsOf(flowOf(model).expansion(expansion));
  const [first] = parts;
  if (first?.kind !== "object" || parts.some(({ kind }) => kind !== "object")) return undefined;
  // An id may be an object of several parts in some service; one that has an id in it is the record.
  const id = [...first.members.keys()].find(isIdName);
  return id === undefined ? undefined : { has: id };
}

/** Whether a value is the whole answer to a request: an object, whatever the service sends (D20). */
const isAnswer = (trails: readonly Trail[]): boolean =>
  trails.length > 0 && trails.every(({ origin }) => origin.kind === "response" && origin.path.length === 0);
