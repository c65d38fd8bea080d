import { constantOf } from "../constant.ts";
import type { Json } from "../json.ts";
import type {
  Expression,
  ObjectConstruction,
  ObjectEntry,
  ObjectKey,
  Span,
  StringLiteral,
} from "../syntax-tree.ts";
import { index } from "./access.ts";
import { binaryCode, type Code, mapCode, single } from "./combinators.ts";
import { compileExpression } from "./compiler.ts";
import { fail } from "./error.ts";
import { formatText } from "./formats.ts";
import { objectConstructor } from "./inline-caches/constructors.ts";
import { listLoop } from "./inline-caches/loops.ts";
import { type Emit, type Environment, force, type Loop, type Maybe, type Single } from "./machine.ts";
import { bytes, countText } from "./meter.ts";
import { memberOf } from "./postfix-code.ts";
import type { Scope } from "./scope.ts";
import { excerpt, setMember, typeName } from "./values.ts";

export function stringCode(node: StringLiteral, scope: Scope): Code {
  const { format } = node;
  // The last part is the outermost loop, as in jq.
  return node.parts.reduce<Code>(
    (before, part) => {
      if (part.kind === "StringText") return mapCode(before, (text) => (text as string) + part.value);
      const added = mapCode(compileExpression(part.expression, scope), (value, { machine }) => {
        // A text that is put in as it is isn't read.
        if (format !== undefined || typeof value !== "string") machine.reads(value, part);
        const shown = formatText(format?.name ?? "text", value, part);
        if (shown !== value) machine.makes(shown.length * bytes.character, part);
        return shown;
      });
      return binaryCode(before, added, ({ machine }, text, more) => {
        machine.charge((text as string).length + (more as string).length, part);
        machine.makes(bytes.text, part);
        return (text as string) + (more as string);
      });
    },
    single(() => ""),
  );
}

export function arrayCode(body: Expression | undefined, scope: Scope, span: Span): Code {
  if (body === undefined) {
    return single((env) => {
      env.machine.makes(bytes.array, span);
      return [];
    });
  }
  const list = body.kind === "Comma" ? body.items.map((item) => compileExpression(item, scope).single) : [];
  if (list.length > 0 && list.every((item) => item !== undefined)) {
    const size = bytes.array + list.length * bytes.slot;
    return single((env, input) => {
      env.machine.makes(size, span);
      return list.map((item) => item(env, input));
    });
  }
  const { run, maybe, loop } = compileExpression(body, scope);
  if (loop !== undefined) return single(collecting(loop));
  if (maybe !== undefined) {
    return single((env, input) => {
      const item = maybe(env, input);
      env.machine.makes(bytes.array + bytes.slot, span);
      return item === undefined ? [] : [item];
    });
  }
  return single((env, input) => {
    const items: Json[] = [];
    const { machine } = env;
    machine.makes(bytes.growing, span);
    force(
      run(env, input, (value) => {
        // What gives the items has counted the steps.
        items.push(value);
        machine.makes(bytes.item, span);
        machine.charge(items.length, span);
        return true;
      }),
      env,
    );
    return items;
  });
}

/** `[.items[] | f]`, where `f` has at most one output. */
function collecting({ items, each, isOneToOne, span }: Loop): Single {
  const loop = listLoop(each ?? itself, isOneToOne);
  return (env, input) => loop(env, items(env, input), span);
}

const itself: Maybe = (_env, item) => item;

export function objectCode(node: ObjectConstruction, scope: Scope): Code {
  const { entries } = node;
  const parts = entries.map((entry) => partOf(entry, scope));
  const members = parts.map(({ value }) => value.single);
  if (members.every((one) => one !== undefined)) {
    const names = parts.map(({ name }) => (name === "__proto__" ? undefined : name));
    if (names.every((name) => name !== undefined)) {
      return single(objectConstructor(names, members, node));
    }
  }
  const size = bytes.object + entries.length * (bytes.member + bytes.text);
  const add = (object: Record<string, Json>, key: Json, value: Json, span: Span): void => {
    if (typeof key !== "string") fail(`Cannot use ${typeName(key)} (${excerpt(key)}) as object key`, span);
    countText((key as string).length);
    setMember(object, key as string, value);
  };
  if (parts.every(({ key, value }) => key.single !== undefined && value.single !== undefined)) {
    return single((env, input) => {
      const object: Record<string, Json> = {};
      env.machine.makes(size, node);
      for (const { key, value, isOfKey, span } of parts) {
        const name = key.single!(env, input);
        add(object, name, value.single!(env, isOfKey ? [input, name] : input), span);
      }
      return object;
    });
  }
  const build = (
    at: number,
    object: Record<string, Json>,
    env: Environment,
    input: Json,
    emit: Emit,
  ): boolean => {
    const part = parts[at];
    if (part === undefined) return emit(object);
    return force(
      part.key.run(env, input, (key) =>
        force(
          part.value.run(env, part.isOfKey ? [input, key] : input, (value) => {
            const next = { ...object };
            env.machine.calls(part.span);
            env.machine.makes(size, node);
            add(next, key, value, part.span);
            return build(at + 1, next, env, input, emit);
          }),
          env,
        ),
      ),
      env,
    );
  };
  return { run: (env, input, emit) => build(0, {}, env, input, emit) };
}

interface Part {
  /** Undefined if it isn't known before the program runs. */
  readonly name: string | undefined;
  readonly key: Code;
  readonly value: Code;
  /** Whether the value is the member that the key names: its code takes `[input, key]`, as the key is evaluated once. */
  readonly isOfKey: boolean;
  readonly span: Span;
}

function partOf({ key, value }: ObjectEntry, scope: Scope): Part {
  const name = nameOf(key, value === undefined);
  const code = name === undefined ? compileExpression(key as Expression, scope) : single(() => name);
  if (value === undefined && name === undefined) {
    return { name, key: code, value: memberOfKey(key), isOfKey: true, span: key };
  }
  return { name, key: code, value: memberValue(key, name, value, scope), isOfKey: false, span: key };
}

/** Of `{"\(f)"}` */
function memberOfKey(span: Span): Code {
  return single((_env, pair) => {
    const [input, name] = pair as readonly [Json, Json];
    return index(input, name, span);
  });
}

/** @param isShort whether no value is written: then a variable is meant by its name */
function nameOf(key: ObjectKey, isShort: boolean): string | undefined {
  switch (key.kind) {
    case "Name":
      return key.text;
    case "SourceLocation":
      return "__loc__";
    case "Variable":
      return isShort ? key.name : undefined;
    default: {
      const constant = constantOf(key);
      return typeof constant === "string" ? constant : undefined;
    }
  }
}

/** What is written, or what the short forms stand for: a variable's value, or the member of that name. */
function memberValue(
  key: ObjectKey,
  name: string | undefined,
  value: Expression | undefined,
  scope: Scope,
): Code {
  if (value !== undefined) return compileExpression(value, scope);
  if (key.kind === "Variable" || key.kind === "SourceLocation") return compileExpression(key, scope);
  return single(memberOf(name!, key));
}
