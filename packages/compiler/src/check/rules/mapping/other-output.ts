import type { Command, Expansion, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { singular } from "../../../flow/nouns.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { nameOfPath, nounOfPath } from "../../../flow/record-kind.ts";
import { resultsOf } from "../../../flow/result.ts";
import { type SyntaxNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { isOfBody } from "../pipeline/search-as-record.ts";
import { besideParts } from "../pipeline/whole-beside-parts.ts";
import { optionsOf, textIn } from "./options.ts";
import { readOfInput } from "./unread-field.ts";

const otherOutput = defineRule<{ index: string; fields: readonly string[]; instead: string }>({
  id: "mapping/other-output",
  severity: "warning",
  summary: "A step's whole output is sent in the place of what customers mapped",
  why: "`piped_content.0` has the mapped contact, and each step has an output of its own. With another number the request gets the answer to a search, or an id that a step made, and nothing of the contact.",
  guards: ["map.describe_target", "data_pipeline.target", "expansion.piped_content", "D14", "D37"],
  message: ({ index, fields }) =>
    `\`piped_content.${index}\` has none of the mapped fields, and ${allNames(fields)} would be sent here.`,
  because: ({ index, fields, instead }) => [
    `step ${index} gives no ${fields[0]}`,
    `\`piped_content.${instead}\` has what customers map`,
  ],
  help: ({ instead }) => `Send \`\${piped_content.${instead}}\`.`,
  examples: [
    {
      title: "Nothing else takes what is mapped",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"id": "email", "title": "Email", "required": true}, {"id": "name", "title": "Name"}, {"id": "phone", "title": "Phone"}]',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/guests", "body": {"host": "${piped_content.1.people[0].id}", "guest": "«${piped_content.1}»"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/guests", "body": {"host": "${piped_content.1.people[0].id}", "guest": "${piped_content.0}"}}}]}',
    },
    {
      title: "Another case sends it in the same place",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"id": "email", "title": "Email", "required": true}, {"id": "name", "title": "Name"}]',
      },
      bad: '{"!pipe": [{"!http": {"path": "/evenings/${custom_data.list.value}"}}, {"!switch": {"jq": "if .free > 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/evenings/${custom_data.list.value}/guests", "body": {"guest": "«${piped_content.1}»"}}}, {"!http": {"method": "POST", "path": "/evenings/${custom_data.list.value}/queue", "body": {"guest": "${piped_content.0}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/evenings/${custom_data.list.value}"}}, {"!switch": {"jq": "if .free > 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/evenings/${custom_data.list.value}/guests", "body": {"guest": "${piped_content.0}"}}}, {"!http": {"method": "POST", "path": "/evenings/${custom_data.list.value}/queue", "body": {"guest": "${piped_content.0}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherOutput],
  checks: {
    workflow(workflow, report, model) {
      if (workflow.direction !== "outbound") return;
      const part = partOfUnit(workflow, model);
      const sent = part.expansions.filter(isWholeOutput);
      if (sent.length === 0) return;
      const ids = idsOf(workflow, model);
      // What is sent in parts beside it is told as that.
      const strangers =
        ids.length < 2
          ? []
          : sent.filter((each) => besideParts(each) === undefined && isStrange(each, ids, part));
      if (strangers.length === 0) return;
      const unread = unreadOf(ids, workflow, part, model);
      for (const each of strangers) {
        const [instead, fields] = [insteadOf(each, sent, ids, part), strangers.length === 1 ? unread : []];
        if (instead === undefined && fields.length < 2) continue;
        const { node, syntax } = each;
        report(
          otherOutput,
          { node, from: syntax.start, to: syntax.end },
          {
            index: syntax.path[1]!.text,
            fields: fields.length > 0 ? fields : ids,
            instead: instead ?? "0",
          },
        );
      }
    },
  },
};
export default module;

/** `"guest": "${piped_content.1}"` in what a request writes, or all that it writes. */
function isWholeOutput({ root, rootExact, syntax, node, command, ...others }: Expansion): boolean {
  if (root !== "piped_content" || !rootExact || syntax.path.length !== 2 || syntax.filters.length > 0)
    return false;
  if (command?.key !== "!http" || syntax.start !== 0 || syntax.end !== node.value.length) return false;
  if (!/^(?:post|put|patch)$/i.test(textOf(command.argument, "method") ?? "")) return false;
  return isOfBody({ root, rootExact, syntax, node, command, ...others });
}

