import { type Type, types } from "@configc/jq";
import type { Command, FieldSymbol } from "../bind/bound-nodes.ts";
import { workflowsOf } from "../bind/resolve.ts";
import { saveScopes } from "../language/commands/save.ts";
import { fieldType } from "./fields.ts";
import type { TypeFlow } from "./type-flow.ts";

type Member = readonly [string, { readonly type: Type; readonly optional: boolean }];

/**
 * The object of the roots that are legal at a place (D16). It is open: which names there are is checked where they are
 * read.
 */
export function rootsInput(command: Command, flow: TypeFlow, mentions: (root: string) => boolean): Type {
  const { place, unit } = command;
  const members: Member[] = [];
  for (const root of place.roots) {
    if (!mentions(root)) continue;
    if (root === "webhook")
      members.push([root, present(types.object([["url", present(types.string)]], types.unknown))]);
    else if (root === "custom_data") {
      const name = `custom_data ${unit?.node?.start} ${command.field?.index}`;
      members.push([root, present(flow.shared(name, () => customData(command, flow)))]);
    } else if (root === "data") members.push([root, present(flow.shared(root, () => savedData(flow)))]);
    else if (root === "polling_state" && unit?.kind === "intake" && unit.type === "polling")
      members.push([root, present(flow.stateAt(command, unit))]);
  }
  return types.object(members, types.unknown);
}

function present(type: Type): { type: Type; optional: boolean } {
  return { type, optional: false };
}

/** What was filled in before: in the options of a field, the fields above it (D12). */
function customData({ unit, field: own }: Command, flow: TypeFlow): Type {
  const found = new Map<string, FieldSymbol[]>();
  for (const workflow of workflowsOf(unit)) {
    for (const field of workflow.fields) {
      if (field.id === undefined || (own?.workflow === workflow && field.index >= own.index)) continue;
      found.set(field.id, [...(found.get(field.id) ?? []), field]);
    }
  }
  const members = [...found].map(([id, fields]): Member => {
    const value = types.union(...fields.map((field) => fieldType(field, "value", flow)));
    const display = types.union(...fields.map((field) => fieldType(field, "display", flow)));
    const optional = fields.some(({ required }) => !required);
    const attributes = [["value", present(value)] as const, ["display", present(display)] as const];
    return [id, { type: types.object(attributes, types.unknown), optional }];
  });
  return types.object(members, types.unknown);
}

function savedData(flow: TypeFlow): Type {
  const saved = flow.savedKeys();
  if (saved === undefined) return types.anyObject;
  const scopes = saveScopes.map((scope): Member => {
    const keys = [...saved.get(scope)!.keys.keys()].map((key): Member => {
      // Not there before the first `!save`.
      return [key, { type: flow.saved(scope, key), optional: true }];
    });
    return [scope, { type: types.object(keys, types.unknown), optional: true }];
  });
  return types.object(scopes, types.unknown);
}
