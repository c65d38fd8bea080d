import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type {
  Expansion,
  FieldSymbol,
  IntakeSymbol,
  JqProgram,
  WorkflowSymbol,
} from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, finalObject, nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { kindOf, kindOfField, type RecordKind } from "../../../flow/record-kind.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { memberWith } from "./other-role.ts";
import { chosenField } from "./routing.ts";

const deliveryId = defineRule<{ read: string; list: string; instead: string; isDelivery: boolean }>({
  id: "value/delivery-for-record",
  severity: "warning",
  summary: "A record is asked for by the id of the delivery, although the delivery names the record",
  why: "A thin delivery has an id of its own, and that of the record it is about. Asked for by the first, no record is found, and every delivery fails.",
  guards: ["data_pipeline.source", "webhook.delivery_id", "D14", "D18"],
  message: ({ read, list, instead }) =>
    `\`/${list}/\` wants the id of a record, which is \`${instead}\` here, not \`${read}\`.`,
  because: ({ read, list, instead, isDelivery }) => [
    isDelivery
      ? `\`delivery_id\` is \`${read}\`: it tells deliveries apart`
      : `the history gives \`${instead}\` the id of the record, and \`${read}\` something else`,
    `\`/${list}/\` wants the id of a record, which is \`${instead}\``,
  ],
  help: ({ instead }) => `Read \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/delivery_id": '{"!jq": ".body.id"}',
        "/data_intake/0/resource_id": '{"!jq": ".answer_id"}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/answers/${piped_content.0.«id»}"}}, {"!jq": "{email: .email}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/answers/${piped_content.0.answer_id}"}}, {"!jq": "{email: .email}"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/answers/${piped_content.0.answer_id}"}}, {"!jq": "{email: .email}"}]}',
    },
  ],
});

const chosenForItem = defineRule<{ read: string; list: string; own: string }>({
  id: "value/chosen-for-item",
  severity: "warning",
  summary: "For every item the same record is asked for, by the id of something else that was chosen",
  why: "The pipeline runs for each item, and its request has nothing of the item in it: only what the customer chose once, which is a record of another list. It finds nothing, or the same wrong record for all.",
  guards: ["data_pipeline.source", "expansion.custom_data", "D14", "D18"],
  message: ({ read, list, own }) =>
    `\`${read}\` is the id of one of \`/${own}/\`, not of \`/${list}/\`, and nothing in the request comes from the item.`,
  because: ({ read, list, own }) => [
    `\`${read}\` stands behind \`/${own}/\` elsewhere, and behind \`/${list}/\` here`,
    "nothing in the request comes from the item: each item gets the same answer",
  ],
  help: () => "Read the id from the item: `${piped_content.0.id}`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/request/!pipe/0/!http/path": '"/lists/${custom_data.list.value}/changes"',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people/«${custom_data.list.value}»"}}, {"!jq": "{email, name, city}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.id}"}}, {"!jq": "{email, name, city}"}]}',
    },
  ],
});

const routedId = defineRule<{
  member: string;
  read: string;
  wanted: string;
  instead: string;
  /** The history is asked by it, so that what it is of has it, too; what it is called in a delivery isn't known. */
  isFilter?: boolean;
}>({
  id: "value/routed-by-other-id",
  severity: "warning",
  summary: "A delivery is routed by the id of another record than the setup gives, although it has that one",
  why: "What a delivery names is compared with what the setup gave. The id of another kind of record never matches: each delivery is accepted and goes to nobody.",
  guards: ["webhook.resource_id", "describe_selection.resource_id", "connect.describe_connection", "D31"],
  message: ({ member, read, wanted, instead, isFilter }) =>
    `The setup gives an id of \`${wanted}\` as \`${member}\`, but this reads \`${read}\`. ${isFilter === true ? "The history is asked by" : "The delivery also has"} \`${instead}\`.`,
  because: ({ read, wanted, instead, isFilter }) => [
    `the setup gives an id of \`${wanted}\`; \`${read}\` is of something else by its name`,
    isFilter === true ? `the history is asked by \`${instead}\`` : `deliveries have \`${instead}\``,
  ],
  help: ({ instead, isFilter }) => (isFilter === true ? `Take its \`${instead}\`.` : `Take \`.${instead}\`.`),
  fixes: ({ at, args: { instead, isFilter } }, { document }) =>
    isFilter === true ? [] : rewriteTo({ at, args: { instead: `.${instead}` } }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        "/data_intake/0/account_id": '{"!jq": ".form_id"}',
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.forms[] | {display: .title, value: .id}]"}]}',
      },
      bad: '{"!jq": "«.page_id»"}',
      good: '{"!jq": ".form_id"}',
      fixed: '{"!jq": ".form_id"}',
    },
  ],
});

