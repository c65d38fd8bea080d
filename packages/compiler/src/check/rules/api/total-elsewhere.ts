import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { ownInputs } from "../../../flow/protocol/stage-before.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { Location } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";

/** A total that a poll compares with how many records it has read: `$read < .meta.total`. */
export interface TotalRead {
  /** `meta`, as a path. */
  readonly above: string;
  readonly name: string;
  readonly at: Location;
}

/** The totals of all records, as far as polls show by what they compare them with. */
export const totalsRead = derivedByPart(({ programs }) =>
  programs.flatMap((program): TotalRead[] => {
    if (program.command.place.polling !== true || !program.node.value.includes("total")) return [];
    return nodesOfKind(program, "Comparison").flatMap(({ left, right, operator }) => {
      if (operator === "==" || operator === "!=") return [];
      const found = [
        [left, right],
        [right, left],
      ] as const;
      return found.flatMap(([total, read]) => {
        const path = ofInput(total, program);
        const name = path?.at(-1);
        if (path === undefined || name === undefined || !ofAll.test(name)) return [];
        if (!countsRead(read, program)) return [];
        return [{ above: path.slice(0, -1).join("."), name, at: partAt(program, total) }];
      });
    });
  }),
);

const ofAll = /^total(?:_?(?:count|items|records|results|rows|entries|hits))?$/i;

/** The members that an expression reads of the answer. */
function ofInput(given: Expression, program: JqProgram): readonly string[] | undefined {
  const node = bare(given);
  const source = node.kind === "Variable" ? boundTo(program, node) : node;
  const read = source === undefined ? undefined : bare(source);
  return read?.kind === "Postfix" && ownInputs(program).has(read.head) ? inputPath(read) : undefined;
}

/** Whether a number is that of the records that were read so far: an offset with the length of the page, or `.page * .per_page`. */
function countsRead(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  const source = node.kind === "Variable" ? boundTo(program, node) : node;
  const made = source === undefined ? undefined : bare(source);
  if (source === undefined || made?.kind !== "Arithmetic") return false;
  const nodes = nodesIn(source);
  if (made.rest.length === 1 && made.rest[0]?.operator === "*")
    return [made.first, made.rest[0].operand].some((each) =>
      /^page(?:_?(?:no|number))?$/i.test(nameOfValue(each) ?? ""),
    );
  const isMoved = nodes.some((each) => {
    const hole = each.kind === "Hole" ? program.holes[each.hole] : undefined;
    const name =
      hole?.root === "polling_state"
        ? hole.syntax.path.at(-1)?.text
        : each.kind === "Field" && each.key.kind === "Name"
          ? each.key.text
          : undefined;
    return name !== undefined && /^(?:offset|skip|start|read|seen|from|position)$/i.test(name);
  });
  return isMoved && nodes.some((each) => each.kind === "Call" && each.name.text === "length");
}
