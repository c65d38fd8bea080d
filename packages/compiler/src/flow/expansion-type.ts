import { type Type, types } from "@configc/jq";
import type { Expansion } from "../bind/bound-nodes.ts";
import { saveScopes } from "../language/commands/save.ts";
import type { ExpansionSyntax } from "../parse/template.ts";
import { fieldType } from "./fields.ts";
import type { TypeFlow } from "./type-flow.ts";

/**
 * The type of an expansion's value: from the field, the saved value, the state or the step that it names (D11). Ask
 * `TypeFlow.expansion`, which bounds the recursion.
 */
export function expansionValue(expansion: Expansion, flow: TypeFlow): Type {
  const { syntax, rootExact } = expansion;
  if (syntax.problem !== undefined || !rootExact) return types.unknown;
  const { type, path } = valueOfRoot(expansion, flow);
  const found = below(type, path);
  const filtered = withDefault(found, expansion);
  // What is certainly missing fails when it runs, and what would come of it isn't the next mistake.
  return filtered.kind === "never" ? types.unknown : filtered;
}

/** A value that expansions read from, and the names that lead from there on. */
export interface Origin {
  readonly type: Type;
  readonly path: readonly string[];
}

const unknownOrigin: Origin = { type: types.unknown, path: [] };
const webhook = types.record({ url: types.string });

/** What the first segments of an expansion name, and the rest of its path. */
export function valueOfRoot(
  { root, syntax, command, fields, fieldExact }: Expansion,
  flow: TypeFlow,
): Origin {
  const first = syntax.path[1]?.text;
  const second = syntax.path[2]?.text;
  const names = (from: number): string[] => syntax.path.slice(from).map(({ text }) => text);
  switch (root) {
    case "webhook":
      return { type: webhook, path: names(1) };
    case "subdomain":
      return { type: types.string, path: names(1) };
    case "custom_data": {
      if ((second !== "value" && second !== "display") || fields.length === 0) return unknownOrigin;
      // A near match stands for what was meant, so that nothing follows from the misspelling.
      const type = fieldExact ? fields.map((field) => fieldType(field, second, flow)) : [types.unknown];
      return { type: types.union(...type), path: names(3) };
    }
    case "data": {
      const scope = saveScopes.find((name) => name === first);
      if (scope === undefined || second === undefined) return unknownOrigin;
      return { type: flow.saved(scope, second), path: names(3) };
    }
    case "polling_state": {
      const unit = command?.unit;
      if (command === undefined || unit?.kind !== "intake" || unit.type !== "polling") return unknownOrigin;
      return { type: flow.stateAt(command, unit), path: names(1) };
    }
    case "piped_content": {
      if (command === undefined || first === undefined) return unknownOrigin;
      return { type: stepType(command, Number(first), flow), path: names(2) };
    }
    default:
      return unknownOrigin;
  }
}

function stepType(command: NonNullable<Expansion["command"]>, index: number, flow: TypeFlow): Type {
  const { pipe, stepsRun } = command;
  if (index === 0) return flow.input(pipe ?? command);
  if (pipe === undefined || !Number.isInteger(index) || index < 0 || index > stepsRun) return types.unknown;
  return flow.step(pipe, index);
}

/**
 * The type at a path of member names and, in arrays, indexes. A part of it that isn't there is no value: reading it fails
 * (D9), or gives the filter's default.
 */
export function below(type: Type, names: readonly string[]): Type {
  let at = type;
  for (const name of names) {
    at = types.union(...types.partsOf(at).map((part) => memberOrItem(part, name)));
  }
  return at;
}

/** What a path's next segment names in a value of one kind; `never` where there certainly is no such thing. */
export function memberOrItem(part: Type, name: string): Type {
  switch (part.kind) {
    case "unknown":
      return types.unknown;
    case "object":
      return part.members.get(name)?.type ?? part.rest ?? types.never;
    case "array":
      return /^\d+$/.test(name) ? part.items : types.never;
    default:
      return types.never;
  }
}

/** D7: the filter gives a string where the value is missing or the field was skipped. */
function withDefault(type: Type, { root, syntax, fields }: Expansion): Type {
  const filter = syntax.filters[0];
  if (filter === undefined) return type;
  if (syntax.filters.some(({ name }) => name !== "default")) return types.unknown;
  if (root === "custom_data" && fields.every(({ required }) => required)) return type;
  return types.union(type, types.literal(defaultText(filter)));
}

function defaultText({ argument }: ExpansionSyntax["filters"][number]): string {
  return argument?.text ?? "";
}
