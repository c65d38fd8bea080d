import type { Command, IntakeSymbol, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { mayBeSame } from "../../../flow/nouns.ts";
import { outputTrails } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { kindOf, kindOfField, type RecordKind } from "../../../flow/record-kind.ts";
import { registeredEvents } from "../../../flow/registered-events.ts";
import { memberValue } from "../../../parse/member-value.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { routedByOther, setupValue } from "./other-id.ts";
import { areOther, chosenField, deliveredAs, setupGives, sharedWebhook } from "./routing.ts";

const otherNoun = defineRule<{ delivered: string; noun: string }>({
  id: "value/routed-by-other-record",
  severity: "hint",
  summary: "A delivery is routed by the id of another kind of record than customers choose",
  why: "What a delivery names is compared with what the customer chose. The id of another record never matches: each delivery is accepted and goes to nobody.",
  guards: ["webhook.resource_id", "describe_selection.resource_id", "D31"],
  message: ({ delivered, noun }) =>
    `Deliveries are routed by \`${delivered}\`; the field, its list and \`resource_type\` are about \`${noun}\`.`,
  because: ({ delivered, noun }) => [
    `customers choose one of \`${noun}\``,
    `the delivery is routed by its \`${delivered}\``,
  ],
  help: () => "Take the id of what customers choose.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        ...sharedWebhook,
        "/workflows/0/resource_type": '"forms"',
      },
      bad: '{«"!jq"»: ".answer.page_id"}',
      good: '{"!jq": ".answer.form_id"}',
    },
  ],
});

const ownRecord = defineRule<{ delivered: string; noun: string; event: string }>({
  id: "value/routed-by-own-record",
  severity: "warning",
  summary: "A delivery is routed by the id of the record that the event is about",
  why: "What a delivery names is compared with what the customer chose at setup. The record that an event is about is made or changed afterwards, and is another one each time. Its id never matches: each delivery is accepted and goes to nobody.",
  guards: ["webhook.resource_id", "describe_selection.resource_id", "D31"],
  message: ({ delivered, noun, event }) =>
    `\`${delivered}\` is the record that \`${event}\` is about. Customers chose one of \`${noun}\`.`,
  because: ({ delivered, noun }) => [
    `customers choose one of \`${noun}\``,
    `the delivery is routed by its own \`${delivered}\`, which nobody chose`,
  ],
  help: ({ noun }) => `Take the id that the delivery has of \`${noun}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        ...sharedWebhook,
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["answer.created", "answer.deleted"]}',
        "/workflows/0/resource_type": '"forms"',
      },
      bad: '{«"!jq"»: ".answer.id"}',
      good: '{"!jq": ".answer.form_id"}',
    },
    {
      title: "The workflow is about the events, the choice is about forms",
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        ...sharedWebhook,
        "/data_intake/0/create/!pipe/0/!http/body": '{"url": "${webhook.url}", "events": ["delivery.done"]}',
        "/workflows/0/resource_type": '"deliveries"',
      },
      bad: '{«"!jq"»: ".delivery.id | tostring"}',
      good: '{"!jq": ".delivery.form_id | tostring"}',
    },
  ],
});

const selectedAccount = defineRule<{ delivered: string; noun: string }>({
  id: "value/account-of-selection",
  severity: "warning",
  summary: "A delivery's account is read from the record that customers choose",
  why: "`account_id` tells whose connection a delivery belongs to, and is compared with what `describe_connection` gave. The id of the chosen record never equals it, so each delivery goes to nobody.",
  guards: ["webhook.account_id", "connect.describe_connection", "D31"],
  message: ({ delivered, noun }) =>
    `The \`account_id\` of a delivery is \`${delivered}\`, the ${noun} that is chosen. The connection is known by something else.`,
  because: ({ delivered, noun }) => [
    `\`account_id\` and \`resource_id\` are both \`${delivered}\``,
    `\`describe_connection\` gives the id of an account, not of a ${noun}`,
  ],
  help: () => "Read the id of the account, as `describe_connection` gives it.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/account_id",
      with: {
        ...sharedWebhook,
        "/data_intake/0/resource_id": '{"!jq": ".form.id"}',
        "/workflows/0/setup/connect/describe_connection":
          '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .account.id, description: .account.name}"}]}',
      },
      bad: '{«"!jq"»: ".form.id"}',
      good: '{"!jq": ".account.id"}',
    },
  ],
});