/** The fields that customers map to, where they are in no groups. */
function idsOf({ maps: [map, ...others] }: WorkflowSymbol, model: Model): readonly string[] {
  if (map === undefined || others.length > 0) return [];
  const list = optionsOf(map, "target", model)?.list ?? [];
  return list.some(({ group }) => group !== undefined) ? [] : list.flatMap(({ id }) => textIn(id) ?? []);
}

/** Whether a step gives the answer to a question, or an object of other members, in each of its ways. */
function isStrange(expansion: Expansion, ids: readonly string[], part: Part): boolean {
  const { syntax, command, node } = expansion;
  const step = command?.pipe?.children[Number(syntax.path[1]!.text) - 1];
  const ways = step === undefined ? [] : resultsOf(step).filter(({ key }) => key !== "!error");
  return (
    ways.length > 0 &&
    ways.every((way) => makesOthers(way, ids, () => takenFrom(expansion, part))) &&
    !isCalledSo(nameAt(node), ways)
  );
}

function makesOthers(way: Command, ids: readonly string[], taken: () => ReadonlySet<string>): boolean {
  let at: Command | undefined = way;
  // They give what they take.
  while (at?.key === "!save" || at?.key === "!print_c") at = stepBefore(at);
  if (at?.key === "!http") return /^(?:|get)$/i.test(textOf(at.argument, "method") ?? "");
  const { program } = at ?? {};
  if (program === undefined || program.diagnostics.length > 0) return false;
  const object = finalObject(program);
  const members = object === undefined ? undefined : literalMembers(object);
  if (members === undefined || members.size === 0) return false;
  // It may be made of what is mapped, under other names.
  const words = new Set(program.node.value.match(/[\w-]+/g));
  if (ids.some((id) => members.has(id) || words.has(id))) return false;
  // What nothing else takes was made to be sent.
  const known = taken();
  return [...members.keys()].every((name) => known.has(name));
}

/** The members that are taken one by one of the output that is sent as a whole. */
function takenFrom({ syntax, command }: Expansion, { expansions }: Part): ReadonlySet<string> {
  const index = syntax.path[1]!.text;
  return new Set(
    expansions.flatMap((each) =>
      each.root === "piped_content" &&
      each.command?.pipe === command?.pipe &&
      each.syntax.path[1]?.text === index
        ? (each.syntax.path[2]?.text ?? [])
        : [],
    ),
  );
}

/** The mapped fields that nothing in a target takes; none where it may take all. */
function unreadOf(
  ids: readonly string[],
  { node }: WorkflowSymbol,
  part: Part,
  model: Model,
): readonly string[] {
  const pipeline = node.get("data_pipeline");
  const target = pipeline?.kind === "object" ? flowOf(model).commandAt(pipeline.get("target")) : undefined;
  const read = target === undefined ? undefined : readOfInput(target, part);
  return read === undefined ? [] : ids.filter((id) => !read.has(id));
}

/** The step whose output another case of the same choice sends in the same place. */
function insteadOf(
  { command, node, syntax }: Expansion,
  sent: readonly Expansion[],
  ids: readonly string[],
  part: Part,
): string | undefined {
  const choice = command?.parent;
  if (choice?.key !== "!switch") return undefined;
  const index = syntax.path[1]!.text;
  const other = sent.find(
    (each) =>
      each.command?.parent === choice &&
      each.command !== command &&
      each.syntax.path[1]!.text !== index &&
      nameAt(each.node) === nameAt(node) &&
      !isStrange(each, ids, part),
  );
  return other?.syntax.path[1]?.text;
}

const nameAt = ({ parent }: SyntaxNode): string | undefined =>
  parent?.kind === "member" ? parent.name : undefined;

/** Whether a member is called like what was asked for: `"event": "${piped_content.1}"` of `/events/…`. */
function isCalledSo(name: string | undefined, ways: readonly Command[]): boolean {
  const called = name === undefined ? undefined : singular(wordsOf(name).at(-1) ?? "");
  return ways.some(({ argument }) => {
    const path = textOf(argument, "path")?.split("?")[0] ?? "";
    const asked = nounOfPath(path) ?? singular(wordsOf(nameOfPath(path) ?? "").at(-1) ?? "");
    return asked !== "" && asked === called;
  });
}
