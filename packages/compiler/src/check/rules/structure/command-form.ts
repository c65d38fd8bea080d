import { commandSpecs, places } from "../../../language/index.ts";
import { nodeAt } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { wrap } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { defineRule } from "../../rule.ts";
import { oneOfNames } from "../../words.ts";
import { describeNode } from "./values.ts";

const keys = commandSpecs.map(({ key }) => key);

const notACommand = defineRule<{ place: string; found: string; staticToo: boolean; list: boolean }>({
  id: "command/not-a-command",
  severity: "error",
  summary: "A plain value where a command is expected",
  why: 'The value here is worked out when the app runs, so it has to be a command: an object with one key that starts with `!`. A constant is written as a program, `{"!jq": "1"}`.',
  guards: ["D15"],
  message: ({ place, found, staticToo }) =>
    `${place.charAt(0).toUpperCase()}${place.slice(1)} takes a command${staticToo ? " or a static list" : ""}, and this is ${found}.`,
  help: ({ list }) =>
    list
      ? 'Several commands in a row are one `{"!pipe": […]}`.'
      : `A command is an object with one of ${oneOfNames(keys)}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '«[»{"!jq": "{email: .email}"}]',
      good: '{"!pipe": [{"!jq": "{email: .email}"}]}',
      fixed: '{"!pipe": [{"!jq": "{email: .email}"}]}',
    },
  ],
  fixes: ({ args, at }, { document }) => {
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
  summary: "Two commands in one object",
  why: "An object is one command; members have no order, so it couldn't be said which runs first.",
  guards: ["D15"],
  message: ({ first, second }) =>
    `An object is one command, and this one has \`${first}\` and \`${second}\`.`,
  help: () => "Put each into an object of its own, as steps of a `!pipe`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email}", «"!print_c"»: "done"}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}, {"!print_c": "done"}]}',
    },
  ],
});

const memberBesideCommand = defineRule<{ name: string; command: string }>({
  id: "command/member-beside-command",
  severity: "error",
  summary: "Another member beside a command",
  why: "A command is an object with exactly one key. What stands beside it is refused or ignored; usually it belongs one level deeper, into the command's argument.",
  guards: ["D15"],
  message: ({ name, command }) => `\`${name}\` can't stand beside \`${command}\`.`,
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
  summary: "A command where it has no meaning",
  why: "`!respond` answers the caller of a webhook, and only in `verification` is there a caller to answer.",
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
  summary: "A command inside a request's body, parameters or headers",
  why: "Below `body`, `params` and `headers` everything is data: the command isn't run, it is sent as it stands. Work the value out in a step before and use `${piped_content.N}`.",
  guards: ["D15"],
  message: ({ command, within }) =>
    `\`${command}\` isn't run here: everything in ${within} is sent as it is.`,
  help: () => "Work the value out in a step before, and read it with `${piped_content.N}`.",
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
      "not-a-command"({ node, title, staticToo }, report) {
        const container = node.kind === "object" || node.kind === "array";
        const at = container ? { start: node.start, end: node.start + 1 } : node;
        const found = node.kind === "object" ? "an object without one" : describeNode(node);
        report(notACommand, at, {
          place: title,
          found,
          staticToo,
          list: node.kind === "array",
        });
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
