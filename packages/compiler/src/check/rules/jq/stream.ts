import {
  builtin,
  cardinality,
  infer,
  type Program,
  parse,
  type Stage,
  type Suffix,
  types,
  walk,
} from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { PlaceContract } from "../../../language/index.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";

type Wanted = "list" | "one";
/** What all values of a stream are, as far as the program alone tells. */
type Gives = "objects" | "lists" | "values";

/** What each contract takes of a program's outputs; the others don't look at the value. */
const wantedBy: Readonly<Partial<Record<PlaceContract, Wanted>>> = {
  options: "list",
  "map-options": "list",
  connection: "one",
  string: "one",
  value: "one",
  iteration: "one",
  "flat-object": "one",
  count: "one",
  token: "one",
};

const lastPage = ' `scan` fails on null, as on the last page: write `(.next // "") | scan(…)`.';

/** Where the value goes to, and whether it is a page's token that is cut out of a text: on the last page there is none. */
type Goal = { readonly place: string; readonly wanted: Wanted; readonly scans?: true };

const stream = defineRule<Goal & { readonly gives: Gives }>({
  id: "jq/stream",
  severity: "warning",
  summary: "A jq program gives a stream where one value is expected",
  why: "The value of a program is its first output; the others are dropped silently. `.items[] | {…}` gives only the first item, so a customer sees one form of twenty in the list.",
  guards: [
    "command.!jq",
    "command.!switch",
    "D23",
    "field.options",
    "map.describe_source",
    "map.describe_target",
  ],
  message: ({ place, wanted, gives }) =>
    `This program gives a stream of ${gives === "lists" ? "lists" : "values"}, but ${place} takes ${wanted === "list" ? "a list" : "one value"}. Only the first is used.`,
  because: ({ wanted }) => [
    "three records: the program gives three outputs",
    wanted === "list" ? "the first one is taken for the list" : "the first one is taken, and two are dropped",
  ],
  help: ({ wanted, scans, gives }) =>
    wanted === "list" && gives === "lists"
      ? "To use the first list, write `first( … )`. To join them, write `[ … ] | add`."
      : wanted === "list"
        ? "Collect the values in a list: `[ … ]`."
        : `To use the first value, write \`first( … )\`. Otherwise select the one you mean.${scans === undefined ? "" : lastPage}`,
  examples: [
    {
      title: "D23: a list is wanted",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq",
      bad: '"«.items[] | {display: .name, value: .id}»"',
      good: '"[.items[] | {display: .name, value: .id}]"',
      fixed: '"[.items[] | {display: .name, value: .id}]"',
    },
    {
      title: "D23: a list is wanted, with definitions and a comment",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_source/options/!pipe/1/!jq",
      bad: '"«def option: {title: .label, id: .id}; .questions[] | option» # all of them"',
      good: '"[.questions[] | {title: .label, id: .id}]"',
      fixed: '"[def option: {title: .label, id: .id}; .questions[] | option] # all of them"',
    },
    {
      title: "D23: a list is wanted, and each value is one",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_source/options/!pipe/1/!jq",
      bad: '"«.forms[] | select(.open) | [.questions[] | {title: .label, id: .id}]»"',
      good: '"[.forms[] | select(.open) | .questions[] | {title: .label, id: .id}]"',
      fixed: '"first(.forms[] | select(.open) | [.questions[] | {title: .label, id: .id}])"',
    },
    {
      title: "D23: one value is wanted",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '"«.accounts[] | {account_id: .id, description: .name}»"',
      good: '".accounts[0] | {account_id: .id, description: .name}"',
      fixed: '"first(.accounts[] | {account_id: .id, description: .name})"',
    },
    {
      title: "D23: in the case of a switch",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "if .ok then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "«.contacts[]»"}]}}',
      good: '{"!switch": {"jq": "if .ok then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": ".contacts[0]"}]}}',
      fixed:
        '{"!switch": {"jq": "if .ok then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "first(.contacts[])"}]}}',
    },
    {
      title: "D26: the index of a switch",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "«.kinds[] | if . == \\"new\\" then 0 else 1 end»", "cases": [{"!jq": "{email: .email}"}, {"!jq": "null"}]}}',
      good: '{"!switch": {"jq": "if .kinds[0] == \\"new\\" then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "null"}]}}',
      fixed:
        '{"!switch": {"jq": "first(.kinds[] | if . == \\"new\\" then 0 else 1 end)", "cases": [{"!jq": "{email: .email}"}, {"!jq": "null"}]}}',
    },
  ],
  fixes: ({ at, args: { wanted, gives } }, { document }) => {
    const { node, from, to } = at as StringPart;
    const [before, after] = wanted === "list" && gives !== "lists" ? ["[", "]"] : ["first(", ")"];
    return [
      {
        title: `Wrap in \`${before} … ${after}\``,
        // Of several values the first may not be meant, and what may be lists may want to be joined.
        safe: wanted === "list" && gives === "objects",
        edits: [
          replaceInString(document, node, from, from, before),
          replaceInString(document, node, to, to, after),
        ],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [stream],
  checks: {
    command: {
      any(command, report, model) {
        if (command.key === "!switch")
          check(command.program, { place: "`!switch`", wanted: "one" }, report, model);
        if (command.parent !== undefined) return;
        const { contract, title: place } = command.place;
        const wanted = wantedBy[contract];
        if (wanted === undefined) return;
        for (const { key, program } of resultsOf(command)) {
          if (key !== "!jq" || program === undefined) continue;
          const scans = contract === "token" && callsScan(program) ? ({ scans: true } as const) : {};
          check(program, { place, wanted, ...scans }, report, model);
        }
      },
    },
  },
};
export default module;

function check(program: JqProgram | undefined, goal: Goal, report: Report, model: Model): void {
  if (program === undefined || program.diagnostics.length > 0 || !isStream(program)) return;
  if (goal.wanted === "one" && selects(program)) return;
  // What certainly fails, or gives nothing, for the values that arrive there isn't wrong for giving too much.
  if (flowOf(model).program(program).cardinality !== "many") return;
  const { node, tree } = program;
  report(stream, { node, from: tree.body.start, to: tree.body.end }, { ...goal, gives: givenBy(tree) });
}

const isStream = derivedFromText((tree) => !isPlain(tree.body) && cardinality(tree) === "many");

const callOf = (name: string) =>
  derivedFromText((tree) => {
    let found = false;
    walk(tree, {
      enter: (node) => {
        found ||= node.kind === "Call" && node.name.text === name;
        return !found;
      },
    });
    return found;
  });

/** Whether it chooses: `.links[] | select(.rel == "next") | .href` is one value, if the author knows the data. */
const selects = callOf("select");
const callsScan = callOf("scan");

/** A look that spares most programs the inference: lists, paths, and what is put together of them give one value. */
function isPlain(node: Stage): boolean {
  switch (node.kind) {
    case "Identity":
    case "Array":
    case "Number":
    case "Hole":
      return true;
    case "Group":
      return isPlain(node.body);
    case "Negation":
      return isPlain(node.operand);
    case "Comparison":
      return isPlain(node.left) && isPlain(node.right);
    case "Postfix":
      return isPlain(node.head) && node.suffixes.every(isPlainSuffix);
    case "Object":
      return node.entries.every(
        ({ key, value }) => key.kind === "Name" && (value === undefined || isPlain(value)),
      );
    case "Pipeline":
      return node.stages.every(isPlain);
    case "Alternative":
      return node.operands.every(isPlain);
    case "Arithmetic":
      return isPlain(node.first) && node.rest.every(({ operand }) => isPlain(operand));
    case "If":
      return (
        node.branches.every(({ condition, body }) => isPlain(condition) && isPlain(body)) &&
        (node.otherwise === undefined || isPlain(node.otherwise))
      );
    case "Call":
      // A definition that could give the name another meaning isn't plain.
      return (
        node.arguments.length === 0 && builtin(node.name.text, 0) !== undefined && givesOne(node.name.text)
      );
    case "String":
      return node.parts.every(({ kind }) => kind === "StringText");
    default:
      return false;
  }
}

function isPlainSuffix(suffix: Suffix): boolean {
  if (suffix.kind === "Index") return isPlain(suffix.index);
  return suffix.kind === "Field" && (suffix.key.kind !== "String" || isPlain(suffix.key));
}

/** Whether a builtin without arguments gives one value, as the inference knows. */
const givesOne = memoize((name) => cardinality(parse(name).program) === "one", 200);

function givenBy(tree: Program): Gives {
  const kinds = new Set(types.partsOf(infer(tree).type).map(({ kind }) => kind));
  if (kinds.size !== 1) return "values";
  return kinds.has("object") ? "objects" : kinds.has("array") ? "lists" : "values";
}
