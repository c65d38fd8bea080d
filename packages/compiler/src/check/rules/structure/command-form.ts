import { resourcesOf } from "../../../bind/resource.ts";
import { defineRule, type Edit } from "../../../findings/rule.ts";
import { commandSpecs, places } from "../../../language/index.ts";
import type { Settings } from "../../../options/settings.ts";
import { spanOf } from "../../../parse/document.ts";
import { nodeAt } from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { wrap } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { capitalized, excerpt, oneOfNames } from "../../message-text.ts";
import { memberAt } from "../http/at.ts";
import { describeNode } from "./values.ts";

const keys = commandSpecs.map(({ key }) => key);

const notACommand = defineRule<{
  place: string;
  found: string;
  staticToo: boolean;
  list: boolean;
  /** The command that a text stands for, as JSON. */
  meant?: string;
}>({
  id: "command/not-a-command",
  severity: "error",
  summary: "A plain value is used where a command is expected",
  why: 'This value is calculated when the app runs, so it must be a command: an object with one key that starts with `!`. Write a constant as a program, `{"!jq": "1"}`.',
  guards: ["D15"],
  message: ({ place, found, staticToo }) =>
    `${capitalized(place)} must be a command${staticToo ? " or a static list" : ""}. It is ${found}.`,
  help: ({ list, meant }) => {
    if (list) return 'To run several commands in a row, write `{"!pipe": […]}`.';
    if (meant !== undefined) return `As a command, write \`${excerpt(meant)}\`.`;
    return `A command is an object with one of ${oneOfNames(keys)}.`;
  },
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '«[»{"!jq": "{email: .email}"}]',
      good: '{"!pipe": [{"!jq": "{email: .email}"}]}',
      fixed: '{"!pipe": [{"!jq": "{email: .email}"}]}',
    },
    {
      title: "D15: a program without its command",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '«"{email: .email}"»',
      good: '{"!jq": "{email: .email}"}',
      fixed: '{"!jq": "{email: .email}"}',
    },
    {
      title: "D15: a text with an expansion",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/resource_id",
      bad: '«"form ${custom_data.form.value}"»',
      good: '{"!jq": "\\"form ${custom_data.form.value}\\""}',
      fixed: '{"!jq": "\\"form ${custom_data.form.value}\\""}',
    },
    {
      title: "D25: a resource",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '«"PlatformContact"»',
      good: '{"!resource": "PlatformContact"}',
      fixed: '{"!resource": "PlatformContact"}',
    },
  ],
  fixes: ({ args, at }, { document }) => {
    if (args.meant !== undefined) {
      const edits = [{ ...spanOf(document, at), newText: args.meant }];
      return [{ title: "Write it as a command", safe: false, edits }];
    }
    if (!args.list) return [];
    const node = nodeAt(document.root, "start" in at ? at.start : -1);
    return node === undefined
      ? []
      : [{ title: "Wrap in `!pipe`", safe: true, edits: wrap(node, '{"!pipe": ', "}") }];
  },
});

const severalCommands = defineRule<{ first: string; second: string }>({
  id: "command/several-commands",
  severity: "error",
  summary: "An object holds two commands",
  why: "An object is one command. Its members have no order, so it isn't clear which one runs first.",
  guards: ["D15"],
  message: ({ first, second }) =>
    `An object is one command, but this one has both \`${first}\` and \`${second}\`.`,
  help: () => "Make each its own object, as steps of a `!pipe`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email}", «"!print_c"»: "done"}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}, {"!print_c": "done"}]}',
      fixed: '{"!pipe": [{"!jq": "{email: .email}"}, {"!print_c": "done"}]}',
    },
    {
      title: "in a pipe",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!print_c": "begins", «"!jq"»: "{email: .email}"}]}',
      good: '{"!pipe": [{"!print_c": "begins"}, {"!jq": "{email: .email}"}]}',
      fixed: '{"!pipe": [{"!print_c": "begins"}, {"!jq": "{email: .email}"}]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const object = memberAt(document, at)?.parent;
    const [first, ...others] = object?.members ?? [];
    if (object === undefined || first === undefined || others.length === 0) return [];
    if (!object.members.every(({ name }) => name.startsWith("!"))) return [];
    const split = others.map((member, index) => ({
      start: object.members[index]!.end,
      end: member.start,
      newText: "}, {",
    }));
    const list = object.parent?.kind === "array" ? object.parent : undefined;
    if (list?.parent?.kind === "member" && list.parent.name === "!pipe")
      return [{ title: "Split into steps of the `!pipe`", safe: false, edits: split }];
    const [before, after] = wrap(object, '{"!pipe": [', "]}") as [Edit, Edit];
    return [{ title: "Split into steps of a `!pipe`", safe: false, edits: [before, ...split, after] }];
  },
});

