import type { Expression, Postfix, Stage, Suffix } from "../syntax-tree.ts";
import { readIndex, readItems, readSlice } from "./access.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { narrow } from "./narrow.ts";
import { mapParts, memberOf } from "./operations.ts";
import { memberPath } from "./places.ts";
import {
  array,
  type Member,
  never,
  nullType,
  type ObjectType,
  object,
  partsOf,
  string,
  type Type,
  union,
  unknown,
} from "./type.ts";

/** What becomes of a value at a path. */
export interface Updated {
  readonly type: Type;
  /** Whether the value may be deleted instead. */
  readonly deletes: boolean;
  /** Whether it may not be selected at all, so that nothing on the way to it is created. */
  readonly skips?: boolean | undefined;
}

/** What an update makes of an old value. */
export type Change = (old: Type) => Updated;

/** How paths are walked: deleting creates nothing on the way. */
export type UpdateMode = "set" | "delete";

/** More members than this are updated as one. */
const MEMBERS_ONE_BY_ONE = 50;

/** The type of values whose parts at some paths are changed. */
export class Updater {
  private readonly context: Context;
  private readonly mode: UpdateMode;

  constructor(context: Context, mode: UpdateMode) {
    this.context = context;
    this.mode = mode;
  }

  /** The input with what the target selects changed; undefined if that isn't known. */
  update(target: Expression, input: Type, scope: Scope, change: Change): Updated | undefined {
    if (input.kind === "never") return { type: never, deletes: false };
    switch (target.kind) {
      case "Identity":
        return change(input);
      case "Group":
        return this.update(target.body, input, scope, change);
      case "Pipeline":
        return this.stages(target.stages, input, scope, change);
      case "Postfix":
        return this.suffixes(target, target.suffixes.length, input, scope, change);
      case "Comma":
        return this.comma(target.items, input, scope, change);
      case "If":
        return this.conditional(target.branches, target.otherwise, input, scope, change);
      case "Alternative": {
        // Which one is chosen depends on the old value. Of several outputs only some may be chosen.
        const firsts = target.operands.slice(0, -1);
        if (firsts.some((operand) => memberPath(operand, this.context.resolution) === undefined))
          return undefined;
        const results = target.operands.map((operand, index) =>
          index < target.operands.length - 1
            ? this.context.reports.caught(() => this.update(operand, input, scope, change))
            : this.update(operand, input, scope, change),
        );
        return either(results);
      }
      case "Call":
        if (this.context.resolution.functions.has(target)) return undefined;
        if (target.name.text === "empty") return { type: input, deletes: false, skips: true };
        if (target.name.text === "select" && target.arguments.length === 1) {
          return this.conditional(
            [{ condition: target.arguments[0]!, body: undefined }],
            "unchanged",
            input,
            scope,
            change,
          );
        }
        return undefined;
      default:
        return undefined;
    }
  }

  private stages(
    [stage, ...rest]: readonly Stage[],
    input: Type,
    scope: Scope,
    change: Change,
  ): Updated | undefined {
    if (stage === undefined) return change(input);
    switch (stage.kind) {
      case "Definition":
        return this.stages(rest, input, { key: stage, parent: scope }, change);
      case "Label":
        return undefined;
      case "Binding": {
        const source = this.context.flow(stage.source, input, scope);
        const bound = this.context.bind(stage.patterns, source.type, input, scope);
        if (source.cardinality !== "one" || bound.flow.cardinality !== "one") return undefined;
        return this.stages(rest, input, bound.scope, change);
      }
      default:
        if (rest.length === 0) return this.update(stage, input, scope, change);
        return this.nested(
          (inner) => this.update(stage, input, scope, inner),
          (old) => this.stages(rest, old, scope, change),
        );
    }
  }

  /** An update whose change is an update itself, which may not be known. */
  private nested(
    outer: (change: Change) => Updated | undefined,
    inner: (old: Type) => Updated | undefined,
  ): Updated | undefined {
    let isKnown = true;
    const result = outer((old) => {
      const updated = inner(old);
      isKnown &&= updated !== undefined;
      return updated ?? { type: unknown, deletes: true };
    });
    return isKnown ? result : undefined;
  }

  /** The first `count` suffixes select what is changed. */
  private suffixes(
    node: Postfix,
    count: number,
    input: Type,
    scope: Scope,
    change: Change,
  ): Updated | undefined {
    if (count === 0) return this.update(node.head, input, scope, change);
    const isOptional = node.suffixes[count - 1]!.kind === "Optional";
    const index = isOptional ? count - 2 : count - 1;
    const suffix = node.suffixes[index];
    if (suffix === undefined || suffix.kind === "Optional") return undefined;
    return this.nested(
      (inner) => this.suffixes(node, index, input, scope, inner),
      (old) => this.step(suffix, isOptional, old, input, scope, change),
    );
  }

