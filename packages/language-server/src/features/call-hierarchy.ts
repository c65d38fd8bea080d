import type { Command, MemberNode, Model, Span } from "@configc/compiler";
import {
  type KeyRead,
  type KeyWrite,
  outermostCommand,
  pointerTo,
  type StateKey,
  spanOf,
  stateKeys,
} from "@configc/compiler/internal";
import { type CallHierarchyItem, type Range, SymbolKind } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { toRange } from "../range.ts";

/**
 * Saved and polling keys as a call hierarchy: what reads a key calls it, and a key calls what writes it. So incoming calls are what
 * depends on a key, from step to step, and outgoing calls are where its value comes from.
 */
export const callHierarchy: Feature = {
  capabilities: { callHierarchyProvider: true },
  register({ connection, config }) {
    const { callHierarchy } = connection.languages;
    callHierarchy.onPrepare(({ textDocument, position }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const found = thingAt(open.compilation.model, open.document.offsetAt(position));
      return found === undefined ? null : [itemOf(open, found)];
    });
    callHierarchy.onIncomingCalls(({ item }) =>
      callsOf(config(item.uri), item, "incoming").map(([from, fromRanges]) => ({ from, fromRanges })),
    );
    callHierarchy.onOutgoingCalls(({ item }) =>
      callsOf(config(item.uri), item, "outgoing").map(([to, fromRanges]) => ({ to, fromRanges })),
    );
  },
};

/** What stands in the hierarchy: keys, and between them the outermost commands, such as `create` of an intake. */
type Thing = StateKey | Command;

/** The key whose name stands there, or else the command around it, if that has to do with any key. */
function thingAt(model: Model, offset: number): Thing | undefined {
  const keys = stateKeys(model);
  const key = keys.find((each) =>
    usesOf(each).some(({ at }) => at !== undefined && contains(spanOf(model.document, at), offset)),
  );
  if (key !== undefined) return key;
  const around = model.commands.find(
    (each) => each.parent === undefined && contains(ownerOf(each) ?? each.node, offset),
  );
  return keys.some((each) => usesOf(each).some(({ command }) => outermostCommand(command) === around))
    ? around
    : undefined;
}

/** The other ends of a thing's edges, each with the places in the document that make it one. */
function callsOf(
  open: OpenConfig | undefined,
  item: CallHierarchyItem,
  direction: "incoming" | "outgoing",
): (readonly [CallHierarchyItem, Range[]])[] {
  if (open === undefined) return [];
  const { model } = open.compilation;
  const thing = thingOf(model, item);
  if (thing === undefined) return [];
  const calls = new Map<Thing, Range[]>();
  const add = (other: Thing, use: KeyRead | KeyWrite): void => {
    const range = toRange(open.document, placeOf(model, use));
    calls.set(other, [...(calls.get(other) ?? []), range]);
  };
  if (thing.kind === "command") {
    for (const key of stateKeys(model))
      for (const use of direction === "incoming" ? key.writes : key.reads)
        if (outermostCommand(use.command) === thing) add(key, use);
  } else {
    for (const use of direction === "incoming" ? thing.reads : thing.writes)
      add(outermostCommand(use.command), use);
  }
  return [...calls].map(([other, ranges]) => [itemOf(open, other), ranges]);
}

function itemOf({ document, compilation: { model } }: OpenConfig, thing: Thing): CallHierarchyItem {
  const { uri } = document;
  if (thing.kind !== "command") {
    const [first] = usesOf(thing);
    const range = toRange(document, first === undefined ? { start: 0, end: 0 } : placeOf(model, first));
    const detail = thing.intake === undefined ? "saved key" : `polling key, ${nameOf(thing.intake)}`;
    const data = idOf(thing);
    return { name: thing.path, kind: SymbolKind.Key, detail, uri, range, selectionRange: range, data };
  }
  const { node, member, field, unit } = thing;
  const owner = ownerOf(thing);
  const name = owner?.name ?? thing.key;
  return {
    name: field?.id === undefined ? name : `${name} of ${field.id}`,
    kind: SymbolKind.Function,
    detail: unit === undefined ? "api" : nameOf(unit),
    uri,
    range: toRange(document, owner ?? node),
    selectionRange: toRange(document, owner?.key ?? member.key),
    data: idOf(thing),
  };
}

/** Text by which an item is found again: the document may have changed between two requests. */
function idOf(thing: Thing): string {
  if (thing.kind === "command") return pointerTo(thing.node);
  return thing.intake === undefined ? thing.path : `${thing.path} ${pointerTo(thing.intake.node)}`;
}

function thingOf(model: Model, { data }: CallHierarchyItem): Thing | undefined {
  const things: readonly Thing[] = [...stateKeys(model), ...model.commands];
  return things.find((thing) => idOf(thing) === data);
}

function usesOf({ writes, reads }: StateKey): readonly (KeyRead | KeyWrite)[] {
  return [...writes, ...reads];
}

function placeOf({ document }: Model, { at, command }: KeyRead | KeyWrite): Span {
  return at === undefined ? command.member.key : spanOf(document, at);
}

/** The member whose value it is: `"create": …`. */
function ownerOf({ node }: Command): MemberNode | undefined {
  return node.parent?.kind === "member" ? node.parent : undefined;
}

function nameOf(unit: NonNullable<Command["unit"]>): string {
  return unit.kind === "api" ? "api" : `${unit.kind} ${unit.name ?? "(no name)"}`;
}

function contains({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}
