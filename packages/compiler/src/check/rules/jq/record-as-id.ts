import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import {
  itemOfAnswer,
  type ListedItem,
  type WholeRecord,
  wholeRecord,
} from "../../../flow/listed-records.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { objectOf, wholeGiven } from "../http/whole-output-as-id.ts";

const recordAsId = defineRule<{ name: string; text: string; list: string; reason: string }>({
  id: "jq/record-as-id",
  severity: "warning",
  summary: "A whole record is kept under the name of an id",
  why: "Later the record goes into a path, where an object fails, or into a comparison, where it equals nothing.",
  guards: ["D9", "D20", "D23"],
  message: ({ name, text, list }) => `\`${name}\` gets a whole record of \`${list}\`: \`${text}\`.`,
  because: ({ list, reason }) => [reason, `an item of \`${list}\` is an object, which fails in a path`],
  help: () => "Read the id of it, most likely with `.id`.",
  examples: [
    {
      title: "What a query selects members of",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "query ($email: String!) { patient(email: $email) { id } }", "variables": {"email": "${piped_content.0.email}"}}}}, {"!jq": ".data.patient"}, {"!jq": "{patientId: «.», note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/recalls", "body": "${piped_content.3}"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/graphql", "body": {"query": "query ($email: String!) { patient(email: $email) { id } }", "variables": {"email": "${piped_content.0.email}"}}}}, {"!jq": ".data.patient"}, {"!jq": "{patientId: .id, note: ${custom_data.note.value | default}}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/recalls", "body": "${piped_content.3}"}}]}',
    },
    {
      title: "The first that is found",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people/search", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: «.people[0]», email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/letters"}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/search", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/letters"}}]}}]}',
    },
  ],
});

const joinedObjects = defineRule<{ text: string; call: string; reason: string }>({
  id: "jq/objects-as-texts",
  severity: "warning",
  summary: "The objects of a list are taken for texts",
  why: "`join` fails with objects, and so do the functions that change letters. The items of this list are objects. The program fails for every record whose list isn't empty.",
  guards: ["D3", "D23"],
  message: ({ text, call }) => `\`${call}\` takes texts, but \`${text}\` has objects.`,
  because: ({ reason, call }) => [reason, `\`${call}\` fails with an object`],
  help: () => "Take a member of each first: `[.items[].name] | join(…)`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, first: .dogs[0].name, dogs: (.dogs | «join(\\", \\")»)}"}',
      good: '{"!jq": "{email: .email, first: .dogs[0].name, dogs: ([.dogs[].name] | join(\\", \\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [recordAsId, joinedObjects],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { syntax, node } = expansion;
      const member = node.parent?.kind === "member" ? node.parent.name : undefined;
      const whole = member === undefined ? undefined : recordSent(expansion, member, model);
      const [first] = syntax.path;
      const last = syntax.path.at(-1);
      if (whole === undefined || member === undefined || first === undefined || last === undefined) return;
      const at = { node, from: first.start, to: last.end };
      const text = node.value.slice(first.start, last.end);
      report(recordAsId, at, { name: member, text, list: whole.name, reason: whole.reason });
    },
    program(program, report, model) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0) return;
      if (/(?:_|\b)id\b|Id\b/.test(node.value))
        for (const { key, value } of nodesOfKind(program, "Entry")) {
          const name = nameOf(key);
          if (name === undefined || value === undefined || !isIdName(name)) continue;
          const whole = recordKept(value, program, model);
          if (whole !== undefined)
            report(
              recordAsId,
              { node, from: value.start, to: value.end },
              { name, text: excerpt(textAt(bare(value), program)), list: whole.name, reason: whole.reason },
            );
        }
      if (!/\bjoin\b|\bmap\(|ascii_/.test(node.value)) return;
      for (const { list, call, name } of textsWanted(program)) {
        const reason = objectsIn(list, name, program, model);
        if (reason !== undefined)
          report(
            joinedObjects,
            { node, from: call.start, to: call.end },
            { text: excerpt(textAt(list, program)), call: excerpt(textAt(call, program)), reason },
          );
      }
    },
  },
};
export default module;

