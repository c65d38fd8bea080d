import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { objectItems, textOf } from "../parse/syntax-tree.ts";
import { fieldAtPath } from "./field-of.ts";
import { bare } from "./nodes.ts";
import { boundTo } from "./protocol/dependence.ts";

/** What an option asks for by its words: that something is done, or that it is left. */
export type Wish = "do" | "leave";

/** An option of a form field, as it is written in the document. */
export interface Option {
  readonly value: string;
  readonly display: string;
  readonly wish: Wish | undefined;
}

const leaving =
  /\b(?:skip|keep|leave|ignore|nothing|none|never|exclude|without|omit|drop|don[’']?t|do not|alone|discard|unchanged)\b/i;
const doing =
  /\b(?:update|change|overwrite|replace|merge|create|add|include|import|take|tag|send|sync|move|refresh|too|also)\b/i;

/** The options of a field that stand in the document. */
export function staticOptions({ node }: FieldSymbol): readonly Option[] {
  return objectItems(node.get("options")).flatMap((option): Option[] => {
    const [value, display = ""] = [textOf(option, "value"), textOf(option, "display")];
    return value === undefined ? [] : [{ value, display, wish: wishOf(value, display) }];
  });
}

/** Whether an option shows the very number that it stands for: “From 50”. */
export const showsNumber = ({ value, display }: Pick<Option, "value" | "display">): boolean =>
  /^\d+(?:\.\d+)?$/.test(value) &&
  new RegExp(`(?<![\\d.,])${value.replace(".", "\\.")}(?![\\d.,]\\d)`).test(display);

/** Both the value and what is shown may say it, and mustn't say different things. */
function wishOf(value: string, display: string): Wish | undefined {
  const words = value.replaceAll(/[_-]/g, " ");
  const leaves = leaving.test(words) || leaving.test(display);
  const does = doing.test(words) || (!leaves && doing.test(display));
  if (leaves === does) return undefined;
  return leaves ? "leave" : "do";
}

/** A comparison of what a customer chose with an option. */
export interface Choice {
  readonly field: FieldSymbol;
  readonly value: string;
  /** Whether it holds where that option was chosen. */
  readonly isThat: boolean;
}

/** What a condition asks about choices: all that must hold for it. */
export function choicesIn(condition: Expression, program: JqProgram): readonly Choice[] {
  const node = bare(condition);
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.flatMap((operand) => choicesIn(operand, program));
  if (node.kind !== "Comparison" || (node.operator !== "==" && node.operator !== "!=")) return [];
  const [chosen, other] =
    fieldChosen(node.left, program) === undefined ? [node.right, node.left] : [node.left, node.right];
  const [field, value] = [fieldChosen(chosen, program), constantOf(other)];
  if (field === undefined || typeof value !== "string") return [];
  return [{ field, value, isThat: node.operator === "==" }];
}

/** The form field of which an expression is the value that a customer chose, also by a variable. */
export function fieldChosen(given: Expression, program: JqProgram): FieldSymbol | undefined {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? undefined : fieldChosen(source, program);
  }
  if (node.kind === "Postfix") return fieldAtPath(node, program);
  const expansion = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const [field, ...others] = expansion?.fieldExact === true ? expansion.fields : [];
  return others.length === 0 && expansion?.syntax.path[2]?.text === "value" ? field : undefined;
}
