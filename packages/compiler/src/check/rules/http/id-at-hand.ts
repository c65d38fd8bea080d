import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { entryOf, finalObject, nameOf } from "../../../flow/literal-object.ts";
import { nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import type { RuleModule } from "../../checks.ts";

const idAtHand = defineRule<{ list: string; read: string; id: string }>({
  id: "http/id-at-hand",
  severity: "warning",
  summary: "A path names a record by another member, though its id is beside it",
  why: "A path such as `/visitors/…` takes the id of a visitor. With their email or a date in its place it leads nowhere, or the service answers with an error for every record.",
  guards: ["http.path", "command.!http", "D18", "expansion.piped_content"],
  message: ({ list, read, id }) => `\`/${list}/…\` gets \`${read}\`, but \`${id}\` stands beside it.`,
  because: ({ list, read, id }) => [
    `\`/${list}\` has records with ids, as \`${id}\` says`,
    `the path has \`${read}\``,
  ],
  help: ({ id }) => `Take \`${id}\`.`,
  examples: [
    {
      title: "A step makes both",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person_id: .people[0].id, until: (now | todate)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.«until»}", "body": {"until": "${piped_content.2.until}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person_id: .people[0].id, until: (now | todate)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.person_id}", "body": {"until": "${piped_content.2.until}"}}}]}',
      also: ["unused/step-member"],
    },
    {
      title: "The first step has asked for it",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "if .visitor_id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/visitors/${piped_content.0.«email»}"}}, {"!jq": "{email: ${piped_content.0.email}, visits: .visits}"}]}]}}',
      good: '{"!switch": {"jq": "if .visitor_id == null then 0 else 1 end", "cases": [{"!jq": "null"}, {"!pipe": [{"!http": {"path": "/visitors/${piped_content.0.visitor_id}"}}, {"!jq": "{email: ${piped_content.0.email}, visits: .visits}"}]}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [idAtHand],
  checks: {
    expansion(expansion, report, model) {
      const { root, rootExact, position, node, syntax } = expansion;
      if (position !== "path" || !rootExact || (root !== "piped_content" && root !== "polling_state")) return;
      if (syntax.path.length !== (root === "polling_state" ? 2 : 3)) return;
      const read = syntax.path.at(-1);
      const list = collectionOf(expansion);
      if (list === undefined || read === undefined || isKey(read.text, list)) return;
      const id = membersBeside(expansion, model).find((name) => isIdOf(name, list));
      if (id === undefined || mayHoldId(expansion, model) || isMeantSo(expansion, list, read.text, id, model))
        return;
      report(idAtHand, { node, from: read.start, to: read.end }, { list, read: read.text, id });
    },
  },
};
export default module;

/** Whether the id is what the same request sends, or a comment shows the path with the member: `PUT /subscribers/{email}`. */
function isMeantSo(
  { command, node, root, syntax }: Expansion,
  list: string,
  read: string,
  id: string,
  model: Model,
): boolean {
  const { argument } = command ?? {};
  const sent = ["body", "params"].flatMap((name) =>
    argument?.kind === "object" ? (argument.get(name) ?? []) : [],
  );
  const written = `${root}.${[...syntax.path.slice(1, -1).map(({ text }) => text), id].join(".")}`;
  if (sent.some(({ start, end }) => model.document.text.slice(start, end).includes(written))) return true;
  if (!hasComments(model)) return false;
  const shown = new RegExp(`/${escapedPattern(list)}/[:{<$]{1,2}${escapedPattern(read)}\\b`, "i");
  return commentsAround(node, []).some(({ value }) => shown.test(value));
}

