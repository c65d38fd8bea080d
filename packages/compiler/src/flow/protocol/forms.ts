import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { boundTo } from "./dependence.ts";
import { type Outcome, outcomesOf } from "./state-writes.ts";

/** An expression without brackets around it, and what a variable was bound to. */
export function resolved(node: Expression | undefined, program: JqProgram): Expression | undefined {
  if (node?.kind === "Group") return resolved(node.body, program);
  return node?.kind === "Variable" ? (resolved(boundTo(program, node), program) ?? node) : node;
}

/** The expressions of which one gives the value: branches of an `if`, operands of `//`. */
export function waysOf(node: Expression, program: JqProgram): readonly Expression[] {
  switch (node.kind) {
    case "Group":
      return waysOf(node.body, program);
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ].flatMap((each) => waysOf(each, program));
    case "Alternative":
      return node.operands.flatMap((each) => waysOf(each, program));
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? [node] : waysOf(source, program);
    }
    default:
      return [node];
  }
}

/** The name that a path ends with: `pages` of `.meta.pages`. */
export function lastName(node: Expression): string | undefined {
  if (node.kind === "Group") return lastName(node.body);
  const suffix = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;
}

/** An expression as it is written. */
export function writtenAs({ start, end }: Expression, { node }: JqProgram): string {
  return node.value.slice(start, end).trim();
}

/** What the `request` of an intake gives, where there is one way only in which it reads something. */
export function onlyOutcome(intake: IntakeSymbol, model: Model): Outcome | undefined {
  const [outcome, ...others] = readingOutcomes(intake, model);
  return others.length > 0 ? undefined : outcome;
}

/** What the `request` of an intake gives, on each way on which it reads something. */
export function readingOutcomes(intake: IntakeSymbol, model: Model): readonly Outcome[] {
  const request = intake.commands.get("request");
  const all = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  return all.length > 1 ? all.filter((each) => !waits(each)) : all;
}

/** `{results: [], iterate: false}`: there is nothing to read yet. */
function waits({ members, program }: Outcome): boolean {
  const [results, iterate] = ["results", "iterate"].map((name) => resolved(members.get(name), program));
  const isNone = results?.kind === "Array" && results.body === undefined;
  return isNone && iterate !== undefined && constantOf(iterate) === false;
}

/** Names of a number of pages; what counts items is in some APIs that of the page. */
export const pagesName =
  /^(?:(?:total|num|number_?of|max)_?pages|pages_?(?:total|count)|page_?(?:count|total)|pages|last_?page|(?:total_?)?(?:paginas|pagine)|(?:gesamt)?seiten(?:zahl)?)$/i;

/** Names of a flag that says whether there is another page. */
export const moreName = /^(?:has_?(?:more|next|next_?page)|more|is_?last(?:_?page)?)$/i;
