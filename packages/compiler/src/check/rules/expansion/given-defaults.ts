import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Fix } from "../../../findings/rule.ts";
import { fieldChosen } from "../../../flow/chosen.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { plainIf } from "../../../flow/plain-if.ts";
import type { Document, Location } from "../../../parse/document.ts";
import { changeInString } from "../../change-fix.ts";

/** What stands for the value of a form field that a customer left out. */
export interface GivenDefault {
  readonly field: FieldSymbol;
  readonly text: string;
  readonly at: Location;
  readonly expansion?: Expansion;
}

/** The defaults of expansions, `| default:new`, and of programs: `if $days == "" then ["mon", "tue"] else $days end`. */
export function givenDefaults({
  expansions,
  commands,
}: {
  readonly expansions: readonly Expansion[];
  readonly commands: readonly Command[];
}): readonly GivenDefault[] {
  return [
    ...expansions.flatMap((expansion) => inExpansion(expansion)),
    ...commands.flatMap(({ program }) =>
      program === undefined || !/"" then|!= ""|== \[\]/.test(program.node.value)
        ? []
        : nodesOfKind(program, "If").flatMap((node) => inCondition(plainIf(node), program)),
    ),
  ];
}

function inExpansion(expansion: Expansion): readonly GivenDefault[] {
  const { fields, fieldExact, syntax, rootExact, node } = expansion;
  const argument = syntax.filters[0]?.argument;
  const text = argument?.text.trim() ?? "";
  const [field, ...others] = fields ?? [];
  if (argument === undefined || text === "" || field === undefined || others.length > 0) return [];
  if (!fieldExact || !rootExact || syntax.path[2]?.text !== "value") return [];
  const from = argument.start + argument.text.indexOf(text);
  return [{ field, text, at: { node, from, to: from + text.length }, expansion }];
}

function inCondition({ branches, otherwise }: If, program: JqProgram): readonly GivenDefault[] {
  const [branch, ...more] = branches;
  const asked = branch === undefined ? undefined : bare(branch.condition);
  if (asked?.kind !== "Comparison" || more.length > 0 || otherwise === undefined) return [];
  const field = fieldChosen(asked.left, program);
  if (field === undefined || !isNothing(asked.right)) return [];
  const isEmpty = asked.operator === "==";
  if (!isEmpty && asked.operator !== "!=") return [];
  const [given, chosen] = isEmpty ? [branch!.body, otherwise] : [otherwise, branch!.body];
  return fieldChosen(chosen, program) === field ? textsOf(given, field, program) : [];
}

const isNothing = (node: Expression): boolean => {
  const constant = constantOf(node);
  return constant === "" || constant === null || (Array.isArray(constant) && constant.length === 0);
};

function textsOf(given: Expression, field: FieldSymbol, program: JqProgram): readonly GivenDefault[] {
  const node = bare(given);
  const body = node.kind === "Array" ? node.body : node;
  const items = body === undefined ? [] : body.kind === "Comma" ? body.items : [body];
  return items.flatMap((item) => {
    const text = constantOf(item);
    return typeof text === "string" && text !== "" ? [{ field, text, at: partAt(program, item) }] : [];
  });
}

/** The fix: the option's value instead. A text in a program is left to the author. */
export const toOption = (
  { at, args: { value } }: { readonly at: Location; readonly args: { readonly value: string } },
  { document }: { readonly document: Document },
): readonly Fix[] =>
  "from" in at && at.node.value[at.from] !== '"' ? [changeInString(document, at, value, false)] : [];