/** `visitors` of `/visitors/${…}`, where the expansion is all of the segment. */
function collectionOf({ node: { value }, syntax: { start, end } }: Expansion): string | undefined {
  const list = /(?:^|\/)([a-z][\w-]*)\/$/i.exec(value.slice(0, start))?.[1];
  return list !== undefined && isPlural(list) && /^(?:[/?#]|$)/.test(value.slice(end)) ? list : undefined;
}

/** Whether a record may be known by it: an id, a number, a key, or a name that is like that of the list. */
function isKey(name: string, list: string): boolean {
  const words = wordsOf(name);
  const noun = singular(wordsOf(list).at(-1) ?? "");
  return (
    isIdName(name) ||
    words.includes(noun) ||
    /^(?:id|ids|number|no|nr|code|key|slug|handle|sku|ref|reference|token|hash|path|uri|url|link|login|username|iban|vin|plate)$/.test(
      words.at(-1) ?? "",
    )
  );
}

/** `visitor_id` of `visitors` */
function isIdOf(name: string, list: string): boolean {
  const words = wordsOf(name);
  return isIdName(name) && words.length === 2 && words[0] === singular(wordsOf(list).at(-1) ?? "");
}

/** What certainly stands beside a member of a step's output: what the step makes, or what is asked of the pipeline's input. */
function membersBeside({ command, unit, root, syntax }: Expansion, model: Model): readonly string[] {
  if (root === "polling_state") return unit?.kind !== "intake" ? [] : keysRead(unit, model);
  const index = Number(syntax.path[1]?.text);
  const pipe = command?.pipe;
  if (index > 0) {
    const program = pipe?.children[index - 1]?.program;
    const made = program === undefined || program.diagnostics.length > 0 ? undefined : finalObject(program);
    return made?.entries.flatMap(({ key }) => nameOf(key) ?? []) ?? [];
  }
  if (unit?.kind !== "workflow" || !command?.place.name.startsWith("data_pipeline.")) return [];
  return partOfUnit(unit, model).programs.flatMap((program) => {
    if (!isOfInput(program.command, command) || !/id\b/i.test(program.node.value)) return [];
    return nodesOfKind(program, "Postfix").flatMap(({ head, suffixes: [first] }) =>
      head.kind === "Identity" && first?.kind === "Field" && first.key.kind === "Name" ? first.key.text : [],
    );
  });
}

/** Whether what is read may be given an id, whatever it is called: `finished` of `{finished: ${polling_state.export_id}}`. */
function mayHoldId({ command, unit, root, syntax }: Expansion, model: Model): boolean {
  const name = syntax.path.at(-1)!.text;
  if (root === "polling_state") {
    if (unit?.kind !== "intake") return true;
    return partOfUnit(unit, model).programs.some(
      (program) =>
        program.node.value.includes(name) &&
        (nodesOfKind(program, "Entry").some(
          ({ key, value }) => nameOf(key) === name && mayBeId(value, name, program),
        ) ||
          nodesOfKind(program, "Assignment").some(
            ({ target, value }) => lastName(target) === name && mayBeId(value, name, program),
          )),
    );
  }
  const index = Number(syntax.path[1]?.text);
  const program = index > 0 ? command?.pipe?.children[index - 1]?.program : undefined;
  const made = program === undefined ? undefined : finalObject(program);
  const value = made === undefined ? undefined : entryOf(made, name)?.value;
  return value !== undefined && mayBeId(value, name, program!);
}

/** Whether an expression reads an id anywhere, or something that isn't called as the member that gets it and tells nothing. */
function mayBeId(value: Expression | undefined, name: string, program: JqProgram): boolean {
  // `{finished}` is what was called so.
  if (value === undefined || constantOf(value) !== undefined) return false;
  return nodesIn(value).some((node) => {
    if (node.kind === "Hole") {
      const read = program.holes[node.hole]?.syntax.path.at(-1)?.text ?? "";
      return isIdName(read);
    }
    if (node.kind === "Variable") return node.name !== name && !isTimeName(node.name);
    const read = node.kind === "Postfix" ? lastName(node) : undefined;
    return read !== undefined && isIdName(read);
  });
}

function lastName(node: Expression): string | undefined {
  const last =
    node.kind === "Postfix" ? node.suffixes.findLast(({ kind }) => kind !== "Optional") : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
}

/** The keys of the state that expansions of an intake read. */
const keysRead = (intake: IntakeSymbol, model: Model): readonly string[] =>
  partOfUnit(intake, model).expansions.flatMap(({ root, syntax: { path } }) =>
    root === "polling_state" && path.length === 2 ? path[1]!.text : [],
  );

/** Whether a program takes what comes into the pipeline, where the pipe around a command does. */
function isOfInput(own: Command, { place, pipe }: Command): boolean {
  if (own.place !== place && own.place.name !== place.name) return false;
  return own.stepsRun === 0 && own.key === "!switch" && (own.pipe === pipe || pipe?.parent === own);
}
