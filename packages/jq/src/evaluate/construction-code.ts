import type { Json } from "../json.ts";
import type { Expression, ObjectConstruction, Span, StringLiteral } from "../syntax-tree.ts";
import { index } from "./access.ts";
import { compileExpression } from "./code.ts";
import { binaryCode, type Code, type Loop, mapCode, single } from "./combinators.ts";
import { fail } from "./error.ts";
import { formatText } from "./formats.ts";
import { type Emit, type Environment, force, type Single } from "./machine.ts";
import { bytes, countText } from "./meter.ts";
import { fieldGetter, isInherited } from "./postfix-code.ts";
import type { Scope } from "./scope.ts";
import { excerpt, isObject, setMember, typeName } from "./values.ts";

export function stringCode(node: StringLiteral, scope: Scope | undefined): Code {
  const { format } = node;
  // The last part is the outermost loop, as in jq.
  return node.parts.reduce<Code>(
    (before, part) => {
      if (part.kind === "StringText") return mapCode(before, (text) => (text as string) + part.value);
      return binaryCode(before, compileExpression(part.expression, scope), (env, text, value) => {
        const { machine } = env;
        // A text that is put in as it is isn't read.
        if (format !== undefined || typeof value !== "string") machine.reads(value, part);
        const added = formatText(format?.name ?? "text", value, part);
        machine.charge((text as string).length + added.length, part);
        machine.makes(bytes.text + (added === value ? 0 : added.length * bytes.character), part);
        return (text as string) + added;
      });
    },
    single(() => ""),
  );
}

export function arrayCode(body: Expression | undefined, scope: Scope | undefined, span: Span): Code {
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
  if (loop !== undefined) return single((env, input) => collect(loop, env, input));
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

function collect({ items, each, isOneToOne, span }: Loop, env: Environment, input: Json): readonly Json[] {
  const { machine } = env;
  const list = items(env, input);
  const { length } = list;
  // Room for more than that at once would be taken as a table.
  const isFilled = isOneToOne && length < 1_000_000;
  const outputs: Json[] = isFilled ? new Array<Json>(length) : [];
  for (let at = 0; at < length; at++) {
    machine.tick(span);
    const output = each === undefined ? list[at]! : each(env, list[at]!);
    if (isFilled) outputs[at] = output!;
    else if (output !== undefined) outputs.push(output);
  }
  machine.charge(outputs.length, span);
  machine.makes(bytes.growing + outputs.length * bytes.item, span);
  return outputs;
}

export function objectCode(node: ObjectConstruction, scope: Scope | undefined): Code {
  const { entries } = node;
  const size = bytes.object + entries.length * (bytes.member + bytes.text);
  const parts = entries.map(({ key, value }): { key: Code; value: Code; span: Span } => {
    const span = key;
    switch (key.kind) {
      case "Name": {
        const { text } = key;
        const name = single(() => text);
        if (value !== undefined) return { key: name, value: compileExpression(value, scope), span };
        const get = fieldGetter(text);
        const member = (_env: Environment, input: Json): Json => {
          const found = get(input);
          return found === undefined ? index(input, text, key) : found;
        };
        return { key: name, value: { ...single(member), field: isInherited(text) ? undefined : text }, span };
      }
      case "SourceLocation":
        return { key: single(() => "__loc__"), value: compileExpression(key, scope), span };
      case "Variable":
        if (value === undefined) {
          return { key: single(() => key.name), value: compileExpression(key, scope), span };
        }
        break;
    }
    const name = compileExpression(key, scope);
    if (value !== undefined) return { key: name, value: compileExpression(value, scope), span };
    const member: Code = binaryCode(
      single((_env, input) => input),
      name,
      (_env, input, text) => index(input, text, key),
    );
    return { key: name, value: member, span };
  });
  const add = (object: Record<string, Json>, key: Json, value: Json, span: Span): void => {
    if (typeof key !== "string") fail(`Cannot use ${typeName(key)} (${excerpt(key)}) as object key`, span);
    countText((key as string).length);
    setMember(object, key as string, value);
  };
  const names = entries.map(({ key }) =>
    key.kind === "Name" && key.text !== "__proto__" ? key.text : undefined,
  );
  const members = parts.map(({ value }) => value.single);
  if (names.every((name) => name !== undefined) && members.every((one) => one !== undefined)) {
    return single(
      constantObject(
        names,
        parts.map(({ value }) => value),
        node,
      ),
    );
  }
  if (parts.every(({ key, value }) => key.single !== undefined && value.single !== undefined)) {
    return single((env, input) => {
      const object: Record<string, Json> = {};
      env.machine.makes(size, node);
      for (const { key, value, span } of parts) {
        const name = key.single!(env, input);
        add(object, name, value.single!(env, input), span);
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
          part.value.run(env, input, (value) => {
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

/**
 * An object with known names, of which none is `__proto__`. The first three have a line each: where an engine
 * sees the same name again and again it remembers how to set it, which in a loop over the names it can't. What
 * is nothing but a member of the input (`{display: .name, value: .id}`) is read without a call.
 */
function constantObject(names: readonly string[], values: readonly Code[], span: Span): Single {
  const [a, b, c] = names as readonly [string, string, string];
  const members = values.map((value) => value.single!);
  const [getA, getB, getC] = members as unknown as readonly [Single, Single, Single];
  const fields = values.map(({ field }) => field);
  const [fieldA, fieldB, fieldC] = fields;
  const length = names.length;
  const size = bytes.object + length * bytes.member;
  return (env, input) => {
    env.machine.makes(size, span);
    const isPlain = isObject(input);
    const object: Record<string, Json> = {};
    if (length > 0) object[a] = isPlain && fieldA !== undefined ? (input[fieldA] ?? null) : getA(env, input);
    if (length > 1) object[b] = isPlain && fieldB !== undefined ? (input[fieldB] ?? null) : getB(env, input);
    if (length > 2) object[c] = isPlain && fieldC !== undefined ? (input[fieldC] ?? null) : getC(env, input);
    for (let at = 3; at < length; at++) {
      const field = fields[at];
      object[names[at]!] = isPlain && field !== undefined ? (input[field] ?? null) : members[at]!(env, input);
    }
    return object;
  };
}
