import type { Command, Expansion, IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { outermostCommand } from "../../bind/outermost-command.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import type { JsonNode } from "../../parse/syntax-tree.ts";

/** A value that the request for a list sends below `params` or `body`, by names joined with dots: `filter.updated.gt`. */
export interface ListParameter {
  readonly name: string;
  readonly node: JsonNode;
  /** A text, number or boolean without expansions, as text. */
  readonly constant: string | undefined;
  /** Of the polling state, where nothing else is read for it. */
  readonly key: string | undefined;
  /** What stands before the key's expansion: empty where the value is nothing else. */
  readonly before: string;
}

/** The one request with which an intake reads its list. */
export interface ListRequest {
  readonly command: Command;
  /** `path` or `url`, with expansions as they are written. */
  readonly path: string;
  readonly parameters: readonly ListParameter[];
}

/** The request of a polling intake; undefined where it sends none or several: then it isn't certain which one lists. */
export function listRequestOf(intake: IntakeSymbol, model: Model): ListRequest | undefined {
  const request = intake.commands.get("request");
  const part = partOfUnit(intake, model);
  if (request === undefined) return undefined;
  const [command, ...others] = part.commands.filter(
    (each) => each.key === "!http" && outermostCommand(each) === request,
  );
  if (command?.argument?.kind !== "object" || others.length > 0) return undefined;
  const { argument } = command;
  const [path] = ["path", "url"].flatMap((name) => {
    const value = argument.get(name);
    return value?.kind === "string" ? [value.value] : [];
  });
  const read = new Map<JsonNode, Expansion[]>();
  for (const expansion of part.expansions)
    if (expansion.command === command)
      read.set(expansion.node, [...(read.get(expansion.node) ?? []), expansion]);
  const parameters = ["params", "body"].flatMap((name) => parametersIn(argument.get(name), [], read));
  return path === undefined ? undefined : { command, path, parameters };
}

function parametersIn(
  node: JsonNode | undefined,
  names: readonly string[],
  read: ReadonlyMap<JsonNode, readonly Expansion[]>,
): readonly ListParameter[] {
  if (node === undefined) return [];
  switch (node.kind) {
    case "null":
      return [];
    case "object":
      return node.members.flatMap(({ name, value }) => parametersIn(value, [...names, name], read));
    case "array":
      return node.items.flatMap((item, index) => parametersIn(item, [...names, String(index)], read));
    default: {
      const name = names.join(".");
      const [expansion, ...others] = read.get(node) ?? [];
      if (expansion === undefined)
        return [{ name, node, constant: String(node.value), key: undefined, before: "" }];
      const key = others.length === 0 ? keyOf(expansion) : undefined;
      const before = node.kind === "string" ? node.value.slice(0, expansion.syntax.start) : "";
      return [{ name, node, constant: undefined, key, before }];
    }
  }
}

function keyOf({ root, rootExact, syntax }: Expansion): string | undefined {
  const [, key, ...below] = syntax.path;
  return root === "polling_state" && rootExact && syntax.problem === undefined && below.length === 0
    ? key?.text
    : undefined;
}
