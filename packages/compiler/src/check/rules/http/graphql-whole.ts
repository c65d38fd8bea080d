import { type Type, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { partAt } from "../../../flow/nodes.ts";
import type { Location } from "../../../parse/document.ts";
import { graphqlQuery, readOperation } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { otherType, takenFor } from "./graphql.ts";

/** The rule about variables of another type, where an object of an earlier step is all of them: `"variables": "${piped_content.2}"`. */
const module: RuleModule = {
  rules: [],
  checks: {
    reach: "linked",
    command: {
      "!http"(command, report, model) {
        const query = graphqlQuery(command);
        const node = query === undefined ? undefined : variablesOf(command);
        const { unit } = command;
        if (node === undefined || (unit?.kind !== "workflow" && unit?.kind !== "intake")) return;
        const expansion = partOfUnit(unit, model).expansions.find((each) => each.node === node);
        const operation = query === undefined ? undefined : readOperation(query.value);
        if (expansion === undefined || operation === undefined) return;
        const { syntax } = expansion;
        if (syntax.start > 0 || syntax.end < expansion.node.value.length) return;
        const objects = types.partsOf(flowOf(model).expansion(expansion));
        for (const { name, type } of operation.variables) {
          const found = otherThan(type, name, objects);
          if (found === undefined) continue;
          const at = madeAt(expansion.command, syntax.path, name) ?? expansion.node;
          report(otherType, at, {
            name,
            type,
            found,
            expansion: `${syntax.path.map(({ text }) => text).join(".")}.${name}`,
          });
        }
      },
    },
  },
};
export default module;

const kindNames: Readonly<Partial<Record<Type["kind"], string>>> = {
  boolean: "true or false",
  number: "a number",
  string: "a string",
  object: "an object",
  array: "a list",
};

/** The variables of a request, where they are one text. */
function variablesOf({ argument }: Command) {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  const variables = body?.kind === "object" ? body.get("variables") : undefined;
  return variables?.kind === "string" ? variables : undefined;
}

/** What a member of some objects may be, and a server doesn't take for a scalar. */
function otherThan(type: string, name: string, objects: readonly Type[]): string | undefined {
  const taken = takenFor(type);
  if (taken === undefined) return undefined;
  const parts = objects.flatMap((each) => {
    const member = each.kind === "object" ? each.members.get(name) : undefined;
    return member === undefined ? [] : types.partsOf(member.type);
  });
  const other = parts.find(({ kind }) => kind in kindNames && !taken.includes(kind));
  return other === undefined ? undefined : kindNames[other.kind];
}

/** Where the step makes the member. */
function madeAt(
  command: Command | undefined,
  [, index, ...below]: readonly { readonly text: string }[],
  name: string,
): Location | undefined {
  const program = below.length > 0 ? undefined : command?.pipe?.children[Number(index?.text) - 1]?.program;
  const object = program === undefined || program.diagnostics.length > 0 ? undefined : finalObject(program);
  const value = object === undefined ? undefined : entryOf(object, name)?.value;
  return program === undefined || value === undefined ? undefined : partAt(program, value);
}