const accountForSelection = defineRule<{ delivered: string; noun: string }>({
  id: "value/selection-of-account",
  severity: "warning",
  summary: "A delivery is routed by its account where the chosen record belongs",
  why: "`resource_id` tells which of the chosen records a delivery is about, and is compared with what the customer chose. The id of the account, which `account_id` has already, never equals it: each delivery goes to nobody.",
  guards: ["webhook.resource_id", "describe_selection.resource_id", "D31"],
  message: ({ delivered, noun }) =>
    `The \`resource_id\` of a delivery is \`${delivered}\`, as its \`account_id\` is. Customers choose a ${noun}.`,
  because: ({ delivered, noun }) => [
    `\`account_id\` and \`resource_id\` are both \`${delivered}\`, by which the connection is known`,
    `the setup gives the id of a ${noun}`,
  ],
  help: ({ noun }) => `Read the id of the ${noun} that the delivery is about.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        ...sharedWebhook,
        "/data_intake/0/account_id": '{"!jq": ".account.id"}',
        "/workflows/0/setup/connect/describe_connection":
          '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .account.id, description: .account.name}"}]}',
      },
      bad: '{«"!jq"»: ".account.id"}',
      good: '{"!jq": ".form.id"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherNoun, ownRecord, selectedAccount, accountForSelection],
  checks: {
    workflow(workflow, report, model) {
      const intake = workflow.intake?.target;
      const account = intake?.type === "webhook" ? accountSelected(workflow, intake, model) : undefined;
      if (account !== undefined)
        report(selectedAccount, account.command.member.key, { delivered: account.read, noun: account.noun });
      const command = intake?.type === "webhook" ? intake.commands.get("resource_id") : undefined;
      if (intake === undefined || command === undefined) return;
      const noun = account === undefined ? accountFor(workflow, intake, model) : undefined;
      if (noun !== undefined) return report(accountForSelection, command.member.key, noun);
      const delivered = deliveredAs(intake, "resource_id", model);
      const selected = setupGives(workflow, ["select", "describe_selection", "resource_id"], model);
      // Another kind of value is told as that.
      if (delivered?.role !== "id" || selected === undefined || areOther(delivered, selected)) return;
      if (routedByOther(workflow, model).length > 0) return;
      const typed = nounChosen(workflow);
      const chosen = typed ?? nounOffered(workflow, model);
      const own = chosen === undefined ? undefined : kindRouted(command, model);
      if (chosen === undefined || own === undefined || isOneOf(chosen, own.nouns)) return;
      const event = eventAbout(own.nouns, intake);
      if (event === undefined) {
        if (typed !== undefined) report(otherNoun, command.member.key, { delivered: own.read, noun: chosen });
      } else if (typed !== undefined || ![...own.nouns].some((each) => mayBeSame(chosen, each)))
        report(ownRecord, command.member.key, { delivered: own.read, noun: chosen, event });
    },
  },
};
export default module;

/** The account of a delivery, where it is read as the record that customers choose, and the connection is something else. */
function accountSelected(workflow: WorkflowSymbol, intake: IntakeSymbol, model: Model) {
  const [command, resource] = ["account_id", "resource_id"].map((name) => intake.commands.get(name));
  const selected = flowOf(model).plainAt(
    memberValue(workflow.node, "setup", "select", "describe_selection", "resource_id"),
  );
  const noun = chosenField(selected?.program, workflow.fields)?.id;
  if (command === undefined || resource === undefined || noun === undefined) return undefined;
  // Told as that.
  if (routedByOther(workflow, model).length > 0) return undefined;
  const [own, chosen] = [command, resource].map((each) => kindRouted(each, model));
  if (own === undefined || own.read !== chosen?.read || !/\w\.\w/.test(own.read)) return undefined;
  if (![...own.nouns].some((each) => isSameNoun(noun, each))) return undefined;
  const given = flowOf(model).plainAt(memberValue(workflow.node, "setup", "connect", "describe_connection"));
  const trails = given === undefined ? [] : outputTrails(flowOf(model), given, ["account_id"]);
  const isOther = trails.every(
    ({ origin }) =>
      origin.kind === "response" &&
      !origin.path.some((name) => isSameNoun(noun, name)) &&
      !(textOf(origin.command.argument, "path") ?? "").includes(noun),
  );
  return trails.length > 0 && isOther ? { command, read: own.read, noun } : undefined;
}

const isOneOf = (noun: string, nouns: ReadonlySet<string>): boolean =>
  [...nouns].some((each) => isSameNoun(noun, each));

/** Where a delivery's account, by which the connection is known, stands for the record that customers choose as well. */
function accountFor(workflow: WorkflowSymbol, intake: IntakeSymbol, model: Model) {
  const [command, resource] = ["account_id", "resource_id"].map((name) => intake.commands.get(name));
  if (command === undefined || resource === undefined) return undefined;
  const [own, routed] = [command, resource].map((each) => kindRouted(each, model));
  if (own === undefined || own.read !== routed?.read || !/\w\.\w/.test(own.read)) return undefined;
  const noun = nounOffered(workflow, model);
  if (noun === undefined || [...own.nouns].some((each) => isSameNoun(noun, each) || mayBeSame(noun, each)))
    return undefined;
  // Told as that.
  if (routedByOther(workflow, model).length > 0) return undefined;
  const setup = setupValue(workflow, "account_id", model);
  const known = setup === undefined ? undefined : kindOf(setup.value, setup.program, flowOf(model));
  return known !== undefined && [...known.nouns].some((each) => isOneOf(each, own.nouns))
    ? { delivered: own.read, noun }
    : undefined;
}

/** A registered event about a record of that name, where all are: `lease.signed`. */
function eventAbout(nouns: ReadonlySet<string>, intake: IntakeSymbol): string | undefined {
  const create = intake.commands.get("create");
  const { events } = registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? [])) ?? {
    events: [],
  };
  const isAbout = (event: string): boolean =>
    [...nouns].some((noun) => /[._/:-]/.test(event) && isSameNoun(event.split(/[._/:-]/)[0]!, noun));
  return events.every(isAbout) ? events[0] : undefined;
}

/** What kind of record a payload is routed by. */
function kindRouted({ program }: Command, model: Model): RecordKind | undefined {
  return program === undefined || program.diagnostics.length > 0
    ? undefined
    : kindOf(plainBody(program), program, flowOf(model));
}

/** The noun that the one field of a form, the list of its options and `resource_type` have in common. */
function nounChosen({ node, fields }: WorkflowSymbol): string | undefined {
  const type = textOf(node, "resource_type");
  const required = fields.filter(
    (field) => field.required && field.type === "dropdown" && field.node.get("options")?.kind !== "array",
  );
  const [field] = required;
  if (type === undefined || field?.id === undefined || required.length !== 1) return undefined;
  return isSameNoun(type, field.id) ? type : undefined;
}

/**
 * The noun that the chosen field and the list of its options have in common. `resource_type` may be what an event is about instead: with
 * `gifts` of an appeal, customers choose the appeal.
 */
function nounOffered({ node, fields }: WorkflowSymbol, model: Model): string | undefined {
  const selection = flowOf(model).commandAt(
    memberValue(node, "setup", "select", "describe_selection", "resource_id"),
  );
  const field = chosenField(selection?.program, fields);
  const [noun, ...others] = field === undefined ? [] : (kindOfField(field, flowOf(model))?.nouns ?? []);
  return others.length === 0 ? noun : undefined;
}

/** `forms` and `form`. */
function isSameNoun(a: string, b: string): boolean {
  const [first, second] = [a, b].map((noun) =>
    noun
      .toLowerCase()
      .replace(/[^a-z]/g, "")
      .replace(/(?:ies|y|e?s)$/, ""),
  );
  return first!.startsWith(second!) || second!.startsWith(first!);
}
