import type { Expression, Variable } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Given, givenBy, itemOf, withInputs } from "../../../flow/given-values.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const impossibleResult = defineRule<{ value: string; by: string; what: string }>({
  id: "jq/impossible-result",
  severity: "warning",
  summary: "A value is compared with what the function before it never gives",
  why: "`type` knows six words, and `ascii_downcase` leaves no capitals. Compared with anything else, the condition is the same for every record, and one branch never runs.",
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ value, by, what }) => `\`${by}\` never gives \`${value}\`. It gives ${what}.`,
  because: ({ value, by, what }) => [`\`${by}\` gives ${what}`, `the other side is \`${value}\``],
  help: ({ by }) =>
    by === "type"
      ? "Write the word that jq has for this type."
      : `Write what \`${by}\` can give, or leave \`${by}\` out.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": "if (.tags | type) == «\\"list\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if (.tags | type) == \\"array\\" then {email: .email} else null end"}',
    },
    {
      title: "Capitals after `ascii_downcase`",
      ...place,
      bad: '{"!jq": "if (.country | ascii_downcase) == «\\"DE\\"» then {email: .email} else null end"}',
      good: '{"!jq": "if (.country | ascii_downcase) == \\"de\\" then {email: .email} else null end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [impossibleResult],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !source.test(node.value)) return;
      const inputs = withInputs(program);
      const tell = (given: Given | undefined, other: Expression, isPart = false): void => {
        const value = given === undefined ? undefined : constantIn(other, program);
        if (given === undefined || value === undefined) return;
        const can = isPart ? typeof value !== "string" || given.admitsPart(value) : given.admits(value);
        if (!can)
          report(
            impossibleResult,
            { node, from: other.start, to: other.end },
            { value: JSON.stringify(value), by: given.by, what: given.what },
          );
      };
      const tellItem = (list: Expression, wanted: Expression): void => {
        const item = itemOf(list);
        if (item !== undefined) tell(givenBy(item, program), wanted);
        for (const each of itemsOf(list)) tell(givenBy(wanted, program), each);
      };
      for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
        const [suffix] = suffixes;
        if (head.kind === "Variable" && suffix?.kind === "Index") {
          const key = neverKey(head, givenBy(suffix.index, program), program);
          if (key !== undefined) tell(givenBy(suffix.index, program), key);
        }
        if (head.kind !== "Object" || suffix?.kind !== "Index") continue;
        for (const { key } of head.entries)
          if (key.kind === "String") tell(givenBy(suffix.index, program), key);
      }
      for (const each of nodesOfKind(program, "Comparison")) {
        const { operator, left, right } = each;
        if (operator !== "==" && operator !== "!=") continue;
        const input = inputs.get(each);
        tell(givenBy(left, program, input), right);
        tell(givenBy(right, program, input), left);
      }
      for (const call of nodesOfKind(program, "Call")) {
        const { name, arguments: given } = call;
        const [first, second] = given;
        if (first === undefined) continue;
        const before = inputs.get(call);
        switch (name.text) {
          case "IN":
            if (second !== undefined) for (const item of itemsOf(second)) tell(givenBy(first, program), item);
            else if (before !== undefined)
              for (const item of itemsOf(first)) tell(givenBy(before, program), item);
            break;
          case "index":
          case "rindex":
            // Of a list of constants, each that it never is; of a text, a part.
            if (before === undefined) break;
            tellItem(before, first);
            if (given.length === 1 && itemOf(before) === undefined)
              tell(givenBy(before, program), first, true);
            break;
          case "startswith":
          case "endswith":
          case "contains":
            if (before !== undefined && given.length === 1) tell(givenBy(before, program), first, true);
        }
      }
    },
  },
};
export default module;

const source = /\b(?:type|ascii_downcase|ascii_upcase|trim|length|floor|round|ceil)\b|\[-?\d*:-?\d+\]/;

/** The first key of a table in a variable, where what is looked up is none of its keys. It may be asked for others elsewhere. */
function neverKey(head: Variable, given: Given | undefined, program: JqProgram): Expression | undefined {
  const table = given === undefined ? undefined : boundTo(program, head);
  if (given === undefined || table?.kind !== "Object" || table.entries.length === 0) return undefined;
  const isNever = table.entries.every(
    ({ key }) =>
      key.kind === "String" && typeof constantOf(key) === "string" && !given.admits(constantOf(key)!),
  );
  const [first] = table.entries;
  return isNever && first?.key.kind === "String" ? first.key : undefined;
}

/** A constant, as it is or by a variable. */
function constantIn(node: Expression, program: JqProgram): unknown {
  const inner = bare(node);
  const bound = inner.kind === "Variable" ? boundTo(program, inner) : undefined;
  return bound === undefined ? constantOf(inner) : constantOf(bound);
}

/** The items of `"a", "b"`, `["a", "b"]` and `["a", "b"][]`. */
function itemsOf(node: Expression): readonly Expression[] {
  const inner = bare(node);
  switch (inner.kind) {
    case "Comma":
      return inner.items;
    case "Array":
      return inner.body === undefined ? [] : itemsOf(inner.body);
    case "Postfix":
      return inner.suffixes.every(({ kind }) => kind === "Iterate") ? itemsOf(inner.head) : [];
    case "Pipeline": {
      const [first, last, ...others] = stagesOf(inner);
      const isSpread =
        last?.kind === "Postfix" &&
        last.head.kind === "Identity" &&
        last.suffixes.every(({ kind }) => kind === "Iterate");
      return first !== undefined && isSpread && others.length === 0 ? itemsOf(first) : [];
    }
    default:
      return [inner];
  }
}