/** The record that an expansion sends as an id. */
export function recordSent(expansion: Expansion, member: string, model: Model): WholeRecord | undefined {
  const { root, rootExact, syntax, node, position, command } = expansion;
  if (root !== "piped_content" || !rootExact || command === undefined || !isIdName(member)) return undefined;
  if ((position !== "value" && position !== "parameter") || syntax.problem !== undefined) return undefined;
  if (syntax.start > 0 || syntax.end < node.value.length) return undefined;
  // Under the name of an id, it is told where the step makes it.
  if (isIdName(syntax.path.at(-1)?.text ?? "")) return undefined;
  const whole = recordOf(expansionTrails(flowOf(model), expansion), { node, command });
  return syntax.path.length === 2 && objectOf(expansion, model) !== undefined ? undefined : whole;
}

/** The record that a program keeps under the name of an id. */
export function recordKept(value: Expression, program: JqProgram, model: Model): WholeRecord | undefined {
  const whole = mayBeWhole(value) ? wholeOf(value, program, model) : undefined;
  return whole === undefined || wholeGiven(bare(value), program, model) !== undefined ? undefined : whole;
}

/** `.`, `$person`, `.people[0]`, `first(.people[])`, `.people | last`, with or without `// null`; what reads an id by its name is none. */
function mayBeWhole(given: Expression): boolean {
  const value = bare(given);
  switch (value.kind) {
    // `[.people[] | {person_id: .}]`
    case "Identity":
    case "Variable":
    case "Hole":
      return true;
    case "Postfix": {
      const last = value.suffixes.findLast(({ kind }) => kind !== "Optional");
      return last?.kind !== "Field" || last.key.kind !== "Name" || !isIdName(last.key.text);
    }
    case "Call":
      return value.name.text === "first" || value.name.text === "last";
    case "Alternative":
      return value.operands.some(mayBeWhole);
    case "Pipeline": {
      const last = value.stages.at(-1);
      return last !== undefined && isExpression(last) && mayBeWhole(last);
    }
    // `if .people == [] then null else .people[0] end`
    case "If":
      return [...value.branches.map(({ body }) => body), value.otherwise].some(
        (way) => way !== undefined && mayBeWhole(way),
      );
    default:
      return false;
  }
}

/** The record that a value is, on one of the ways that it comes at least; what only this program shows counts where there is no other way. */
function wholeOf(node: Expression, program: JqProgram, model: Model): WholeRecord | undefined {
  const trails = trailsOf(flowOf(model), program, node);
  const whole = recordOf(trails, program);
  const item = trails.length === 1 && whole === undefined ? itemOfAnswer(trails[0]!.origin) : undefined;
  const reason = item === undefined ? undefined : isRecord(item, program);
  return item === undefined || reason === undefined ? whole : { name: item.list, reason };
}

/** A record that a value is the whole of, on one of its ways. */
function recordOf(trails: readonly Trail[], at: Place): WholeRecord | undefined {
  for (const { origin } of trails) {
    const whole = wholeRecord(origin);
    if (whole !== undefined && !isListOfIds(whole.name, at)) return whole;
  }
  return undefined;
}

type Place = Pick<JqProgram, "node" | "command">;

/** Why an item of a list is a record: the list is called as what the request asks for, or a member of an item is read. */
function isRecord({ list }: ListedItem, program: JqProgram): string | undefined {
  return /ids?$/i.test(list) || isListOfIds(list, program)
    ? undefined
    : (membersRead(list, program)[0]?.text ?? commented(list, program));
}