const connectedId = defineRule<{ read: string; given: string; noun: string }>({
  id: "value/connected-by-other-id",
  severity: "warning",
  summary: "A connection is known by another record's id than deliveries are routed by",
  why: "The account that a delivery names is compared with the one that the setup gave. The id of the person who signed in never equals that of the company: each delivery is accepted and goes to nobody.",
  guards: ["webhook.account_id", "connect.describe_connection", "D31"],
  message: ({ read, given, noun }) =>
    `Deliveries are routed by \`${given}\`, but the connection is known by \`${read}\`. The answer here has \`${noun}\`, too.`,
  because: ({ read, given }) => [
    `a delivery's \`account_id\` is \`${given}\``,
    `the connection's is \`${read}\`: the two are never the same`,
  ],
  help: ({ noun }) => `Take the id of \`${noun}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      with: { "/data_intake/0/account_id": '{"!jq": ".office.id | tostring"}' },
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: («.user.id | tostring»), description: (.user.name + \\", \\" + .office.name)}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: (.office.id | tostring), description: (.user.name + \\", \\" + .office.name)}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [deliveryId, chosenForItem, routedId, connectedId],
  checks: {
    workflow(workflow, report, model) {
      const connected = connectedByOther(workflow, model);
      if (connected !== undefined) report(connectedId, connected.at, connected.args);
      for (const { at, ...args } of routedByOther(workflow, model)) report(routedId, at, args);
      for (const expansion of partOfUnit(workflow, model).expansions) {
        const { position, command, node, syntax } = expansion;
        if (position !== "path" || command?.place.name !== "data_pipeline.source") continue;
        const list = /\/([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1];
        const noun = list !== undefined && isPlural(list) ? nounOf(list) : undefined;
        if (list === undefined || noun === undefined) continue;
        const at = { node, from: syntax.start, to: syntax.end };
        const other = isItemsId(expansion) ? idOf(noun, workflow) : undefined;
        if (other !== undefined) {
          const { start, end } = syntax.path[2]!;
          report(deliveryId, { node, from: start, to: end }, { read: "id", list, ...other });
        }
        const own =
          syntax.end === node.value.length ? otherList(expansion, noun, workflow, model) : undefined;
        if (own !== undefined)
          report(chosenForItem, at, { read: syntax.path.map(({ text }) => text).join("."), list, own });
      }
    },
  },
};
export default module;

/** Whether an expansion is the bare `id` of what the pipeline is given. */
function isItemsId({ root, syntax, command }: Expansion): boolean {
  const [, index, name, ...others] = syntax.path;
  if (root !== "piped_content" || index?.text !== "0" || name?.text !== "id" || others.length > 0)
    return false;
  for (let at = command?.pipe; at !== undefined; at = at.parent)
    if (at.parent?.key === "!pipe" && at.stepsRun > 0) return false;
  return true;
}

/** The id that a delivery has of another record than `id` is of. */
function idOf(noun: string, { intake, historicalIntake }: WorkflowSymbol) {
  const webhook = intake?.target?.type === "webhook" ? intake.target : undefined;
  const instead = [...idsDelivered(webhook), ...idsGiven(historicalIntake?.target).keys()].find(
    (name) => nounOfId(name) === noun,
  );
  if (instead === undefined) return undefined;
  const body = webhook?.commands.get("delivery_id")?.program?.node.value.trim();
  const isDelivery = body === ".body.id";
  const given = idsGiven(historicalIntake?.target);
  return isDelivery || (given.get(instead) === "id" && given.has("id") && given.get("id") !== "id")
    ? { instead, isDelivery }
    : undefined;
}

/** The ids that deliveries are routed by. */
const idsDelivered = (webhook: IntakeSymbol | undefined): readonly string[] =>
  ["resource_id", "account_id"].flatMap((member) => {
    const program = webhook?.commands.get(member)?.program;
    return program === undefined ? [] : (nameOfValue(plainBody(program)) ?? []);
  });

/** The ids of the items that a polling intake makes, with the member that each is read from. */
function idsGiven(intake: IntakeSymbol | undefined): ReadonlyMap<string, string | undefined> {
  const given = new Map<string, string | undefined>();
  const request = intake?.commands.get("request");
  for (const step of request?.children ?? [])
    for (const { entries } of step?.program === undefined ? [] : nodesOfKind(step.program, "Object"))
      for (const { key, value } of entries) {
        const name = nameOf(key);
        if (name !== undefined && isIdName(name)) given.set(name, value && nameOfValue(value));
      }
  return given;
}

/** The list that a chosen record is of, where a request has nothing else in it, and asks another list. */
function otherList(
  { root, fields, fieldExact, syntax, command }: Expansion,
  noun: string,
  workflow: WorkflowSymbol,
  model: Model,
): string | undefined {
  const [field] = fields;
  if (root !== "custom_data" || !fieldExact || field === undefined || syntax.path[2]?.text !== "value")
    return undefined;
  const nouns = kindOfField(field, flowOf(model))?.nouns;
  if (nouns === undefined || [...nouns].some((each) => mayBeSame(each, noun))) return undefined;
  const beside = partOfUnit(workflow, model).expansions.some(
    (each) => each.command === command && each.root !== "custom_data",
  );
  if (beside) return undefined;
  for (const each of model.expansions) {
    if (each.position !== "path" || each.fields[0] !== field) continue;
    const list = /\/([\w-]+)\/$/.exec(each.node.value.slice(0, each.syntax.start))?.[1] ?? "";
    if (nouns.has(nounOf(list) ?? "")) return list;
  }
  return undefined;
}

/** Where a delivery is routed by the id of another record than the setup gives. */
export function routedByOther(workflow: WorkflowSymbol, model: Model) {
  const intake = workflow.intake?.target;
  if (intake?.type !== "webhook") return [];
  return ["resource_id", "account_id"].flatMap((member) => {
    const program = intake.commands.get(member)?.program;
    const setup = setupValue(workflow, member, model);
    if (program === undefined || setup === undefined) return [];
    const body = plainBody(program);
    const flow = flowOf(model);
    const field = chosenField(setup.program, workflow.fields);
    const given = kindOf(body, program, flow);
    const wanted = field === undefined ? kindOf(setup.value, setup.program, flow) : kindOfField(field, flow);
    if (given === undefined || wanted === undefined) return [];
    const nouns = [...wanted.nouns];
    if (nouns.some((noun) => given.nouns.has(noun))) return [];
    const mayBe = nouns.some((noun) => [...given.nouns].some((each) => mayBeSame(each, noun)));
    const ids = [...idsDelivered(intake), ...idsGiven(workflow.historicalIntake?.target).keys()];
    const known = ids.find((name) => wanted.nouns.has(nounOfId(name) ?? "")) ?? idTold(intake, wanted.nouns);
    const filter =
      known === undefined && field !== undefined ? filterBy(field, given, workflow, model) : undefined;
    const instead = known ?? filter;
    // A merchant may be called an account, but not where the delivery has both.
    if (instead === undefined || (mayBe && !isNamedAside(given, nouns, instead, intake))) return [];
    // `In events forms are called pages: page_id is a form's id.`
    const what = new RegExp(`\\b(?:${nouns.map(escapedPattern).join("|")})s?(?:'s?)? ids?\\b`, "i");
    if (saysOf(given.read.replace(/^.*\./, ""), what, program.command, model)) return [];
    const at = { node: program.node, from: body.start, to: body.end };
    const args = { at, member, read: given.read, wanted: nouns.join(", "), instead };
    return [filter === undefined ? args : { ...args, isFilter: true }];
  });
}