  private step(
    suffix: Exclude<Suffix, { kind: "Optional" }>,
    isOptional: boolean,
    target: Type,
    input: Type,
    scope: Scope,
    change: Change,
  ): Updated | undefined {
    const result = isOptional
      ? this.context.reports.caught(() => this.changed(suffix, target, input, scope, change))
      : this.changed(suffix, target, input, scope, change);
    // Values that have no such step stay as they are.
    if (!isOptional || result === undefined) return result;
    return { ...result, type: union(result.type, target), skips: true };
  }

  private changed(
    suffix: Exclude<Suffix, { kind: "Optional" }>,
    target: Type,
    input: Type,
    scope: Scope,
    change: Change,
  ): Updated | undefined {
    const { reports } = this.context;
    switch (suffix.kind) {
      case "Field":
      case "Index": {
        const key =
          suffix.kind === "Index"
            ? this.context.flow(suffix.index, input, scope)
            : suffix.key.kind === "Name"
              ? undefined
              : this.context.flow(suffix.key, input, scope);
        if (key !== undefined && key.cardinality !== "one") return undefined;
        const name = key === undefined ? (suffix as { key: { text: string } }).key.text : stringOf(key.type);
        if (name !== undefined) {
          this.reportIndex(target, suffix);
          return this.member(target, name, change);
        }
        readIndex(target, key!.type, suffix, reports);
        return this.computed(target, key!.type, change);
      }
      case "Iterate":
        readItems(target, suffix, reports);
        return each(target, change, (part, noting) => changedItems(part, noting));
      case "Slice": {
        const bounds = [suffix.from, suffix.to].filter((bound) => bound !== undefined);
        const flows = bounds.map((bound) => this.context.flow(bound, input, scope));
        if (flows.some(({ cardinality }) => cardinality !== "one")) return undefined;
        readSlice(
          target,
          flows.map(({ type }) => type),
          suffix,
          reports,
        );
        return undefined;
      }
    }
  }

  private reportIndex(target: Type, suffix: Suffix): void {
    // The missing member of an object is no mistake here: objects stand for themselves as open ones.
    const opened = mapParts(target, (part) =>
      part.kind === "object" ? object(part.members, unknown) : part,
    );
    readIndex(opened, string, suffix, this.context.reports);
  }

  private member(target: Type, name: string, update: Change): Updated {
    return each(target, update, (part, change) => {
      if (part.kind === "unknown" || part.kind === "null") {
        if (part.kind === "null" && this.mode === "delete") return part;
        const { type, deletes, skips } = change(part);
        if (type.kind === "never" && !deletes) return never;
        if (part.kind === "unknown" && (skips || deletes || this.mode === "delete")) return part;
        const member: Member = { type, optional: deletes };
        const made = object(
          type.kind === "never" ? [] : [[name, member]],
          part.kind === "null" ? undefined : unknown,
        );
        return skips || deletes ? union(part, made) : made;
      }
      return part.kind === "object" ? this.objectMember(part, name, change) : never;
    });
  }

  private objectMember(part: ObjectType, name: string, change: Change): Type {
    const before = part.members.get(name);
    const absent = before === undefined && part.rest === undefined;
    if (this.mode === "delete") {
      if (absent) return part;
      const { type, deletes } = change(before?.type ?? part.rest!);
      const others = [...part.members].filter(([key]) => key !== name);
      const mayBeAbsent = before?.optional ?? true;
      if (type.kind === "never") return deletes || mayBeAbsent ? object(others, part.rest) : never;
      return object([...others, [name, { type, optional: deletes || mayBeAbsent }]], part.rest);
    }
    const { type, deletes, skips } = change(memberOf(part, name));
    if (type.kind === "never") {
      if (!deletes) return never;
      return object(
        [...part.members].filter(([key]) => key !== name),
        part.rest,
      );
    }
    const optional = deletes || (skips === true && (before?.optional ?? true));
    return object([...part.members, [name, { type, optional }]], part.rest);
  }

  /** `[key]` with a key that isn't known exactly. */
  private computed(target: Type, key: Type, update: Change): Updated {
    const kinds = new Set(partsOf(key).map(({ kind }) => kind));
    if ([...kinds].some((kind) => kind !== "string" && kind !== "number"))
      return { type: unknown, deletes: true };
    return each(target, update, (part, change) => {
      if (part.kind === "unknown") {
        change(part);
        return unknown;
      }
      const results: Type[] = [];
      if (kinds.has("string") && (part.kind === "object" || part.kind === "null"))
        results.push(this.anyMember(part, change));
      if (kinds.has("number") && (part.kind === "array" || part.kind === "null")) {
        const items = part.kind === "array" ? part.items : never;
        const { type, deletes, skips } = change(union(items, nullType));
        if (part.kind === "null" && (skips || deletes)) results.push(part);
        if (this.mode === "delete") results.push(part.kind === "null" ? part : array(union(items, type)));
        else results.push(array(union(items, type, nullType)));
      }
      return union(...results);
    });
  }