/** `.dogs[].name`, `.dogs[0].name` */
const membersRead = (list: string, program: JqProgram) =>
  nodesOfKind(program, "Postfix").flatMap((node) => {
    const reads = node.suffixes.some((suffix, index) => {
      const [item, member] = node.suffixes.slice(index + 1);
      if (suffix.kind !== "Field" || suffix.key.kind !== "Name" || suffix.key.text !== list) return false;
      return (item?.kind === "Iterate" || item?.kind === "Index") && member?.kind === "Field";
    });
    return reads ? [{ node, text: `\`${textAt(node, program)}\` reads a member of an item` }] : [];
  });

/** `dogs: [{id, name}]` in a comment. */
function commented(list: string, { node, command }: JqProgram): string | undefined {
  const form = new RegExp(`\\b${escapedPattern(list)}"?\\s*:\\s*\\[\\s*\\{`);
  const isShown = commentsAround(node, intakesAround(command.unit)).some(({ value }) => form.test(value));
  return isShown ? `a comment shows \`${list}: [{…\`` : undefined;
}

interface Wanted {
  readonly list: Expression;
  readonly name: string;
  readonly call: Expression;
}

/** Lists whose items are taken for texts: `.dogs | join(", ")`, `.dogs | map(ascii_downcase)`, `.dogs[] | ascii_downcase`. */
function textsWanted(program: JqProgram): readonly Wanted[] {
  return nodesOfKind(program, "Pipeline").flatMap(({ stages }) =>
    stages.flatMap((stage, index): Wanted[] => {
      const list = stages[index - 1];
      if (stage.kind !== "Call" || list?.kind !== "Postfix") return [];
      const last = list.suffixes.at(-1);
      const isItem = last?.kind === "Iterate";
      const field = isItem ? list.suffixes.at(-2) : last;
      const name = field?.kind === "Field" && field.key.kind === "Name" ? field.key.text : undefined;
      const [argument] = stage.arguments;
      const takes = isItem
        ? isOfText.test(stage.name.text)
        : stage.name.text === "join" ||
          (stage.name.text === "map" && argument?.kind === "Call" && isOfText.test(argument.name.text));
      return name === undefined || !takes ? [] : [{ list, name, call: stage }];
    }),
  );
}

const isOfText = /^(?:ascii_downcase|ascii_upcase|split|test|startswith|endswith|sub|gsub|l?r?trim)$/;

/** Why the items of a list as it came are objects. */
function objectsIn(list: Expression, name: string, program: JqProgram, model: Model): string | undefined {
  const read = membersRead(name, program);
  const comment = commented(name, program);
  if (read.length === 0 && comment === undefined) return undefined;
  const [trail, ...others] = trailsOf(flowOf(model), program, list);
  if (trail === undefined || others.length > 0) return undefined;
  const { origin } = trail;
  if (origin.kind !== "response" && origin.kind !== "payload" && origin.kind !== "place") return undefined;
  const path = origin.path.at(-1) === "[]" ? origin.path : [...origin.path, "[]"];
  const same = read.find(({ node }) =>
    trailsOf(flowOf(model), program, node).some(
      ({ origin: other }) =>
        other.kind === origin.kind && path.every((step, index) => other.path[index] === step),
    ),
  );
  return same?.text ?? comment;
}

/** `{people: [12, 13]}` in a comment, or `answers with ids`. */
const isListOfIds = (list: string, { node, command }: Place): boolean =>
  commentsAround(node, intakesAround(command.unit)).some(
    ({ value }) =>
      // A whole answer has no name that a comment could say.
      (list === "body" || value.includes(list)) &&
      (new RegExp(`\\b${escapedPattern(list)}"?\\s*:\\s*\\[\\s*(?:\\d|"|ids?\\b)`).test(value) ||
        /\banswers with (?:the )?(?:ids|numbers)\b|\bids only\b|\bonly (?:the )?ids\b|\b(?:list|array) of (?:its |the |their )?(?:ids|numbers|codes|texts|strings)\b/i.test(
          value,
        )),
  );
