import { constantOf } from "../constant.ts";
import type { Json } from "../json.ts";
import type { Name, Postfix, Span, Suffix } from "../syntax-tree.ts";
import { index, noMember, slice, values } from "./access.ts";
import { after, attempt, binaryCode, type Code, maybe, runAll, single, tryCode } from "./combinators.ts";
import { compileExpression } from "./compiler.ts";
import { fail, failed } from "./error.ts";
import { memberReader } from "./inline-caches/readers.ts";
import { force, type Single } from "./machine.ts";
import type { Scope } from "./scope.ts";
import { isContainer } from "./values.ts";

export function postfixCode({ head, suffixes }: Postfix, scope: Scope): Code {
  let code = compileExpression(head, scope);
  for (let at = 0; at < suffixes.length; at++) {
    const optional = isOptionalStep(suffixes, at);
    code = suffixCode(code, suffixes[at]!, optional, scope);
    if (optional) at++;
  }
  return code;
}

/** Whether a `?` follows that belongs to this step alone. */
export function isOptionalStep(suffixes: readonly Suffix[], at: number): boolean {
  return suffixes[at]!.kind !== "Optional" && suffixes[at + 1]?.kind === "Optional";
}

function suffixCode(target: Code, suffix: Suffix, optional: boolean, scope: Scope): Code {
  switch (suffix.kind) {
    case "Field":
    case "Index": {
      const key = suffix.kind === "Field" ? suffix.key : suffix.index;
      const name = key.kind === "Name" ? key.text : constantOf(key);
      if (typeof name === "string") return memberCode(target, name, suffix, optional);
      return indexCode(target, compileExpression(key as Exclude<typeof key, Name>, scope), suffix, optional);
    }
    case "Slice": {
      const nothing = single(() => null);
      const from = suffix.from === undefined ? nothing : compileExpression(suffix.from, scope);
      const to = suffix.to === undefined ? nothing : compileExpression(suffix.to, scope);
      // The start is the outermost loop, then the end, then the target.
      const bounds = binaryCode(to, from, (_env, end, start) => [start, end]);
      const cut = (value: Json, pair: Json): Json => {
        const [start, end] = pair as readonly [Json, Json];
        return slice(value, start, end, suffix);
      };
      if (optional) return maybeCode(target, bounds, cut);
      return binaryCode(target, bounds, (_env, value, pair) => cut(value, pair));
    }
    case "Iterate":
      return iterateCode(target, suffix, optional);
    case "Optional":
      return tryCode(target, undefined);
  }
}

const none: readonly Json[] = [];

function iterateCode(target: Code, span: Span, optional: boolean): Code {
  const itemsOf = (value: Json): readonly Json[] =>
    optional && !isContainer(value) ? none : values(value, span);
  const one = target.single;
  return {
    run: (env, input, emit) =>
      runAll(target, env, input, (value) => {
        for (const item of itemsOf(value)) {
          env.machine.tick(span);
          if (!emit(item)) return false;
        }
        return true;
      }),
    loop: one && { items: (env, input) => itemsOf(one(env, input)), each: undefined, isOneToOne: true, span },
  };
}

function memberCode(target: Code, name: string, span: Span, optional: boolean): Code {
  if (optional) return after(target, maybe(memberReader(name, () => undefined)));
  const read = memberReader<typeof failed>(name, () => failed);
  return after(target, {
    ...single(memberOf(name, span)),
    attempt: (env, input) => {
      const value = read(env, input);
      return value === failed ? env.machine.fails(() => noMember(input, name), span) : value;
    },
  });
}

/** `.name`, the commonest expression of all. Its failures are at `span`. */
export function memberOf(name: string, span: Span): Single {
  return memberReader(name, (input) => fail(noMember(input, name), span));
}

function indexCode(target: Code, key: Code, span: Span, optional: boolean): Code {
  if (optional) return maybeCode(target, key, (value, name) => index(value, name, span));
  return binaryCode(target, key, (_env, value, name) => index(value, name, span));
}

/** A step whose failures give no output. */
function maybeCode(target: Code, argument: Code, step: (value: Json, argument: Json) => Json): Code {
  const [one, given] = [target.maybe, argument.maybe];
  if (one !== undefined && given !== undefined) {
    return maybe((env, input) => {
      const argumentValue = given(env, input);
      if (argumentValue === undefined) return undefined;
      const value = one(env, input);
      return value === undefined ? undefined : attempt(() => step(value, argumentValue));
    });
  }
  return {
    run: (env, input, emit) =>
      force(
        argument.run(env, input, (given) =>
          force(
            target.run(env, input, (value) => {
              const result = attempt(() => step(value, given));
              return result === undefined || emit(result);
            }),
            env,
          ),
        ),
        env,
      ),
  };
}