  private anyMember(part: Type, change: Change): Type {
    const from = part.kind === "object" ? part : undefined;
    const old = union(...[...(from?.members.values() ?? [])].map(({ type }) => type), from?.rest ?? never);
    const { type, deletes, skips } = change(union(old, nullType));
    if (from === undefined && this.mode === "delete") return part;
    const members = [...(from?.members ?? [])].map(
      ([name, member]) =>
        [name, { type: union(member.type, type), optional: member.optional || deletes }] as const,
    );
    if (this.mode === "delete")
      return object(members, from?.rest === undefined ? undefined : union(from.rest, type));
    const changed = object(members, union(from?.rest ?? never, type));
    return from === undefined && (skips || deletes) ? union(part, changed) : changed;
  }

  private comma(
    items: readonly Expression[],
    input: Type,
    scope: Scope,
    change: Change,
  ): Updated | undefined {
    const paths = items.map((item) => memberPath(item, this.context.resolution));
    if (!areApart(paths)) return undefined;
    let result: Updated = { type: input, deletes: false, skips: true };
    for (const item of items) {
      const next = this.update(item, result.type, scope, change);
      if (next === undefined) return undefined;
      const skips = result.skips === true && next.skips === true;
      result = { type: next.type, deletes: result.deletes || next.deletes, skips };
    }
    return result;
  }

  private conditional(
    branches: readonly { readonly condition: Expression; readonly body: Expression | undefined }[],
    otherwise: Expression | "unchanged" | undefined,
    input: Type,
    scope: Scope,
    change: Change,
  ): Updated | undefined {
    let rest = { input, scope };
    const results: (Updated | undefined)[] = [];
    for (const { condition, body } of branches) {
      if (rest.input.kind === "never") break;
      const { cardinality } = this.context.flow(condition, rest.input, rest.scope);
      if (cardinality === "many" || cardinality === "unknown") return undefined;
      // Without an output of the condition, nothing is selected.
      if (cardinality !== "one") results.push({ type: rest.input, deletes: false, skips: true });
      const then = narrow(condition, rest, true, this.context);
      if (then.input.kind !== "never")
        results.push(
          body === undefined ? change(then.input) : this.update(body, then.input, then.scope, change),
        );
      rest = narrow(condition, rest, false, this.context);
    }
    if (rest.input.kind !== "never") {
      if (otherwise === "unchanged") results.push({ type: rest.input, deletes: false, skips: true });
      else
        results.push(
          otherwise === undefined
            ? change(rest.input)
            : this.update(otherwise, rest.input, rest.scope, change),
        );
    }
    return either(results);
  }
}

function stringOf(type: Type): string | undefined {
  return type.kind === "string" ? type.value : undefined;
}

/** The type with its items or members changed; other kinds of values have none. */
export function changedItems(target: Type, change: Change): Type {
  return union(
    ...partsOf(target).map((part) => {
      switch (part.kind) {
        case "unknown":
          change(part);
          return part;
        case "array": {
          if (part.items.kind === "never") return part;
          const { type, deletes } = change(part.items);
          // What moves into the place of a deleted item may be left as it was.
          return array(deletes ? union(part.items, type) : type);
        }
        case "object":
          return allMembers(part, change);
        default:
          return never;
      }
    }),
  );
}

/** Each member of an object changed. */
function allMembers(part: ObjectType, change: Change): Type {
  if (part.members.size > MEMBERS_ONE_BY_ONE) {
    const { type } = change(
      union(...[...part.members.values()].map((member) => member.type), part.rest ?? never),
    );
    return object([], type);
  }
  const members: [string, Member][] = [];
  for (const [name, member] of part.members) {
    const { type, deletes } = change(member.type);
    if (type.kind !== "never") members.push([name, { type, optional: member.optional || deletes }]);
    else if (!deletes && !member.optional) return never;
  }
  return object(members, part.rest === undefined ? undefined : change(part.rest).type);
}

/** Changes every part of a union. Only the value as a whole can be deleted, by `change` itself. */
function each(type: Type, change: Change, map: (part: Type, change: Change) => Type): Updated {
  let skips = false;
  const noting: Change = (old) => {
    const updated = change(old);
    // A deleted value leaves no trace of the way to it either.
    skips ||= updated.skips === true || updated.deletes;
    return updated;
  };
  return { type: union(...partsOf(type).map((part) => map(part, noting))), deletes: false, skips };
}

function either(results: readonly (Updated | undefined)[]): Updated | undefined {
  let all: Updated = { type: never, deletes: false, skips: false };
  for (const result of results) {
    if (result === undefined) return undefined;
    all = {
      type: union(all.type, result.type),
      deletes: all.deletes || result.deletes,
      skips: all.skips || result.skips === true,
    };
  }
  return all;
}

/** Whether no path is a part of another, so that they can be changed one after the other. */
function areApart(
  paths: readonly (readonly string[] | undefined)[],
): paths is readonly (readonly string[])[] {
  return paths.every(
    (path, index) =>
      path !== undefined &&
      paths.every(
        (other, at) =>
          at === index ||
          other === undefined ||
          other.length < path.length ||
          !path.every((name, depth) => other[depth] === name),
      ),
  );
}
