import { children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { passingOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { definitionInStep } from "./definition-site.ts";
import { boundTo, stagesOf } from "./dependence.ts";
import { isKept } from "./kept-state.ts";
import { stageBefore } from "./stage-before.ts";
import { stateDependence } from "./state-dependence.ts";
import { keptKey } from "./state-paths.ts";
import { writesIn } from "./state-writes.ts";

/** A way in which a key of the state gets a new value while an intake polls. */
export interface Watermark {
  /** The key that is set: the one that was asked for, or one whose value that takes over. */
  readonly key: string;
  /**
   * `last` and `first`: of the record at that end of the page. `greatest`: of all records. `clock`: the present time. `other`: of the answer in
   * a way that isn't known.
   */
  readonly from: "last" | "first" | "greatest" | "clock" | "other";
  /** The member of a record, `updated_at`, as far as it is known. */
  readonly member: string | undefined;
  /** Something is taken off the time: the next reading begins earlier. */
  readonly hasMargin: boolean;
  readonly node: Expression;
  readonly program: JqProgram;
  /** The command that does it. */
  readonly command: string;
  /** It gets it with each page, whatever the answer says. */
  readonly isUnconditional: boolean;
}

/**
 * How a key of the state moves on, over other keys from which it is taken too: `since: ${polling_state.until}` moves as `until` does.
 *
 * @returns nothing where the key never moves; undefined where some way can't be read off the programs
 */
export function watermarksOf(
  intake: IntakeSymbol,
  key: string,
  model: Model,
): readonly Watermark[] | undefined {
  const all = knownWatermarks(intake, model);
  if (!all.has(key)) all.set(key, findWatermarks(intake, key, model));
  return all.get(key);
}

/** By key: some ten rules ask for the same ones. */
const knownWatermarks = passingOf(
  (_: IntakeSymbol, _model: Model) => new Map<string, readonly Watermark[] | undefined>(),
);

function findWatermarks(intake: IntakeSymbol, key: string, model: Model): readonly Watermark[] | undefined {
  const found: Watermark[] = [];
  const pending = [key];
  const seen = new Set<string>();
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const command of ["pre_poll", "request", "post_poll"]) {
      const writes = writesIn(intake, command, model);
      if (writes === undefined) return undefined;
      for (const { keys, program } of writes) {
        const value = keys.get(at);
        if (value === undefined || isKept(value, at, program)) continue;
        const ways = waysOf(value, program);
        for (const way of ways) {
          const from = keptKey(way.node, way.program);
          if (from !== undefined) pending.push(from);
          else if (constantOf(way.node) === undefined)
            found.push({
              ...described(way.node, way.program),
              ...way,
              key: at,
              command,
              isUnconditional: ways.length === 1,
            });
        }
      }
    }
  }
  return found;
}

interface Way {
  readonly node: Expression;
  readonly program: JqProgram;
}

/** The values of which an expression gives one. */
function waysOf(node: Expression, program: JqProgram): readonly Way[] {
  switch (node.kind) {
    case "Group":
      return waysOf(node.body, program);
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ].flatMap((body) => waysOf(body, program));
    case "Alternative":
      return node.operands.flatMap((operand) => waysOf(operand, program));
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? [{ node, program }] : waysOf(source, program);
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      const made = hole === undefined ? undefined : definitionInStep(hole);
      return made === undefined ? [{ node, program }] : waysOf(made.node, made.program);
    }
    default:
      return [{ node, program }];
  }
}

function described(node: Expression, program: JqProgram): Pick<Watermark, "from" | "member" | "hasMargin"> {
  const nodes = reached(node, program);
  const calls = new Set(nodes.flatMap((each) => (each.kind === "Call" ? [each.name.text] : [])));
  const hasMargin =
    nodes.some((each) => each.kind === "ArithmeticOperand" && each.operator === "-") ||
    [...calls].some((name) => /^date(?:add|sub)$/.test(name));
  const { clock } = stateDependence(program, [node]);
  if (clock) return { from: "clock", member: undefined, hasMargin };
  const indexes = nodes.flatMap((each) => (each.kind === "Index" ? [constantOf(each.index)] : []));
  const isOf = (...names: readonly string[]): boolean => names.some((name) => calls.has(name));
  const from = isOf("max", "max_by")
    ? "greatest"
    : isOf("sort", "sort_by")
      ? isOf("last") || indexes.includes(-1)
        ? "greatest"
        : "other"
      : isOf("min", "min_by", "reverse", "unique", "unique_by", "group_by") ||
          nodes.some(({ kind }) => kind === "Reduce" || kind === "Foreach")
        ? "other"
        : isOf("last") || indexes.includes(-1)
          ? "last"
          : isOf("first") || indexes.includes(0)
            ? "first"
            : "other";
  return { from, member: memberRead(node, program), hasMargin };
}

/** The nodes of an expression, with those of what its variables stand for, and of what `.` is: `.items[-1] | {since: .updated_at}`. */
function reached(node: Node, program: JqProgram): readonly Node[] {
  const seen = new Set<Node>();
  const pending = [node];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    pending.push(...children(at));
    const source =
      at.kind === "Variable"
        ? boundTo(program, at)
        : at.kind === "Identity"
          ? stageBefore(program).get(at)
          : undefined;
    if (source !== undefined) pending.push(source);
  }
  return [...seen];
}

/** `updated_at` of `.items[-1].updated_at`, of `[.items[].updated_at] | max` and of `.items | max_by(.updated_at).updated_at`. */
function memberRead(node: Expression, program: JqProgram): string | undefined {
  switch (node.kind) {
    case "Group":
      return memberRead(node.body, program);
    case "Postfix": {
      const field = node.suffixes.findLast(({ kind }) => kind !== "Optional");
      if (field?.kind === "Field") return field.key.kind === "Name" ? field.key.text : undefined;
      if (field?.kind === "Index") {
        const name = constantOf(field.index);
        if (typeof name === "string") return name;
      }
      return node.head.kind === "Group" ? memberRead(node.head, program) : undefined;
    }
    case "Pipeline":
      return stagesOf(node)
        .toReversed()
        .map((stage) => memberRead(stage, program))
        .find((name) => name !== undefined);
    case "Array":
      return node.body === undefined ? undefined : memberRead(node.body, program);
    case "Comma":
      return node.items
        .filter((item) => keptKey(item, program) === undefined)
        .map((item) => memberRead(item, program))
        .find((name) => name !== undefined);
    case "Call":
      return node.arguments.map((each) => memberRead(each, program)).find((name) => name !== undefined);
    case "Arithmetic":
      return memberRead(node.first, program);
    case "String": {
      // A day becomes a time: `"\(.day)T00:00:00Z"`.
      const [read, ...others] = node.parts.flatMap((part) =>
        part.kind === "StringText" ? [] : [part.expression],
      );
      return read === undefined || others.length > 0 ? undefined : memberRead(read, program);
    }
    case "Alternative":
      return node.operands.map((operand) => memberRead(operand, program)).find((name) => name !== undefined);
    default:
      return undefined;
  }
}