/**
 * The id that the history is asked by with what the customer chose, `?department_id=…`, where the id that is delivered is used for a list of
 * its own kind: `/permit-types/${piped_content.0.permit_type_id}`.
 */
function filterBy(
  field: FieldSymbol,
  { read }: RecordKind,
  workflow: WorkflowSymbol,
  model: Model,
): string | undefined {
  const history = workflow.historicalIntake?.target;
  const own = read.replace(/^.*\./, "");
  const noun = nounOfId(own);
  if (history?.type !== "polling" || noun === undefined) return undefined;
  const isOfList = partOfUnit(workflow, model).expansions.some(({ position, syntax, node }) => {
    if (position !== "path" || syntax.path.at(-1)?.text !== own) return false;
    const list = /\/([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1] ?? "";
    return isPlural(list) && nounOf(list) === noun;
  });
  const asked = isOfList
    ? partOfUnit(history, model).expansions.find(
        ({ position, fields, syntax, node }) =>
          position === "parameter" &&
          fields[0] === field &&
          syntax.start === 0 &&
          syntax.end === node.value.length,
      )
    : undefined;
  const name = asked && memberWith(asked);
  const isOfField = name !== undefined && nounOfId(name) === nounOf(field.id ?? "");
  return isOfField && nounOf(field.id ?? "") !== undefined ? name : undefined;
}

/** Where a connection is known by the id of another record than deliveries are routed by, of which the program reads something, too. */
function connectedByOther(workflow: WorkflowSymbol, model: Model) {
  const intake = workflow.intake?.target;
  const delivered = intake?.type === "webhook" ? intake.commands.get("account_id")?.program : undefined;
  const setup =
    delivered === undefined || delivered.diagnostics.length > 0
      ? undefined
      : setupValue(workflow, "account_id", model);
  if (delivered === undefined || setup === undefined) return undefined;
  const { program, value } = setup;
  const [given, wanted] = [idRead(plainBody(delivered)), idRead(value)];
  if (given === undefined || wanted === undefined || given.owner === wanted.owner) return undefined;
  const [one, other] = [given.owner, wanted.owner].map((each) => nounOf(each));
  if (one === undefined || other === undefined) return undefined;
  if (one === other || mayBeSame(one, other)) return undefined;
  const reads = nodesOfKind(program, "Postfix").some(({ suffixes }) =>
    suffixes.some(
      (suffix, index) =>
        suffix.kind === "Field" &&
        suffix.key.kind === "Name" &&
        suffix.key.text === given.owner &&
        suffixes[index + 1]?.kind === "Field",
    ),
  );
  if (!reads) return undefined;
  const at = { node: program.node, from: value.start, to: value.end };
  return { at, args: { read: wanted.read, given: given.read, noun: given.owner } };
}

/** `office` of `.office.id | tostring`. */
function idRead(given: Expression): { readonly owner: string; readonly read: string } | undefined {
  const node = bare(given);
  const [first, ...others] = node.kind === "Pipeline" ? node.stages : [node];
  const isText = others.every(
    (stage) => stage.kind === "Call" && /^to(?:string|number)$/.test(stage.name.text),
  );
  const read = first !== undefined && isText && isExpression(first) ? bare(first) : undefined;
  if (read?.kind !== "Postfix" || !/^(?:Identity|Variable|Hole)$/.test(read.head.kind)) return undefined;
  const names = read.suffixes.map((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : "",
  );
  return names.length >= 2 && names.at(-1) === "id" && names.every((name) => name !== "")
    ? { owner: names.at(-2)!, read: names.join(".") }
    : undefined;
}

/** The id of a kind of record that the intake's own comment says deliveries have: `told apart by agency.office_id`. */
const idTold = (intake: IntakeSymbol, nouns: ReadonlySet<string>): string | undefined =>
  idsTold(intake).find((path) => nouns.has(nounOfId(path.split(".").at(-1)!) ?? ""));

/** All ids that it speaks of. */
function idsTold({ node }: IntakeSymbol): readonly string[] {
  const comment = node.get("_comment");
  const lines = comment?.kind === "array" ? comment.items : comment === undefined ? [] : [comment];
  return lines.flatMap((line) =>
    line.kind === "string" ? [...line.value.matchAll(idPath)].map(([path]) => path) : [],
  );
}

const idPath = /(?<![\w.])(?:[A-Za-z]\w*\.){0,3}[A-Za-z]\w*(?:_id|Id)(?!\w|\.\w)/g;

/** Whether two names of one family are of two things: the intake's comment has both. */
function isNamedAside(
  { nouns, read }: RecordKind,
  wanted: readonly string[],
  instead: string,
  intake: IntakeSymbol,
): boolean {
  const own = read.split(".").at(-1)!;
  if (!nouns.has(nounOfId(own) ?? "") || wanted.length > 1) return false;
  const told = new Set(idsTold(intake).map((path) => path.split(".").at(-1)));
  return told.has(own) && told.has(instead.split(".").at(-1));
}

/** What the setup gives to route by, as it is written. */
export function setupValue(
  { node }: WorkflowSymbol,
  member: string,
  model: Model,
): { readonly program: JqProgram; readonly value: Expression } | undefined {
  const isAccount = member === "account_id";
  let at: JsonNode | undefined = node;
  for (const name of isAccount
    ? ["setup", "connect", "describe_connection"]
    : ["setup", "select", "describe_selection", "resource_id"])
    at = at?.kind === "object" ? at.get(name) : undefined;
  const command = flowOf(model).plainAt(at);
  const program = (command?.key === "!pipe" ? command.children.at(-1) : command)?.program;
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const object = isAccount ? finalObject(program) : undefined;
  const value = isAccount ? object && entryOf(object, member)?.value : plainBody(program);
  return value === undefined ? undefined : { program, value: bare(value) };
}
