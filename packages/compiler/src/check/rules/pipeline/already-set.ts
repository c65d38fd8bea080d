import type { Expression } from "@configc/jq";
import { constantOf, groupBy } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { bare, nodesIn, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepAt } from "../../../flow/producers.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const cancel = (operator: string): string =>
  `{"!pipe": [{"!http": {"path": "/bookings", "params": {"email": "\${piped_content.0.email}"}}}, {"!jq": "{id: ([.bookings[] | select(${operator}) | .id] | first)}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!print_c": "There is none."}, {"!http": {"method": "PATCH", "path": "/bookings/\${piped_content.2.id}", "body": {"status": "cancelled"}}}]}}]}`;

const alreadySet = defineRule<{ condition: string; set: string }>({
  id: "pipeline/already-set",
  severity: "warning",
  summary: "The chosen records already have the state that the request sets",
  why: "The workflow picks records that need no change. Those that do need it are never picked.",
  guards: ["data_pipeline.target", "command.!jq", "command.!http", "D23"],
  message: ({ condition, set }) => `Only records with \`${condition}\` come here, and ${set}.`,
  because: ({ condition }) => [
    `a record with \`${condition}\` gets what it has`,
    "one without that isn't found, and stays as it is",
  ],
  help: () => "Pick those that don't have the state yet.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: cancel('«.status == \\"cancelled\\"»'),
      good: cancel('.status != \\"cancelled\\"'),
    },
  ],
});

const module: RuleModule = {
  rules: [alreadySet],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { unit } = command;
        if (unit?.kind !== "workflow" || command.place.name !== "data_pipeline.target") return;
        const changes = changesBy(command);
        if (changes.length === 0) return;
        for (const { program, node, state } of statesOf(command, model)) {
          const change = changes.find((each) => isSame(each, state));
          if (change === undefined || isSharedWithSibling(command, change)) continue;
          const at = { node: program.node, from: node.start, to: node.end };
          report(alreadySet, at, { condition: textAt(node, program), set: change.says }, [
            { message: "changes them", at: command.member.key },
          ]);
          return;
        }
      },
    },
  },
};
export default module;

/** A member of a record and its value, in the words of its name. */
interface State {
  readonly name: string;
  readonly value: string | boolean;
}

interface Change extends State {
  readonly says: string;
}

/** The name of what an action does to a record: its state afterwards may be called anything. */
const ACTION = "";

const isSame = (change: Change, { name, value }: State): boolean =>
  change.name === ACTION
    ? typeof value === "string"
      ? isDoneBy(value, change.value)
      : isDoneBy(name, change.value)
    : change.name === name && change.value === value;

/** Whether a state is that of what something was done to: `cancelled` by `cancel`, `closed` by `close`. */
function isDoneBy(state: string, verb: State["value"]): boolean {
  const text = `${verb}`;
  const last = text.at(-1) ?? "";
  return [`${text}d`, `${text}ed`, `${text}${last}ed`, `is ${text}d`, `is ${text}ed`].includes(
    state.toLowerCase(),
  );
}

/** What a request sets at a record that it names by its id. */
function changesBy({ argument }: Command): readonly Change[] {
  const path = textOf(argument, "path") ?? "";
  if (!/\/\$[{<]piped_content\b/.test(path)) return [];
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  const leaves = leavesOf(body);
  // Whatever else is sent may be what the change is for.
  const isForMore = leaves.some(
    ({ name, node }) => !remark.test(name) && (!isConstant(node) || isAmount(node)),
  );
  if (isForMore) return [];
  if (method === "PATCH" || (method === "PUT" && leaves.length <= FEW))
    return leaves.flatMap(({ name, node }): readonly Change[] =>
      (node.kind === "string" && /^[A-Za-z][\w-]*$/.test(node.value)) || node.kind === "boolean"
        ? [
            {
              name: wordsOf(name).join(" "),
              value: comparable(node.value),
              says: `this sets \`${name}\` to \`${node.value}\``,
            },
          ]
        : [],
    );
  const verb = /[}>]\/([a-z]+)$/.exec(path)?.[1];
  return method === "POST" && verb !== undefined
    ? [{ name: ACTION, value: verb, says: `\`/${verb}\` makes them so` }]
    : [];
}

