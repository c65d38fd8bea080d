import type { Expression } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type { Command, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { partAt, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { underlying } from "../../../flow/underlying.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const otherAccount = defineRule<{ id: string; other: string; workflow: string }>({
  id: "setup/other-account",
  severity: "warning",
  summary: "One workflow identifies an account otherwise than the others do",
  why: "`account_id` says which account a connection is for. By a name, two accounts of one name are taken for one, and a renamed account for another, so customers' data goes to the wrong place.",
  guards: ["connect.describe_connection", "D52"],
  message: ({ id, other, workflow }) =>
    `\`account_id\` is \`${id}\` here and \`${other}\` in \`${workflow}\`, of the same answer.`,
  because: ({ id, other }) => [`here: \`${id}\``, `elsewhere: \`${other}\``],
  help: ({ other }) => `Write \`account_id: ${other}\` here too.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      with: {
        "/workflows/1":
          '{"name": "acme-add-a-person", "label": "Acme - Add a person", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: «.name», description: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .id, description: .name}"}]}',
    },
    {
      title: "Deliveries name it otherwise",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection",
      with: {
        "/data_intake/0/account_id": '{"!jq": ".account_id"}',
        "/workflows/1":
          '{"name": "acme-add-a-person", "label": "Acme - Add a person", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .account_id, description: .name}"}]}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: «.id», description: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .account_id, description: .name}"}]}',
    },
  ],
});

interface Account {
  readonly workflow: string;
  /** The way of signing in, the requests, and where in their answer it stands. */
  readonly of: string;
  /** The way of signing in and the requests alone. */
  readonly scope: string;
  readonly text: string;
  readonly name: string;
  /** The member by which deliveries to the workflow name their account. */
  readonly delivered: string | undefined;
  readonly value: Expression;
  readonly program: JqProgram;
}

const module: RuleModule = {
  rules: [otherAccount],
  checks: {
    document(model, report) {
      const all = accounts(model);
      for (const [account, other] of outOfLine(all))
        report(
          otherAccount,
          partAt(account.program, account.value),
          { id: account.text, other: other.text, workflow: other.workflow },
          [{ message: "identified here", at: partAt(other.program, other.value) }],
        );
      const alike = groupBy(all, ({ of }) => of);
      const differing = new Set([...alike].flatMap(([of, same]) => (areSame(same) ? [] : [of])));
      for (const account of all) {
        if (!differing.has(account.of)) continue;
        const same = alike.get(account.of)!;
        const others = same.filter(({ text }) => text !== account.text);
        const [other] = others;
        if (other === undefined || others.some(({ text }) => text !== other.text)) continue;
        // Of two ways of which one is a name, the other identifies.
        const isRare = same.length - others.length < others.length;
        const isByName = isOfPeople.test(account.name) && (isRare || !isOfPeople.test(other.name));
        // Deliveries name the account as the other workflow does.
        const isDelivered = account.delivered === other.name && account.delivered !== account.name;
        if (!isByName && !isDelivered) continue;
        report(
          otherAccount,
          partAt(account.program, account.value),
          { id: account.text, other: other.text, workflow: other.workflow },
          [{ message: "identified here", at: partAt(other.program, other.value) }],
        );
      }
    },
  },
};
export default module;

const areSame = ([first, ...others]: readonly Account[]): boolean =>
  others.every(({ text }) => text === first?.text);

/** The one of three or more that reads another record of the same answer than all others do. */
function outOfLine(all: readonly Account[]): readonly (readonly [Account, Account])[] {
  const alike = [...groupBy(all, ({ scope }) => scope)];
  return alike.flatMap(([scope, same]) => {
    const texts = groupBy(same, ({ text }) => text);
    if (scope === "" || texts.size !== 2) return [];
    return [...texts.values()].flatMap(([account, ...more]) => {
      const other = same.find(({ text }) => text !== account!.text)!;
      const isAlone = more.length === 0 && same.length > 2;
      return isAlone && other.of !== account!.of ? [[account!, other] as const] : [];
    });
  });
}

/** What people read, and may change. */
const isOfPeople =
  /^(?:(?:\w+_)?(?:name|title|label|company|description)|displayName|companyName|organi[sz]ation)$/;

const accounts = derivedByPart(({ workflows }, model) =>
  workflows.flatMap((workflow): Account[] => {
    const command = describedBy(workflow);
    const root = command === undefined ? undefined : flowOf(model).plainAt(command);
    const last = root?.key === "!pipe" ? root.children.at(-1) : undefined;
    const program = last?.program;
    if (root === undefined || program === undefined || program.diagnostics.length > 0) return [];
    const object = finalObject(program);
    const value = object === undefined ? undefined : entryOf(object, "account_id")?.value;
    const read = value === undefined ? undefined : underlying(value);
    const name = read?.kind === "Postfix" ? lastName(read) : undefined;
    if (value === undefined || read === undefined || name === undefined) return [];
    const text = textAt(read, program);
    return [
      {
        workflow: textOf(workflow.node, "name") ?? "",
        of: `${textOf(workflow.node, "auth") ?? ""} ${asked(root)} ${text.slice(0, -name.length)}`,
        // A step in between, a pipe or a name may have made another shape of the answer.
        scope:
          root.children.length > 2 || plainBody(program).kind !== "Object" || !isOfAnswer(read)
            ? ""
            : `${textOf(workflow.node, "auth") ?? ""} ${asked(root)}`,
        text,
        name,
        delivered: deliveredAs(workflow),
        value,
        program,
      },
    ];
  }),
);

/** `.account.id`, not `$account.id`. */
const isOfAnswer = (read: Expression): boolean => read.kind === "Postfix" && read.head.kind === "Identity";

function deliveredAs({ intake }: WorkflowSymbol): string | undefined {
  const program = intake?.target?.commands.get("account_id")?.program;
  return program === undefined || program.diagnostics.length > 0
    ? undefined
    : nameOfValue(plainBody(program));
}

function describedBy({ node }: WorkflowSymbol) {
  const setup = node.get("setup");
  const connect = setup?.kind === "object" ? setup.get("connect") : undefined;
  return connect?.kind === "object" ? connect.get("describe_connection") : undefined;
}

/** The paths of the requests before the last step. */
const asked = ({ children }: Command): string =>
  children.map((step) => (step?.key === "!http" ? (textOf(step.argument, "path") ?? "?") : "")).join();
