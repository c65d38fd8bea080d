import { builtin, cardinality, infer, type Program, parse, types, walk } from "@configc/jq";
import { derivedFromText } from "../../../bind/derived.ts";
import type { JqProgram } from "../../../bind/model.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { PlaceContract } from "../../../language/index.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { defineRule } from "../../rule.ts";

type Wanted = "list" | "one";

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

const stream = defineRule<{ place: string; wanted: Wanted; objects: boolean }>({
  id: "jq/stream",
  severity: "warning",
  summary: "A jq program gives a stream of values where one value is taken",
  why: "The value of a program is its first output; the others are dropped without a word. `.items[] | {…}` gives the first item only, and a customer sees one form of twenty in the list.",
  guards: [
    "command.!jq",
    "command.!switch",
    "D23",
    "field.options",
    "map.describe_source",
    "map.describe_target",
  ],
  message: ({ place, wanted }) =>
    `This program gives a stream of values, and only the first of them is used: ${place} takes ${wanted === "list" ? "a list" : "one value"}.`,
  help: ({ wanted }) =>
    wanted === "list"
      ? "Collect the values in a list: `[ … ]`."
      : "If the first is what you mean, say so: `first( … )`. Else choose the one that you mean.",
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
  fixes: ({ at, args: { wanted, objects } }, { document }) => {
    const { node, from, to } = at as StringPart;
    const [before, after] = wanted === "list" ? ["[", "]"] : ["first(", ")"];
    return [
      {
        title: `Wrap in \`${before} … ${after}\``,
        // Outputs that are lists themselves want to be joined rather than wrapped; and of several values the first may not be meant.
        safe: wanted === "list" && objects,
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
      any(command, report) {
        if (command.key === "!switch") check(command.program, "`!switch`", "one", report);
        if (command.parent !== undefined) return;
        const wanted = wantedBy[command.place.contract];
        if (wanted === undefined) return;
        for (const result of resultsOf(command)) {
          if (result.key === "!jq") check(result.program, command.place.title, wanted, report);
        }
      },
    },
  },
};
export default module;

function check(program: JqProgram | undefined, place: string, wanted: Wanted, report: Report): void {
  if (program === undefined || program.diagnostics.length > 0 || !isStream(program)) return;
  const { node, tree } = program;
  report(
    stream,
    { node, from: tree.body.start, to: tree.body.end },
    { place, wanted, objects: givesObjects(tree) },
  );
}

const isStream = derivedFromText((tree) => mayBeStream(tree) && cardinality(tree) === "many");

/** Whether something outside of lists gives several values: a look that spares most programs the inference. */
function mayBeStream({ body }: Program): boolean {
  let found = false;
  walk(body, {
    enter(node) {
      found ||=
        streaming.has(node.kind) ||
        (node.kind === "Call" && isStreaming(node.name.text, node.arguments.length));
      return !found && node.kind !== "Array";
    },
  });
  return found;
}

const streaming: ReadonlySet<string> = new Set([
  "Iterate",
  "Comma",
  "RecurseDefault",
  "Foreach",
  // It may give a builtin's name another meaning.
  "Definition",
]);

const calls = new Map<string, boolean>();

/** Whether a call of that function may give several values although each of its arguments gives one. */
function isStreaming(name: string, arity: number): boolean {
  const key = `${name}/${arity}`;
  let known = calls.get(key);
  if (known === undefined) {
    if (builtin(name, arity) === undefined) return true;
    const call = arity === 0 ? name : `${name}(${Array(arity).fill(".").join("; ")})`;
    known = ["many", "unknown"].includes(cardinality(parse(call).program));
    calls.set(key, known);
  }
  return known;
}

function givesObjects(tree: Program): boolean {
  return types.partsOf(infer(tree).type).every(({ kind }) => kind === "object");
}
