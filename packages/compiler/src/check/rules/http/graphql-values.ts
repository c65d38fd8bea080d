import { type Expression, type Type, types } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { memberMade } from "../../../flow/protocol/definition-site.ts";
import type { Location } from "../../../parse/document.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import { type GraphqlVariable, graphqlQuery, readOperation } from "../../../samples/graphql.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { expansionAt, wholeType } from "./form-fields.ts";
import { kindNames, otherType, takenFor } from "./graphql.ts";
import { inputFields } from "./graphql-made.ts";

/**
 * The rule about variables of another type, for what is written as their value, and for what a step makes of them. What an expansion brings is
 * told where that is looked at.
 */
const module: RuleModule = {
  rules: [],
  checks: {
    // Comments around the part say the types of members.
    reach: "saved",
    command: {
      "!http"(command, report, model) {
        for (const { variable, found, text, at } of sentValues(command, model))
          report(otherType, at, { ...named(variable), found, expansion: text, isCertain: true });
      },
    },
    program(program, report, model) {
      for (const { variable, found, text, at } of madeValues(program, model))
        report(otherType, at, { ...named(variable), found, expansion: text, isCertain: true });
    },
  },
};
export default module;

interface Value {
  readonly variable: Pick<GraphqlVariable, "name" | "type">;
  readonly found: string;
  readonly text: string;
  readonly at: Location;
}

const named = ({ name, type }: Value["variable"]) => ({ name, type });

function sentValues(command: Command, model: Model): readonly Value[] {
  const { argument } = command;
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  const given = body?.kind === "object" ? body.get("variables") : undefined;
  const query = given === undefined ? undefined : graphqlQuery(command);
  const operation = query === undefined ? undefined : readOperation(query.value);
  if (operation === undefined || given === undefined) return [];
  return operation.variables.flatMap((variable): readonly Value[] => {
    if (given.kind === "object") {
      const at = given.get(variable.name);
      const joined = at === undefined ? undefined : joinedMember(at, variable, command, model);
      if (joined !== undefined) return [joined];
      const type = at === undefined ? undefined : typeOf(at);
      const found = type === undefined ? undefined : otherThan(type, variable);
      return at === undefined || found === undefined ? [] : [{ variable, found, text: textOf(at), at }];
    }
    // What a step made of them.
    const type = given.kind === "string" ? wholeType(given, model) : undefined;
    const [object, ...others] = type === undefined ? [] : types.partsOf(type);
    const member =
      object?.kind === "object" && others.length === 0 ? object.members.get(variable.name) : undefined;
    const found =
      member === undefined || member.type.kind === "null" ? undefined : otherThan(member.type, variable);
    return found === undefined ? [] : [{ variable, found, text: variable.name, at: given }];
  });
}

/** A list of an input type, by a comment, that a step has joined to one text: `channels: [Channel!]!`. */
function joinedMember(
  at: JsonNode,
  { name: variable, type }: GraphqlVariable,
  command: Command,
  model: Model,
): Value | undefined {
  if (at.kind !== "string" || !hasComments(model)) return undefined;
  const expansion = expansionAt(at, model);
  const [, index, ...below] = expansion?.root === "piped_content" ? expansion.syntax.path : [];
  const step = below.length > 0 ? undefined : command.pipe?.children[Number(index?.text) - 1];
  if (step === undefined) return undefined;
  for (const [name, own] of inputFields(type, command.node)) {
    const made = own.startsWith("[") ? memberMade(step, name) : undefined;
    if (made === undefined || !isJoined(made.node)) continue;
    const { node, program } = made;
    return {
      variable: { name: `${variable}.${name}`, type: own },
      found: "one text",
      text: excerpt(textAt(node, program)),
      at: { node: program.node, from: node.start, to: node.end },
    };
  }
  return undefined;
}

function isJoined(given: Expression): boolean {
  const node = bare(given);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last?.kind === "Call" && last.name.text === "join";
}

/** What a program gives to the variables of the queries that it makes: `{query: "…", variables: {…}}`. */
function madeValues(program: JqProgram, model: Model): readonly Value[] {
  const { node, diagnostics } = program;
  if (diagnostics.length > 0 || !/\bvariables\b/.test(node.value)) return [];
  let types: ReturnType<typeof inferNodes>["nodes"] | undefined;
  return nodesOfKind(program, "Object").flatMap((object) => {
    const [query, variables] = ["query", "variables"].map((name) => entryOf(object, name)?.value);
    const text = query === undefined ? undefined : constantOf(bare(query));
    const given = variables === undefined ? undefined : bare(variables);
    const operation = typeof text === "string" ? readOperation(text) : undefined;
    if (operation === undefined || given?.kind !== "Object") return [];
    return operation.variables.flatMap((variable): readonly Value[] => {
      const value = entryOf(given, variable.name)?.value;
      if (value === undefined || bare(value).kind === "Hole") return [];
      const flow = flowOf(model);
      types ??= inferNodes(program, flow.programInput(program), flow.holes(program)).nodes;
      // That a value is never there is told as that.
      const known = types.get(value)?.output;
      const type = known?.kind === "null" && constantOf(bare(value)) !== null ? undefined : known;
      const found = type === undefined ? undefined : otherThan(type, variable);
      const at = { node, from: value.start, to: value.end };
      return found === undefined ? [] : [{ variable, found, text: excerpt(textAt(value, program)), at }];
    });
  });
}

/** The type of what is written; undefined for an expansion, of which others tell. */
function typeOf(value: JsonNode): Type | undefined {
  switch (value.kind) {
    case "string": {
      const template = parseTemplate(value.value);
      return template !== undefined && isWhole(template) ? undefined : types.string;
    }
    case "number":
      return types.number;
    case "boolean":
      return types.boolean;
    case "null":
      return types.nullType;
    case "array":
      return types.anyArray;
    case "object":
      return types.anyObject;
    default:
      return undefined;
  }
}

/** What a value is where a variable takes nothing like it. A server makes a list of one value where a list is declared. */
function otherThan(given: Type, { type, isRequired }: GraphqlVariable): string | undefined {
  const parts = types.partsOf(given);
  if (parts.length === 0) return undefined;
  if (parts.every(({ kind }) => kind === "null")) return isRequired ? "null" : undefined;
  const taken = takenFor(type) ?? takenForItems(type);
  const others = parts.filter(({ kind }) => kind !== "null");
  const isNone = others.every(({ kind }) => taken?.includes(kind) === false && kind in kindNames);
  return isNone ? kindNames[others[0]!.kind] : undefined;
}

function takenForItems(type: string): readonly Type["kind"][] | undefined {
  const item = /^\[(\w+)!?\]$/.exec(type)?.[1];
  const taken = item === undefined ? undefined : takenFor(item);
  return taken === undefined ? undefined : [...taken, "array"];
}

const textOf = (value: JsonNode): string =>
  value.kind === "string"
    ? `"${excerpt(value.value)}"`
    : value.kind === "number"
      ? `${value.value}`
      : value.kind;