const memberBesideCommand = defineRule<{ name: string; command: string }>({
  id: "command/member-beside-command",
  severity: "error",
  summary: "A command has another member beside it",
  why: "A command is an object with exactly one key. The platform refuses or ignores another one. Usually it belongs one level deeper, in the command's argument.",
  guards: ["D15"],
  message: ({ name, command }) =>
    `A command has exactly one key, so \`${name}\` can't be beside \`${command}\`.`,
  help: ({ command }) => `If it belongs to the command, move it into the value of \`${command}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      bad: '{"!pipe": [{"!http": {"path": "/me"}, «"method"»: "GET"}, {"!jq": "{account_id: .id, description: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me", "method": "GET"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
    },
  ],
});

const misplacedCommand = defineRule<{ command: string; places: readonly string[] }>({
  id: "command/misplaced-command",
  severity: "error",
  summary: "A command doesn't work here",
  why: "`!respond` answers the caller of a webhook, and only `verification` has a caller to answer.",
  guards: ["D26"],
  message: ({ command, places }) => `\`${command}\` only works in ${places.join(" or ")}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{«"!respond"»: {"code": 200}}',
      good: '{"!resource": "PlatformContact"}',
    },
  ],
});

const commandInData = defineRule<{ command: string; within: string }>({
  id: "command/command-in-data",
  severity: "warning",
  summary: "A command inside a request's body, parameters or headers is sent as data",
  why: "Everything below `body`, `params` and `headers` is data: the command isn't run but sent as written. Calculate the value in an earlier step and use `${piped_content.N}`.",
  guards: ["D15"],
  message: ({ command, within }) =>
    `\`${command}\` doesn't run here. Everything in ${within} is sent as written.`,
  help: () => "Calculate the value in an earlier step and read it with `${piped_content.N}`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": {«"!jq"»: ".webhook.url"}}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [notACommand, severalCommands, memberBesideCommand, misplacedCommand, commandInData],
  checks: {
    structure: {
      "not-a-command"({ node, title, staticToo, givesText }, report, { settings }) {
        const container = node.kind === "object" || node.kind === "array";
        const at = container ? { start: node.start, end: node.start + 1 } : node;
        const found = node.kind === "object" ? "an object without a command" : describeNode(node);
        const args = { place: title, found, staticToo, list: node.kind === "array" };
        const meant =
          node.kind === "string" ? commandFor(node.value, givesText === true, settings) : undefined;
        report(notACommand, at, meant === undefined ? args : { ...args, meant });
      },
      "several-commands"({ first, second }, report) {
        report(severalCommands, keyOf(second), { first: first.name, second: second.name }, [
          { message: "the first command", at: first.key },
        ]);
      },
      "member-beside-command"({ member, command }, report) {
        report(memberBesideCommand, keyOf(member), { name: member.name, command: command.name }, [
          { message: "the command", at: command.key },
        ]);
      },
      "misplaced-command"({ member, spec }, report) {
        report(misplacedCommand, keyOf(member), {
          command: spec.key,
          places: (spec.places ?? []).map((place) => places[place].title),
        });
      },
      "command-in-data"({ member, within }, report) {
        report(commandInData, keyOf(member), { command: member.name, within });
      },
    },
  },
};
export default module;

/** The command that an author means who writes a text in its place: a resource, a program, or what the program is to give. */
function commandFor(text: string, givesText: boolean, settings: Settings): string | undefined {
  if (resourcesOf(settings).has(text.split(".")[0]!)) return `{"!resource": ${JSON.stringify(text)}}`;
  const template = parseTemplate(text);
  if ((template !== undefined && isWhole(template)) || /^[.[{(]/.test(text))
    return `{"!jq": ${JSON.stringify(text)}}`;
  return givesText ? `{"!jq": ${JSON.stringify(JSON.stringify(text))}}` : undefined;
}