const isConstant = (node: JsonNode): boolean => node.kind !== "string" || !/[$][{<]/.test(node.value);

/** A day or a number: `{status: "active", until: "2030-01-01"}` prolongs what is active. */
const isAmount = (node: JsonNode): boolean =>
  node.kind === "number" || (node.kind === "string" && /^\d{4}-\d\d/.test(node.value));

/** What is said of a change beside it. */
const remark = /reason|note|comment|message|text|remark|(?:^|_)(?:at|by|on|date|version|type|id)$/i;

/** A `PUT` with more than that may send all of the record. */
const FEW = 3;

const comparable = (value: string | boolean): string | boolean =>
  typeof value === "string" ? value.toLowerCase() : value;

interface Leaf {
  readonly name: string;
  readonly node: JsonNode;
}

function leavesOf(node: JsonNode | undefined): readonly Leaf[] {
  if (node?.kind !== "object") return [];
  return node.members.flatMap(({ name, value }) =>
    value === undefined ? [] : value.kind === "object" ? leavesOf(value) : [{ name, node: value }],
  );
}

/** Whether another case sends the same when it makes a record: then the body is the same for both. */
function isSharedWithSibling(command: Command, change: Change): boolean {
  const inCase = command.parent?.key === "!pipe" ? command.parent : command;
  const around = inCase.parent?.key === "!switch" ? inCase.parent : undefined;
  const siblings = (around?.children ?? []).flatMap((each) =>
    each === undefined || each === inCase ? [] : each.key === "!pipe" ? each.children : [each],
  );
  return siblings.some((each) => {
    const body =
      each?.key === "!http" && each.argument?.kind === "object" ? each.argument.get("body") : undefined;
    return leavesOf(body).some(
      ({ name, node }) =>
        wordsOf(name).join(" ") === change.name &&
        (node.kind === "string" || node.kind === "boolean") &&
        comparable(node.value) === change.value,
    );
  });
}

interface Found {
  readonly program: JqProgram;
  readonly node: Expression;
  readonly state: State;
}

/** What must hold of the record whose id a request has in its path, by the program that chooses it. */
function statesOf(command: Command, model: Model): readonly Found[] {
  const { argument, unit } = command;
  const path = argument?.kind === "object" ? argument.get("path") : undefined;
  if (unit?.kind !== "workflow" || path === undefined) return [];
  return (readsAt(model).get(path) ?? []).flatMap(statesOfRead);
}

/** What the paths of requests read of steps. */
const readsAt = derived((model) =>
  groupBy(
    model.expansions.filter(({ root, position }) => root === "piped_content" && position === "path"),
    ({ node }): JsonNode => node,
  ),
);

function statesOfRead({ root, syntax, command }: Expansion): readonly Found[] {
  const [, index, member, ...others] = syntax.path.map(({ text }) => text);
  if (root !== "piped_content" || command === undefined || others.length > 0) return [];
  const step = stepAt(command, Number(index));
  const program = step?.key === "!jq" ? step.program : undefined;
  if (program === undefined || program.diagnostics.length > 0) return [];
  const object = finalObject(program);
  const made = member === undefined ? plainBody(program) : object && entryOf(object, member)?.value;
  if (made === undefined) return [];
  return chosenIn(made, program).map(({ node, state }) => ({ program, node, state }));
}

/** The conditions of each `select` that an expression goes through, and of what its variables stand for. */
function chosenIn(made: Expression, program: JqProgram): readonly Omit<Found, "program">[] {
  const nodes = nodesIn(made).flatMap((node) => {
    const source = node.kind === "Variable" ? boundTo(program, node) : undefined;
    return source === undefined ? [node] : [node, ...nodesIn(source)];
  });
  const conditions = nodes.flatMap((node) =>
    node.kind === "Call" && node.name.text === "select" ? (node.arguments[0] ?? []) : [],
  );
  return conditions.flatMap(impliedBy);
}

/** What certainly holds where a condition does. */
function impliedBy(condition: Expression): readonly Omit<Found, "program">[] {
  const node = bare(condition);
  if (node.kind === "Logical" && node.operator === "and") return node.operands.flatMap(impliedBy);
  if (node.kind === "Comparison" && node.operator === "==") {
    const value = constantOf(node.right);
    const name = nameOfValue(node.left);
    return name !== undefined && (typeof value === "string" || typeof value === "boolean")
      ? [{ node, state: { name: wordsOf(name).join(" "), value: comparable(value) } }]
      : [];
  }
  const name = node.kind === "Postfix" ? nameOfValue(node) : undefined;
  return name === undefined ? [] : [{ node, state: { name: wordsOf(name).join(" "), value: true } }];
}
