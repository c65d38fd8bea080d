import type { Expression, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { bare, countedBy } from "./nodes.ts";

/** A value that a program reads: names below its input, a variable or the root of an expansion, `["piped_content", "1", "tags"]`. */
export type ReadPath = readonly string[];

/** What a condition says of a value where it holds: that there is none, or that there is one. */
export interface Emptiness {
  readonly path: ReadPath;
  readonly isEmpty: boolean;
  /** Known by its truth alone: it may be `false`, which is a value like others. */
  readonly mayBeFalse: boolean;
}

/** The value that an expression is, without any doubt about where in it. */
export function readPath(node: Expression, { holes }: Pick<JqProgram, "holes">): ReadPath | undefined {
  const inner = bare(node);
  switch (inner.kind) {
    case "Identity":
      return ["."];
    case "Variable":
      return [`$${inner.name}`];
    case "Hole":
      return holes[inner.hole]?.syntax.path.map(({ text }) => text);
    case "Postfix": {
      const head = readPath(inner.head, { holes });
      const names = inner.suffixes.map(nameOfSuffix);
      const known = names.indexOf(undefined);
      const read = known < 0 ? names : names.slice(0, known);
      return head === undefined ? undefined : [...head, ...read.filter((name) => name !== undefined)];
    }
    default:
      return undefined;
  }
}

function nameOfSuffix(suffix: Suffix): string | undefined {
  if (suffix.kind === "Optional") return "";
  if (suffix.kind === "Field") return suffix.key.kind === "Name" ? suffix.key.text : undefined;
  const index = suffix.kind === "Index" ? constantOf(suffix.index) : undefined;
  return typeof index === "number" || typeof index === "string" ? `${index}` : undefined;
}

/** What is certain of the emptiness of values where a condition is true, or false. */
export function emptinessBy(
  condition: Expression,
  isTrue: boolean,
  program: JqProgram,
): readonly Emptiness[] {
  const node = bare(condition);
  const of = (value: Expression | undefined, isEmpty: boolean, mayBeFalse = false): readonly Emptiness[] => {
    const path = value === undefined ? undefined : readPath(value, program)?.filter((name) => name !== "");
    return path === undefined ? [] : [{ path, isEmpty, mayBeFalse }];
  };
  switch (node.kind) {
    case "Logical": {
      // Of `a or b` that holds, neither is certain.
      if ((node.operator === "and") !== isTrue) return [];
      return node.operands.flatMap((side) => emptinessBy(side, isTrue, program));
    }
    case "Pipeline": {
      const stages = node.stages as readonly Expression[];
      const last = stages.at(-1);
      if (last?.kind !== "Call" || last.name.text !== "not" || stages.length !== 2) return [];
      return emptinessBy(stages[0]!, !isTrue, program);
    }
    case "Comparison": {
      const { left, right, operator } = node;
      const length = countedBy(left);
      if (length !== undefined && constantOf(right) === 0) {
        if (operator === "==" || operator === "<=") return of(length, isTrue);
        return operator === "!=" || operator === ">" ? of(length, !isTrue) : [];
      }
      if (!isNothing(right) || (operator !== "==" && operator !== "!=")) return [];
      return of(left, (operator === "==") === isTrue);
    }
    case "Postfix":
    case "Hole":
      return of(node, !isTrue, true);
    default:
      return [];
  }
}

function isNothing(node: Expression): boolean {
  const inner = bare(node);
  if (inner.kind === "Array") return inner.body === undefined;
  const value = constantOf(inner);
  return value === null || value === "";
}
