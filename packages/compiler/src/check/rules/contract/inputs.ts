import { constant, type Type } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { readResource } from "../../../bind/resource.ts";
import { extractInput, saveInput, shaInput, switchIndex, syncInput } from "../../../flow/contracts.ts";
import { flowOf } from "../../../flow/flow.ts";
import { itemKeys } from "../../../flow/outputs.ts";
import { everyOutput, stepBefore } from "../../../flow/producers.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { violates } from "../../../flow/violation.ts";
import { type Witness, witnessesInProgram, witnessesOf } from "../../../flow/witnesses.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { reportViolations, type ViolationRule, violationRule } from "./violation-rule.ts";

const saveRule = violationRule({
  id: "contract/save-input",
  summary: "`!save` gets something other than an object",
  why: "`!save` stores each member of its input under its name. A string or a list has no names, so the command fails, and what it should save, such as the id of a webhook, is lost.",
  guards: ["command.!save", "D24"],
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      bad: '"«[{hook_id: .id}]»"',
      good: '"{hook_id: .id}"',
      also: ["reference/unknown-saved-key"],
    },
  ],
});

const shaRule = violationRule({
  id: "contract/sha-input",
  summary: "`!sha` gets something other than `{value_to_encrypt: string}`",
  why: "`!sha` hashes the string in `value_to_encrypt`. Without it the command fails.",
  guards: ["command.!sha", "D26"],
  examples: [
    {
      title: "D26: another name",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "«{value: .email}»"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
      fixed:
        '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
    },
    {
      title: "D26: a number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: (.email | «length»)}"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: (.email | length | tostring)}"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
    },
  ],
});

const extractRule = violationRule({
  id: "contract/extract-input",
  summary: "`!extract` gets something other than an object with the members it takes",
  why: "`!extract` takes members of an object by name. It fails on anything else, and leaves out a member that the object never has.",
  guards: ["command.!extract", "D26"],
  examples: [
    {
      title: "D26: another name",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "«{mail: .email}»"}, {"!extract": {"item_keys": ["email"], "to_json": false}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}, {"!extract": {"item_keys": ["email"], "to_json": false}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email}"}, {"!extract": {"item_keys": ["email"], "to_json": false}}]}',
    },
    {
      title: "D26: a list",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "«[.email]»"}, {"!extract": {"item_keys": ["email"], "to_json": false}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}, {"!extract": {"item_keys": ["email"], "to_json": false}}]}',
    },
  ],
});

const switchRule = violationRule({
  id: "contract/switch-index",
  summary: "The program of a `!switch` must give a number",
  why: "The program gives the number of the case that runs, counted from 0. A comparison gives true or false, and no case has that number.",
  guards: ["command.!switch", "D26"],
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "«.kind == \\"new\\"»", "cases": [{"!jq": "{email: .email}"}, {"!jq": "{email: .mail}"}]}}',
      good: '{"!switch": {"jq": "if .kind == \\"new\\" then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "{email: .mail}"}]}}',
    },
  ],
});

const syncRule = violationRule({
  id: "contract/sync-input",
  summary: "`Platform.sync` gets something other than `{contact, account, deal, customObjects}`",
  why: "`Platform.sync` takes an object with the members `contact`, `account`, `deal` and `customObjects`. Each is an object of fields, or a list of such objects. Nothing is written from any other input.",
  guards: ["command.!resource", "D25", "D46"],
  examples: [
    {
      title: "D46",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{contact: (.email | «tostring»)}"}, {"!resource": "Platform.sync"}]}',
      good: '{"!pipe": [{"!jq": "{contact: {email: .email}}"}, {"!resource": "Platform.sync"}]}',
    },
    {
      title: "D46: a list",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "«[{contact: {email: .email}}]»"}, {"!resource": "Platform.sync"}]}',
      good: '{"!pipe": [{"!jq": "{contact: {email: .email}}"}, {"!resource": "Platform.sync"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [saveRule, shaRule, extractRule, switchRule, syncRule],
  checks: {
    command: {
      "!save"(command, report, model) {
        reportInput(saveRule, command, saveInput, report, model);
      },
      "!sha"(command, report, model) {
        reportInput(shaRule, command, shaInput, report, model);
      },
      "!extract"(command, report, model) {
        const wanted = extractInput(itemKeys(command.argument) ?? [], flowOf(model).input(command));
        reportInput(extractRule, command, wanted, report, model);
      },
      "!resource"(command, report, model) {
        const { argument } = command;
        if (argument?.kind !== "string") return;
        const { target, part } = readResource(argument, model.settings);
        if (target?.spec?.name === "" && part === "sync")
          reportInput(syncRule, command, syncInput, report, model, `\`${argument.value}\``);
      },
      "!switch"({ program, children }, report, model) {
        if (program === undefined || children.length === 0) return;
        const flow = flowOf(model);
        const offenders = witnessesInProgram(program, switchIndex, flow, everyOutput(program, flow)).filter(
          // `command/switch-index` tells of constants.
          ({ expression }) =>
            expression === undefined || constant({ ...program.tree, body: expression }) === undefined,
        );
        reportViolations(switchRule, "the index of a `!switch`", offenders, report);
      },
    },
  },
};
export default module;

function reportInput(
  rule: ViolationRule,
  command: Command,
  wanted: Type,
  report: Report,
  model: Model,
  what = `\`${command.key}\``,
): void {
  reportViolations(rule, `the input of ${what}`, inputOffenders(command, wanted, flowOf(model)), report);
}

function inputOffenders(command: Command, wanted: Type, flow: TypeFlow): readonly Witness[] {
  const before = stepBefore(command);
  if (before !== undefined) return witnessesOf(before, wanted, flow);
  const found = flow.input(command);
  return violates(found, wanted) ? [{ at: command.member.key, found, wanted, path: [] }] : [];
}
