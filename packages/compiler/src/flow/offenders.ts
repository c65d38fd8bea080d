import { type Expression, type InferResult, type ObjectConstruction, type Type, types } from "@configc/jq";
import type { Command, JqProgram } from "../bind/model.ts";
import type { Location } from "../parse/document.ts";
import type { TypeFlow } from "./flow.ts";
import { inferNodes } from "./inference.ts";
import { entryOf, lastExpression } from "./literal-object.ts";
import { madeType, makersOf } from "./makers.ts";
import { maySomewhereViolate, orNull, partOfKind, violates } from "./violation.ts";

/** The smallest thing that makes a value which certainly isn't what is wanted there. */
export interface Offender {
  readonly at: Location;
  /** Its type, and what is wanted of it. */
  readonly found: Type;
  readonly wanted: Type;
  /** Where it stands in the whole: `["results"]`, `["[]", "display"]`. */
  readonly path: readonly string[];
  /** The expression, and its program; undefined where another command makes it. */
  readonly expression?: Expression;
  readonly program?: JqProgram;
}

/** What in a command violates a contract (`design.md`, "Where findings point"). */
export function offendersOf(command: Command, wanted: Type, flow: TypeFlow): Offender[] {
  return makersOf(command, flow).flatMap((maker) => offendersOfMaker(maker, wanted, flow));
}

function offendersOfMaker(maker: Command, wanted: Type, flow: TypeFlow): Offender[] {
  const { key, program } = maker;
  // A resource at a wrong place has findings of its own, and `!error` gives nothing.
  if (key === "!resource" || key === "!error") return [];
  if (key === "!jq" && program !== undefined)
    return offendersOfProgram(program, wanted, flow, madeType(maker, flow));
  const found = flow.output(maker);
  return violates(found, wanted) ? [{ at: maker.member.key, found, wanted, path: [] }] : [];
}

/** @param type of the program's outputs */
export function offendersOfProgram(program: JqProgram, wanted: Type, flow: TypeFlow, type: Type): Offender[] {
  if (program.diagnostics.length > 0 || !maySomewhereViolate(type, wanted)) return [];
  // A stream where a list is wanted has a finding of its own.
  if (partOfKind(wanted, "array") !== undefined && flow.program(program).cardinality === "many") return [];
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  const { body } = program.tree;
  const search = new Search(program, nodes).search(body, wanted, []);
  const found =
    search.length > 0 || !violates(type, wanted)
      ? search
      : [{ ...place(program, body), found: type, wanted, path: [] }];
  // What fails, or is misspelled, gives no value or null: that is told of where it is.
  const told = flow.program(program).diagnostics;
  return found.filter(
    (offender) =>
      offender.found.kind !== "null" ||
      !told.some(
        ({ start, end }) => "from" in offender.at && offender.at.from <= start && end <= offender.at.to,
      ),
  );
}

function place(program: JqProgram, expression: Expression): Pick<Offender, "at" | "expression" | "program"> {
  return { at: { node: program.node, from: expression.start, to: expression.end }, expression, program };
}

/** Goes from an expression to those that its value is made of, as far as they are the value itself or a part of it. */
class Search {
  private readonly program: JqProgram;
  private readonly nodes: InferResult["nodes"];

  constructor(program: JqProgram, nodes: InferResult["nodes"]) {
    this.program = program;
    this.nodes = nodes;
  }

  search(node: Expression, wanted: Type, path: readonly string[]): Offender[] {
    const inner = this.inner(node, wanted, path);
    if (inner.length > 0) return inner;
    const found = this.nodes.get(node)?.output;
    if (found === undefined || !violates(found, wanted)) return [];
    return [{ ...place(this.program, node), found, wanted, path }];
  }

  private inner(node: Expression, wanted: Type, path: readonly string[]): Offender[] {
    switch (node.kind) {
      case "Group":
      case "Try":
        return this.search(node.body, wanted, path);
      case "Pipeline": {
        const last = lastExpression(node);
        return last === undefined ? [] : this.search(last, wanted, path);
      }
      case "If":
        return [
          ...node.branches.map(({ body }) => body),
          ...(node.otherwise === undefined ? [] : [node.otherwise]),
        ].flatMap((branch) => this.branch(branch, wanted, path));
      case "Alternative":
        return node.operands.flatMap((operand) => this.branch(operand, wanted, path));
      case "Comma":
        return node.items.flatMap((item) => this.search(item, wanted, path));
      case "Array": {
        const list = partOfKind(wanted, "array");
        if (node.body === undefined || list?.kind !== "array") return [];
        return this.search(node.body, list.items, [...path, "[]"]);
      }
      case "Call": {
        const [argument] = node.arguments;
        const list = partOfKind(wanted, "array");
        if (node.name.text !== "map" || argument === undefined || list?.kind !== "array") return [];
        return this.search(argument, list.items, [...path, "[]"]);
      }
      case "Object":
        return this.members(node, wanted, path);
      default:
        return [];
    }
  }

  /** A `null` that only one branch gives may be meant to end there. */
  private branch(node: Expression, wanted: Type, path: readonly string[]): Offender[] {
    return this.nodes.get(node)?.output === types.nullType ? [] : this.search(node, wanted, path);
  }

  private members(node: ObjectConstruction, wanted: Type, path: readonly string[]): Offender[] {
    const object = partOfKind(wanted, "object");
    if (object?.kind !== "object") return [];
    const found = this.nodes.get(node)?.output;
    const lacks = [...object.members].some(([name, { optional }]) => {
      return !optional && found?.kind === "object" && found.rest === undefined && !found.members.has(name);
    });
    // Missing members are told of the object as a whole.
    if (lacks) return [];
    return [...object.members].flatMap(([name, member]) => {
      const value = entryOf(node, name)?.value;
      return value === undefined ? [] : this.search(value, orNull(member), [...path, name]);
    });
  }
}
