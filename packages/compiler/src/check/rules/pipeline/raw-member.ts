import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn } from "../../../flow/nodes.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { indexMade } from "../../../flow/producers.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import { addedBy } from "../../../flow/step-members.ts";
import type { StringPart } from "../../../parse/document.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { isOtherStep } from "../unused/step-member.ts";

const rawMember = defineRule<{ name: string; index: number; instead: number }>({
  id: "pipeline/raw-member",
  severity: "warning",
  summary: "A member is read of an earlier step, although a program behind it makes it",
  why: "A program makes a member out of what a step gave, and another step reads the member of the same name from before that. It gets the value as it was, or null where it was called otherwise, and what the program did is lost.",
  guards: ["expansion.piped_content", "command.!pipe", "D14"],
  message: ({ name, index, instead }) =>
    `Step ${instead} makes \`${name}\` of what \`piped_content.${index}\` is; here \`${name}\` is read from before that.`,
  because: ({ name, index, instead }) => [
    `step ${instead} gives its own \`${name}\``,
    `\`piped_content.${index}.${name}\` is what was there before, or null`,
  ],
  help: ({ name, instead }) => `Read \`\${piped_content.${instead}.${name}}\`.`,
  examples: [
    {
      in: "outbound",
      also: ["unused/made-member"],
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: (.email | ascii_downcase), tags: [\\"new\\"]}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.«0».email}", "tags": "${piped_content.1.tags}"}}}]}',
      good: '{"!pipe": [{"!jq": "{email: (.email | ascii_downcase), tags: [\\"new\\"]}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.email}", "tags": "${piped_content.1.tags}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: (.email | ascii_downcase), tags: [\\"new\\"]}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.email}", "tags": "${piped_content.1.tags}"}}}]}',
    },
    {
      title: "Cleaned within the object",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": ". + {email: (.email | ascii_downcase)}"}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.«0».email}", "name": "${piped_content.1.name | default}"}}}]}',
      good: '{"!pipe": [{"!jq": ". + {email: (.email | ascii_downcase)}"}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.email}", "name": "${piped_content.1.name | default}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": ". + {email: (.email | ascii_downcase)}"}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.1.email}", "name": "${piped_content.1.name | default}"}}}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, `${instead}`, false)],
});

const mappedId = defineRule<{ expansion: string }>({
  id: "pipeline/mapped-id",
  severity: "warning",
  summary: "The id of a record is read from what the customer mapped",
  why: "What the customer maps has the members of `describe_target`, which are those to send. The service's own id of a record comes from an answer: of a lookup, or of the request that made the record. Without the id a path has an empty segment, or the request is about nobody.",
  guards: ["expansion.piped_content", "map.describe_target", "data_pipeline.target", "D18", "D37"],
  message: ({ expansion }) =>
    `\`${expansion}\` is read from what the customer mapped, which has no id of the service. A step before this one has an answer of the service.`,
  because: ({ expansion }) => [
    "the customer maps fields that are sent",
    "the service gives the id in its answer",
    `\`${expansion}\` reads it from the mapped fields: it is null`,
  ],
  help: () => "Read the id from the step that has the service's answer.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[.fields[] | {id: .key, title: .label}]"}]}',
      },
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/«${piped_content.0.id}»"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.1.id}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [rawMember, mappedId],
  checks: {
    document(model, report) {
      for (const { at, name, index, instead } of rawReads(model))
        if (!isOtherStep(at, model)) report(rawMember, at, { name, index, instead });
      for (const { at, expansion } of mappedIds(model)) report(mappedId, at, { expansion });
    },
  },
};
export default module;

interface Raw {
  readonly at: StringPart;
  readonly name: string;
  readonly index: number;
  readonly instead: number;
  readonly step: Command;
  /** Whether the program only makes another spelling of it: what is written so isn't found as it was. */
  readonly isCleaned: boolean;
}

const rawReads = derivedByPart((part, model): readonly Raw[] => {
  // Where somebody takes what the program makes, the value from before may be meant: an address in a body beside its form for a path.
  const isTaken = ({ name, step }: Raw): boolean => {
    const { members, whole } = valueReadersOf(part, model).of(step);
    return whole || members.has(name);
  };
  const found: Raw[] = [];
  for (const expansion of part.expansions) {
    const read = rawRead(expansion);
    if (read !== undefined && (!isTaken(read) || (read.isCleaned && isLookup(expansion)))) found.push(read);
  }
  return found;
});

function rawRead({ root, rootExact, syntax, command, node }: Expansion): Raw | undefined {
  const pipe = command?.pipe;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) return undefined;
  const [, segment, member] = syntax.path;
  if (pipe === undefined || command === undefined || segment === undefined || member === undefined)
    return undefined;
  // What a program takes from before may be what it compares with, unless it gives it on as it is.
  if (command.key !== "!http" && !isGivenOn({ syntax, command, name: member.text })) return undefined;
  const index = Number(segment.text);
  const made = indexMade(pipe, index);
  for (let instead = index + 1; instead <= command.stepsRun; instead++) {
    const step = pipe.children[instead - 1];
    const program = step?.key === "!jq" ? step.program : undefined;
    const value = program === undefined ? undefined : resolved(madeAs(member.text, program), program);
    if (step === undefined || program === undefined || value === undefined) continue;
    if (constantOf(value) !== undefined || isCopy(value, member.text)) continue;
    const isOfInput = made === indexMade(pipe, instead - 1);
    const reads = nodesIn(value).some((each) =>
      each.kind === "Hole"
        ? isStep(program.holes[each.hole], pipe, made)
        : each.kind === "Postfix" && each.head.kind === "Identity" && isOfInput,
    );
    if (!reads) continue;
    const at = { node, from: segment.start, to: segment.end };
    return { at, name: member.text, index, instead, step, isCleaned: isCleaning(value) };
  }
  return undefined;
}

