import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { countedBy, nodesOfKind } from "./nodes.ts";
import { stagesOf } from "./protocol/dependence.ts";
import { memberBehind } from "./value-behind.ts";

/**
 * The expansion of a form field that gives an expression's value, with `| default`: that is a text where the customer leaves the field
 * out, and never null.
 */
export function fieldWithDefault(node: Expression, program: JqProgram): Expansion | undefined {
  const value = memberBehind(node, program);
  if (value.kind === "Pipeline") {
    const [first, ...rest] = stagesOf(value);
    return first !== undefined && rest.every(keepsText) ? fieldWithDefault(first, program) : undefined;
  }
  const hole = value.kind === "Hole" ? program.holes[value.hole] : undefined;
  const isField = hole?.root === "custom_data" && hole.rootExact === true && hole.syntax.path.length === 3;
  return isField && hole.fields.length > 0 && hole.syntax.filters[0]?.name === "default" ? hole : undefined;
}

/** What the value is where the field was left out. */
export const defaultOf = ({ syntax }: Expansion): string => syntax.filters[0]?.argument?.text.trim() ?? "";

/** Whether a program also asks whether this field is the empty text, or has a length: then it knows what one is that was left out. */
export function asksForEmpty({ syntax }: Expansion, program: JqProgram): boolean {
  const name = syntax.path[1]?.text;
  const isOfField = (node: Expression): boolean =>
    fieldWithDefault(node, program)?.syntax.path[1]?.text === name;
  return nodesOfKind(program, "Comparison").some(({ left, right }) => {
    const [value, other] = constantOf(left) === "" ? [right, left] : [left, right];
    return (
      isOfField(countedBy(value) ?? value) && (countedBy(value) !== undefined || constantOf(other) === "")
    );
  });
}

/** Functions that give a text for any text. */
const keepsText = (stage: Expression): boolean =>
  stage.kind === "Call" &&
  /^(?:ascii_downcase|ascii_upcase|l?r?trim|ltrimstr|rtrimstr|gsub|sub|tostring)$/.test(stage.name.text);
