import type { Expression, Postfix, Stage, Suffix } from "../syntax-tree.ts";
import { readIndex, readItems, readSlice, reportMissing } from "./access.ts";
import { type Change, changedItems, each, either, type Updated, type UpdateMode } from "./changes.ts";
import type { Context } from "./context.ts";
import { keysMayBeEmpty } from "./emptiness.ts";
import type { Scope } from "./environment.ts";
import { changedAt, changedMember } from "./member-changes.ts";
import { narrow } from "./narrow.ts";
import { mapParts, textOf } from "./operations.ts";
import { memberPath } from "./places.ts";
import { literal, never, object, string, type Type, union, unknown } from "./type.ts";

/** Steps of a path, one within the other, from which on nothing is known: what is known of values ends much earlier. */
const MOST_STEPS = 200;

/** The type of values whose parts at some paths are changed. */
export class Updater {
  private readonly context: Context;
  private readonly mode: UpdateMode;
  private steps = 0;

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
    if (this.steps > MOST_STEPS) return undefined;
    this.steps++;
    let isKnown = true;
    const result = outer((old) => {
      const updated = inner(old);
      isKnown &&= updated !== undefined;
      return updated ?? { type: unknown, deletes: true };
    });
    this.steps--;
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
    // Without a key nothing is changed, and nothing before it is looked at.
    if (keysMayBeEmpty(suffix, this.context.resolution)) return undefined;
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
        const name = key === undefined ? (suffix as { key: { text: string } }).key.text : textOf(key.type);
        if (name !== undefined) {
          if (this.mode === "delete") reportMissing(target, literal(name), suffix, reports, "del");
          this.reportIndex(target, suffix);
          return changedMember(target, name, this.mode, change);
        }
        readIndex(target, key!.type, suffix, reports);
        return changedAt(target, key!.type, this.mode, change);
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