const isCleaning = (value: Expression): boolean =>
  nodesIn(value).some((node) => node.kind === "Call" && cleans.test(node.name.text));
const cleans = /^(?:ascii_(?:down|up)case|[lr]?trim(?:str)?|g?sub)$/;

/** Whether a request only asks for records by a value. */
export function isLookup({ command, node }: Expansion): boolean {
  const { argument } = command ?? {};
  const method = argument?.kind === "object" ? (textOf(argument, "method") ?? "GET") : "";
  const [params, body] = ["params", "body"].map((name) =>
    argument?.kind === "object" ? argument.get(name) : undefined,
  );
  const isIn = (part: JsonNode | undefined): boolean =>
    part !== undefined && part.start < node.start && node.end <= part.end;
  return (
    (method === "GET" && isIn(params)) || (isIn(body) && /^\s*query\b/.test(textOf(body, "query") ?? ""))
  );
}

/** What a program makes a member of, in an object of its own or in what it gets: `. + {email: …}`, `.email |= …`. */
function madeAs(name: string, program: JqProgram): Expression | undefined {
  if (program.diagnostics.length > 0) return undefined;
  const object = finalObject(program) ?? objectBeforeFilter(program);
  if (object !== undefined) return entryOf(object, name)?.value;
  const added = addedBy(program)?.findLast((each) => each.name === name)?.node;
  if (added?.kind === "Entry") return added.value;
  if (added?.kind !== "Assignment") return undefined;
  return added.operator === "=" ? added.value : added;
}

/** `{…} | with_entries(select(.value != null))` */
function objectBeforeFilter({ tree }: JqProgram): ObjectConstruction | undefined {
  const [first, last, ...others] = tree.body.kind === "Pipeline" ? tree.body.stages : [];
  const object = first !== undefined && isExpression(first) ? bare(first) : undefined;
  const isFilter = last?.kind === "Call" && last.name.text === "with_entries";
  return isFilter && others.length === 0 && object?.kind === "Object" ? object : undefined;
}

const HOLES = 300;

/** `{patient: ${piped_content.0.patient}}` */
function isGivenOn({
  syntax,
  command: { key, program },
  name,
}: Pick<Expansion, "syntax"> & { readonly command: Command; readonly name: string }): boolean {
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return false;
  // Each of them is looked up in an object that may have as many members.
  if (program.holes.length > HOLES) return false;
  const object = finalObject(program);
  const value = object === undefined ? undefined : entryOf(object, name)?.value;
  const given = value === undefined ? undefined : bare(value);
  return given?.kind === "Hole" && program.holes[given.hole]?.syntax === syntax;
}

const isStep = (hole: Expansion | undefined, pipe: Command, made: number): boolean =>
  hole?.root === "piped_content" && indexMade(pipe, Number(hole.syntax.path[1]?.text)) === made;

/** `.email` as the `email`. */
function isCopy(value: Expression, name: string): boolean {
  const node = bare(value);
  if (node.kind === "Hole") return true;
  const [suffix, ...others] = node.kind === "Postfix" ? node.suffixes : [];
  return (
    suffix?.kind === "Field" && suffix.key.kind === "Name" && suffix.key.text === name && others.length === 0
  );
}

interface Mapped {
  readonly at: StringPart;
  readonly expansion: string;
}

const mappedIds = derivedByPart((part, model): readonly Mapped[] =>
  part.expansions.flatMap((expansion) => {
    const { root, syntax, command, node } = expansion;
    if (root !== "piped_content" || command?.key !== "!http" || syntax.path.length < 3) return [];
    const name = syntax.path.at(-1)?.text ?? "";
    if (!isIdName(name)) return [];
    if (command.place.name !== "data_pipeline.target" || !hasAnswerBefore(command)) return [];
    const [trail, ...others] = expansionTrails(flowOf(model), expansion);
    if (trail?.origin.kind !== "place" || others.length > 0 || trail.origin.path.join(".") !== name)
      return [];
    const { unit } = command;
    const [map, ...maps] = unit?.kind === "workflow" ? unit.maps : [];
    if (map === undefined || maps.length > 0 || mayBeMapped(map.node.get("describe_target"), name)) return [];
    const { start, end } = syntax;
    return [{ at: { node, from: start, to: end }, expansion: node.value.slice(start, end) }];
  }),
);

/** Whether a step before a command has an answer. */
function hasAnswerBefore({ pipe, stepsRun }: Command): boolean {
  const isRequest = (command: Command | undefined): boolean =>
    command !== undefined && (command.key === "!http" || command.children.some(isRequest));
  return (pipe?.children.slice(0, stepsRun) ?? []).some(isRequest);
}

/** Whether a customer may map something to a member: of a list that is written out that is known, and of other fields none is a plain `id`. */
function mayBeMapped(described: JsonNode | undefined, name: string): boolean {
  const options = described?.kind === "object" ? described.get("options") : undefined;
  return options?.kind === "array" || name !== "id";
}
