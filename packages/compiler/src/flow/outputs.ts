import { type Type, types } from "@configc/jq";
import { memberType } from "@configc/jq/internal";
import type { Command } from "../bind/bound-nodes.ts";
import { readResource } from "../bind/resource.ts";
import { commandSpec } from "../language/index.ts";
import { objectItems, textOf } from "../parse/syntax-tree.ts";
import { responseType } from "../samples/response-type.ts";
import type { TypeFlow } from "./type-flow.ts";

/** What a command gives for its input (D17, D20, D23–D26). */
export function outputOf(command: Command, flow: TypeFlow): Type {
  const { key, children, argument, program } = command;
  switch (key) {
    case "!pipe":
      return children.length === 0 ? flow.input(command) : flow.step(command, children.length);
    case "!switch":
      return children.length === 0
        ? types.unknown
        : types.union(...children.map((child) => flow.output(child)));
    case "!jq":
      return program === undefined ? types.unknown : flow.value(program);
    case "!save":
    case "!print_c":
      return flow.input(command);
    case "!respond":
      // Elsewhere it is a finding of its own, and nothing is made of what it would give.
      return commandSpec("!respond")?.places?.includes(command.place.name) === false ? types.unknown : answer;
    case "!error":
      return types.never;
    case "!sha":
      return types.record({ value_to_encrypt: types.string, hash: types.string });
    case "!http":
      return responseType(command, flow.model);
    case "!resource":
      return resourceOutput(command, flow);
    case "!extract":
      return extracted(argument, flow.input(command));
  }
}

/** What `!respond` gives: the answer, for the receiver of the webhook (D26). */
const answer: Type = types.object([
  ["process_payload", { type: types.boolean, optional: false }],
  ["code", { type: types.number, optional: false }],
  ["headers", { type: types.object([], types.string), optional: false }],
  ["body", { type: types.unknown, optional: true }],
]);

/** One option of `PlatformContact.fields`; a platform may tell more of its fields. */
const resourceField: Type = types.object(
  [
    ["id", { type: types.union(types.string, types.number), optional: false }],
    ["title", { type: types.string, optional: false }],
    ["required", { type: types.boolean, optional: true }],
  ],
  types.unknown,
);

/** What `Platform.sync` gives: the ids of what was written (D46); a platform may tell more. */
const id = { type: types.union(types.string, types.number), optional: true };
const synced: Type = types.object(
  [
    ["contact_id", id],
    ["account_id", id],
    ["deal_id", id],
    ["account_contact_id", id],
    ["external_ids", { type: types.array(types.union(types.string, types.number)), optional: true }],
  ],
  types.unknown,
);

function resourceOutput({ argument }: Command, { model }: TypeFlow): Type {
  const written = argument?.kind === "object" ? argument.get("action") : argument;
  if (written?.kind !== "string") return types.unknown;
  const { target, part } = readResource(written, model.settings);
  if (target === undefined) return types.unknown;
  if (part === "sync") return target.spec?.name === "" ? synced : types.unknown;
  if (part === "fields") return types.array(resourceField);
  return part === undefined && target.readable ? types.anyObject : types.unknown;
}

/** Members that the input may lack are left out. */
function extracted(argument: Command["argument"], input: Type): Type {
  const names = itemKeys(argument);
  const parsed = argument?.kind === "object" ? argument.get("to_json") : undefined;
  if (names === undefined) return types.anyObject;
  const asJson = parsed?.kind !== "boolean" || parsed.value;
  return types.object(
    names.map((name) => [name, { type: asJson ? types.unknown : memberType(input, name), optional: true }]),
  );
}

/** The names that an `!extract` takes; undefined where they aren't all known. */
export function itemKeys(argument: Command["argument"]): readonly string[] | undefined {
  const keys = argument?.kind === "object" ? argument.get("item_keys") : undefined;
  if (keys?.kind !== "array") return undefined;
  const names = keys.items.flatMap((key) => (key.kind === "string" ? [key.value] : []));
  return names.length === keys.items.length ? names : undefined;
}

/** The items of a polling intake's `results`, which are the payload of the pipeline. */
export function resultItems(request: Command, flow: TypeFlow): Type {
  const results = types
    .partsOf(flow.output(request))
    .map((part) => (part.kind === "object" ? memberType(part, "results") : types.unknown));
  const lists = results.flatMap(types.partsOf).filter(({ kind }) => kind !== "null");
  if (lists.length === 0) return types.unknown;
  return types.union(...lists.map((list) => (list.kind === "array" ? list.items : types.unknown)));
}

/**
 * The ids of a static list of map options, by group; undefined unless all of them are known. Of two with one id, one certainly was
 * to have another.
 */
export function optionNames(
  options: Command["argument"],
): ReadonlyMap<string | undefined, Set<string>> | undefined {
  if (options?.kind !== "array") return undefined;
  const names = new Map<string | undefined, Set<string>>();
  for (const option of objectItems(options)) {
    const id = option.get("id");
    if (id?.kind !== "string" && id?.kind !== "number") return undefined;
    const group = textOf(option, "group");
    const ids = names.get(group) ?? new Set();
    if (ids.has(`${id.value}`)) return undefined;
    names.set(group, ids.add(`${id.value}`));
  }
  return names;
}
