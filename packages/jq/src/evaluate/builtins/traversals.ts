import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import { fail } from "../error.ts";
import { type Emit, type Environment, force, type LazyCode, type Path, type Run } from "../machine.ts";
import { bytes } from "../meter.ts";
import { pathTo } from "../path-values.ts";
import { isArray, isObject, setMember } from "../values.ts";
import type { FilterFunction } from "./contract.ts";

/** Builtins that go through all levels of a value; none of them needs a stack for its depth. */
export const traversals: Readonly<Record<string, FilterFunction>> = {
  "recurse/0": {
    run: (_args, span) => (env, input, emit) => descend(env, input, emit, span),
    paths: (_args, span) => (env, path, input, emit) => descendPaths(env, path, input, emit, span),
  },
  "recurse/1": { run: ([step], span) => unfolding(step!, span) },
  "repeat/1": {
    run:
      ([update], span) =>
      (env, input, emit) => {
        do env.machine.tick(span);
        while (force(update!.run(env, input, emit), env));
        return false;
      },
  },
  "walk/1": { run: ([update], span) => walking(update!, span) },
  "tostream/0": { run: (_args, span) => (env, input, emit) => stream(env, input, emit, span) },
};

/** The items and members of a value, itself first. */
function descend(env: Environment, input: Json, emit: Emit, span: Span): boolean {
  const stack: Json[] = [input];
  while (stack.length > 0) {
    const value = stack.pop()!;
    env.machine.tick(span);
    if (!emit(value)) return false;
    const below = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    if (below.length > 0) env.machine.makes(below.length * bytes.item, span);
    for (let at = below.length - 1; at >= 0; at--) stack.push(below[at]!);
  }
  return true;
}

function descendPaths(
  env: Environment,
  path: Path,
  input: Json,
  emit: (path: Path, value: Json) => boolean,
  span: Span,
): boolean {
  const stack: { readonly at: Path; readonly parts: Parts; next: number }[] = [];
  const enter = (at: Path, value: Json): boolean => {
    env.machine.tick(span);
    if (!emit(at, value)) return false;
    const parts = partsOf(value);
    if (parts !== undefined) stack.push({ at, parts, next: 0 });
    return true;
  };
  if (!enter(path, input)) return false;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { at, parts, next } = top;
    if (next === parts.items.length) {
      stack.pop();
      continue;
    }
    top.next++;
    if (!enter(pathTo(at, keyOf(parts, next), parts.whole, span), parts.items[next]!)) return false;
  }
  return true;
}

/** What is in an array or object; `names` only of the latter. */
interface Parts {
  readonly whole: Json;
  readonly items: readonly Json[];
  readonly names: readonly string[] | undefined;
}

function partsOf(value: Json): Parts | undefined {
  if (isArray(value)) return { whole: value, items: value, names: undefined };
  if (!isObject(value)) return undefined;
  return { whole: value, items: Object.values(value), names: Object.keys(value) };
}

function keyOf({ names }: Parts, at: number): Json {
  return names === undefined ? at : names[at]!;
}

/** Levels that are emitted from within the run of the level above, so that nothing is computed too early. */
const NESTED_LEVELS = 200;

/** The input, the outputs of `update` for it, theirs, and so on. */
function unfolding(update: LazyCode, span: Span): Run {
  return (env, input, emit) => {
    const change = update.single;
    if (change !== undefined) {
      for (let value = input; emit(value); value = change(env, value)) env.machine.tick(span);
      return false;
    }
    const step = (value: Json, level: number): boolean => {
      if (level === NESTED_LEVELS) return unfoldDeeply(update, env, value, emit, span);
      env.machine.tick(span);
      return (
        emit(value) &&
        force(
          update.run(env, value, (next) => step(next, level + 1)),
          env,
        )
      );
    };
    return step(input, 0);
  };
}

/** As the nested form, but all outputs for one value are computed before the first of them is followed. */
function unfoldDeeply(update: LazyCode, env: Environment, start: Json, emit: Emit, span: Span): boolean {
  const stack: (() => Json)[] = [() => start];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const value = next();
    env.machine.tick(span);
    if (!emit(value)) return false;
    const outputs: (() => Json)[] = [];
    try {
      force(
        update.run(env, value, (output) => {
          env.machine.tick(span);
          env.machine.makes(4 * bytes.item + bytes.closure, span);
          return outputs.push(() => output) > 0;
        }),
        env,
      );
    } catch (error) {
      // It comes after the outputs before it.
      outputs.push(() => {
        throw error;
      });
    }
    for (const output of outputs.reverse()) stack.push(output);
  }
  return true;
}

/** An array or object whose parts are being updated. */
interface Walked {
  readonly items: readonly Json[];
  readonly keys: readonly string[] | undefined;
  readonly result: Json[] | Record<string, Json>;
  next: number;
}

/** Every value is replaced by the outputs of `update`, innermost first; members by the first one. */
function walking(update: LazyCode, span: Span): Run {
  return (env, input, emit) => {
    const stack: Walked[] = [];
    // Whatever is complete is updated; only the outputs for the whole go out as they come.
    const finish = (value: Json): boolean => {
      env.machine.tick(span);
      const parent = stack.at(-1);
      if (parent === undefined) return force(update.run(env, value, emit), env);
      const { result, keys, next } = parent;
      const take: Emit = Array.isArray(result)
        ? (output) => {
            env.machine.tick(span);
            env.machine.makes(bytes.item, span);
            return result.push(output) > 0;
          }
        : (output) => {
            setMember(result, keys![next - 1]!, output);
            return false;
          };
      force(update.run(env, value, take), env);
      return true;
    };
    const enter = (value: Json): boolean => {
      if (typeof value === "object" && value !== null) env.machine.makes(bytes.growing + bytes.object, span);
      if (isArray(value)) stack.push({ items: value, keys: undefined, result: [], next: 0 });
      else if (isObject(value)) {
        const keys = Object.keys(value);
        env.machine.makes(keys.length * bytes.entry, span);
        stack.push({ items: Object.values(value), keys, result: {}, next: 0 });
      } else return finish(value);
      return true;
    };
    let going = enter(input);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (top.next < top.items.length) enter(top.items[top.next++]!);
      else {
        stack.pop();
        going = finish(top.result);
      }
    }
    return going;
  };
}

const DEPTH_LIMIT = 10_000;

/** The events of a value: its leaves with their paths, and for each array or object its last path again. */
function stream(env: Environment, input: Json, emit: Emit, span: Span): boolean {
  const stack: { readonly parts: Parts; next: number }[] = [];
  const path: Json[] = [];
  const pathHere = (): Json => {
    env.machine.makes(2 * bytes.array + (path.length + 2) * bytes.item, span);
    return [...path];
  };
  const enter = (value: Json): boolean => {
    env.machine.tick(span);
    const parts = partsOf(value);
    if (parts !== undefined && parts.items.length > 0) return stack.push({ parts, next: 0 }) > 0;
    if (path.length > DEPTH_LIMIT) return fail("Path too deep", span);
    return emit([pathHere(), value]);
  };
  let going = enter(input);
  for (let top = stack.at(-1); going && top !== undefined; top = stack.at(-1)) {
    const { parts, next } = top;
    // What was entered last is complete.
    if (next === parts.items.length) {
      going = emit([pathHere()]);
      stack.pop();
      path.pop();
      continue;
    }
    top.next++;
    path.length = stack.length - 1;
    path.push(keyOf(parts, next));
    going = enter(parts.items[next]!);
  }
  return going;
}
