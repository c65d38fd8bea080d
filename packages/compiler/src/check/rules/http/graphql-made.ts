import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";
import { readOperation } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { otherKind, otherType } from "./graphql.ts";

/** The rule about variables of another type, where a step makes the request. */
const module: RuleModule = {
  rules: [],
  checks: {
    // Comments around the part say the types of members.
    reach: "saved",
    program(program, report, model) {
      for (const { name, type, expansion } of variablesMadeIn(program)) {
        const found = otherKind(expansion, type, flowOf(model));
        if (found === undefined) continue;
        const { node, syntax } = expansion;
        const text = excerpt(node.value.slice(syntax.start, syntax.end));
        const at = { node, from: syntax.start, to: syntax.end };
        report(otherType, at, { name, type, found, expansion: text });
      }
    },
  },
};
export default module;

/** A variable of a query, or a member of one, that a program gives the value of an expansion as it is. */
interface MadeVariable {
  readonly name: string;
  readonly type: string;
  readonly expansion: Expansion;
}

/** What a program gives to the variables of the queries that it makes: `{query: "…", variables: {…}}`. */
function variablesMadeIn(program: JqProgram): readonly MadeVariable[] {
  const { diagnostics, holes, node } = program;
  if (diagnostics.length > 0 || holes.length === 0 || !/\bvariables\b/.test(node.value)) return [];
  return nodesOfKind(program, "Object").flatMap((object) => {
    const [query, variables] = ["query", "variables"].map((name) => entryOf(object, name)?.value);
    const text = query === undefined ? undefined : constantOf(bare(query));
    const given = variables === undefined ? undefined : bare(variables);
    const operation = typeof text === "string" ? readOperation(text) : undefined;
    if (operation === undefined || given?.kind !== "Object") return [];
    return operation.variables.flatMap(({ name, type }) => {
      const value = entryOf(given, name)?.value;
      return value === undefined ? [] : valuesIn(bare(value), name, type, program);
    });
  });
}

function valuesIn(
  value: Expression,
  name: string,
  type: string,
  program: JqProgram,
): readonly MadeVariable[] {
  if (value.kind === "Hole") {
    const expansion = program.holes[value.hole];
    return expansion === undefined ? [] : [{ name, type, expansion }];
  }
  return value.kind === "Object" ? membersIn(value, name, type, program) : [];
}

/** The members of an object whose type a comment writes out: `input PassInput { seats: Int! }`. */
function membersIn(
  { entries }: ObjectConstruction,
  name: string,
  type: string,
  program: JqProgram,
): readonly MadeVariable[] {
  const fields = inputFields(type, program.node);
  return entries.flatMap(({ key, value }) => {
    const member = nameOf(key);
    const own = member === undefined ? undefined : fields.get(member);
    if (member === undefined || own === undefined || value === undefined) return [];
    const inner = bare(value);
    return inner.kind === "Hole" ? valuesIn(inner, `${name}.${member}`, own, program) : [];
  });
}

/** The fields of an input type that a comment around a place writes out, each with its type. */
export function inputFields(type: string, place: SyntaxNode): ReadonlyMap<string, string> {
  for (const { value } of commentsAround(place, [])) {
    const start = /^\w+$/.test(type) ? value.search(new RegExp(`\\binput\\s+${type}\\b`)) : -1;
    const body = start < 0 ? undefined : /^[^{}]*\{([^{}]*)\}/.exec(value.slice(start))?.[1];
    if (body === undefined) continue;
    const fields = [...body.matchAll(/(\w+)\s*:\s*([\w[\]!]+)/g)];
    return new Map(fields.map((field) => [field[1] ?? "", (field[2] ?? "").replace(/!$/, "")]));
  }
  return new Map();
}
