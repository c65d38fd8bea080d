import { type Call, children, type Expression, type Node } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, isExpression, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { unitOfName } from "../../../flow/unit.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const textOrder = defineRule<{ by: string; value: string }>({
  id: "jq/text-order",
  severity: "warning",
  summary: "Numbers are put in order as texts",
  why: 'Texts are compared character by character, so `"999"` comes after `"1000"`. The greatest of such texts isn\'t the greatest number once one has more digits than another.',
  guards: ["D23", "command.!jq"],
  message: ({ by, value }) => `\`${by}\` compares \`${value}\` as texts: "999" is greater than "1000".`,
  because: () => [
    'numbers 999 and 1000 become "999" and "1000"',
    'the greater text is "999": it begins with a 9',
  ],
  help: () => "Compare the numbers, and make a text of the result where one is needed.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"after": "${polling_state.after}", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {after: ([.items[].seq | «tostring»] | max // ${polling_state.after} | tonumber)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {after: ([.items[].seq] | max // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [textOrder],
  checks: {
    program(program, report) {
      if (!/\btostring\b|@text\b/.test(program.node.value) || program.diagnostics.length > 0) return;
      for (const { by, made, isNumber } of [...extremes(program), ...keyed(program), ...compared(program)]) {
        const value = made === undefined ? undefined : counted(made, program);
        if (made === undefined || value === undefined || !(isNumber || saysNumber(value.name))) continue;
        report(textOrder, partAt(program, made.call), { by, value: excerpt(value.text, 40) });
      }
    },
  },
};
export default module;

/** A value that is made a text. */
interface Made {
  readonly call: Expression;
  readonly value: Expression;
}

interface Ordered {
  /** What puts them in order: `max`. */
  readonly by: string;
  readonly made: Made | undefined;
  /** Whether what comes of it is taken for a number. */
  readonly isNumber: boolean;
}

/** `[… | tostring] | max`, `map(… | tostring) | sort | last`. */
function extremes(program: JqProgram): readonly Ordered[] {
  return nodesOfKind(program, "Pipeline").flatMap((node) => {
    const stages = stagesOf(node);
    return stages.flatMap((stage, at) => {
      const call = callIn(stage);
      const list = stages[at - 1];
      if (call === undefined || list === undefined || !/^(?:max|min|sort)$/.test(call.name.text)) return [];
      const [next] = stages.slice(at + 1);
      if (call.name.text === "sort" && (next === undefined || !takesEnd(next))) return [];
      const isNumber =
        stages.slice(at + 1).some((each) => callIn(each)?.name.text === "tonumber") ||
        isMadeNumber(node, program);
      return [{ by: call.name.text, made: ofItems(list, program), isNumber }];
    });
  });
}

/** `max_by(.seq | tostring)`, `sort_by(.seq | tostring)`. */
function keyed(program: JqProgram): readonly Ordered[] {
  return nodesOfKind(program, "Call").flatMap(({ name, arguments: [by] }) =>
    by !== undefined && /^(?:max|min|sort)_by$/.test(name.text)
      ? [{ by: name.text, made: madeText(by), isNumber: false }]
      : [],
  );
}

/** `(.seq | tostring) > ($last | tostring)`; with a text of another kind on one side, both may be texts of one length. */
function compared(program: JqProgram): readonly Ordered[] {
  return nodesOfKind(program, "Comparison").flatMap(({ left, right, operator }) => {
    const [made, other] = [left, right].map((each) => madeText(each));
    if (!/^[<>]=?$/.test(operator) || made === undefined || other === undefined) return [];
    return [{ by: operator, made, isNumber: false }];
  });
}

/** The call that a stage is, or takes first: `max // 0`. */
function callIn(stage: Expression): Call | undefined {
  const node = bare(stage);
  if (node.kind === "Alternative") return callIn(node.operands[0]!);
  return node.kind === "Call" ? node : undefined;
}

/** `last`, `first`, `.[-1]`, `reverse` */
function takesEnd(stage: Expression): boolean {
  const node = bare(stage);
  if (node.kind === "Alternative") return takesEnd(node.operands[0]!);
  if (node.kind === "Call") return /^(?:last|first|reverse)$/.test(node.name.text);
  return node.kind === "Postfix" && node.head.kind === "Identity" && node.suffixes[0]?.kind === "Index";
}

/** Whether a part of a program goes through `tonumber` where it is read: `([…] | max) | tonumber`. */
function isMadeNumber(inner: Node, program: JqProgram): boolean {
  return nodesOfKind(program, "Pipeline").some((outer) => {
    const stages = stagesOf(outer);
    const at = stages.findIndex((stage) => outer !== inner && bare(stage) === inner);
    return at >= 0 && stages.slice(at + 1).some((stage) => callIn(stage)?.name.text === "tonumber");
  });
}

/** What the items of a list are made texts from. */
function ofItems(list: Expression, program: JqProgram): Made | undefined {
  const node = bare(list);
  switch (node.kind) {
    case "Array": {
      const items =
        node.body?.kind === "Comma" ? node.body.items : node.body === undefined ? [] : [node.body];
      return items.map(madeText).find((each) => each !== undefined);
    }
    case "Call":
      return node.name.text === "map" && node.arguments[0] !== undefined
        ? madeText(node.arguments[0])
        : undefined;
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined || source.kind === "Variable" ? undefined : ofItems(source, program);
    }
    case "Pipeline":
      return ofItems(stagesOf(node).at(-1)!, program);
    default:
      return undefined;
  }
}

/** `.items[].seq | tostring` */
function madeText(given: Expression): Made | undefined {
  const node = bare(given);
  if (node.kind !== "Pipeline" || !node.stages.every(isExpression)) return undefined;
  const stages = stagesOf(node);
  const call = bare(stages.at(-1)!);
  const isText =
    (call.kind === "Call" && call.name.text === "tostring") ||
    (call.kind === "Format" && call.name === "@text");
  const value = stages.at(-2);
  return isText && value !== undefined ? { call, value } : undefined;
}

/** The member that is made a text. */
function counted(
  { value }: Made,
  program: JqProgram,
): { readonly name: string; readonly text: string } | undefined {
  const read = bare(value);
  const name = read.kind === "Postfix" ? nameOfValue(read) : undefined;
  return name === undefined || hasText(read) ? undefined : { name, text: textAt(read, program) };
}

const hasText = (node: Node): boolean =>
  nodesIn(node).some((each) => each.kind === "String" && children(each).length > 0);

/** A name of what is counted on, or measured. */
const saysNumber = (name: string): boolean =>
  /(?:^|_)(?:seq|sequence|position|revision|offset|counter|count|rank|score)$|[a-z](?:Seq|Sequence|Position|Revision|Offset|Count|Rank|Score)(?:No|Number)?$|^sequence_?(?:no|number)$/i.test(
    name,
  ) ||
  // Times of our years have one number of digits.
  (unitOfName(name) !== undefined && !isTimeName(name));
