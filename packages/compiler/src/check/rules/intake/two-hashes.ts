import type { Command } from "../../../bind/bound-nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { textOf } from "../../../parse/syntax-tree.ts";

/** Two hashes of one text in one pipe: by the present key and by the one before, for deliveries on their way while it changes. */
export interface HashPair {
  readonly first: Command;
  readonly second: Command;
}

/** The only two `!sha` of a verification, where the second one hashes the text of the first again: `{value_to_encrypt}`. */
export function pairOfHashes(all: readonly Command[]): HashPair | undefined {
  const [first, second, ...others] = all.filter(({ key }) => key === "!sha");
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  if (first.pipe === undefined || first.pipe !== second.pipe) return undefined;
  const between = first.pipe.children.slice(first.stepsRun + 1, second.stepsRun);
  const [only, ...more] = between;
  if (only?.key !== "!jq" || more.length > 0 || only.program === undefined) return undefined;
  const body = plainBody(only.program);
  if (body.kind !== "Object" || body.entries.length !== 1) return undefined;
  const passes = /^\{\s*value_to_encrypt(?:\s*:\s*\.value_to_encrypt)?\s*\}$/;
  if (!passes.test(only.program.node.value.trim())) return undefined;
  // Both have to be looked at in one place: a hash may be made for something else.
  const isRead = all.some(
    ({ program }) =>
      program !== undefined &&
      program.node.value.split(/\bhash\b/).length > 2 &&
      program.holes.some(
        ({ root, syntax: { path } }) =>
          root === "piped_content" && path[1]?.text === `${first.stepsRun + 1}` && path[2]?.text === "hash",
      ),
  );
  return isRead ? { first, second } : undefined;
}

/** The one of two hashes that has no key, where the other has one: anybody can make it. */
export function unkeyedOfTwo(all: readonly Command[]): Command | undefined {
  const pair = pairOfHashes(all);
  if (pair === undefined) return undefined;
  const [keyless, ...others] = [pair.first, pair.second].filter(
    ({ argument }) => argument?.kind === "object" && argument.member("secret") === undefined,
  );
  return others.length === 0 ? keyless : undefined;
}

/** The algorithms of two hashes by two saved keys, where they differ: whoever signs goes on with the same one by another key. */
export function algorithmsOfTwo(all: readonly Command[]) {
  const pair = pairOfHashes(all);
  if (pair === undefined) return undefined;
  const { first, second } = pair;
  const [one, other] = [first, second].map(({ argument }) =>
    argument?.kind === "object" ? argument.get("algorithm") : undefined,
  );
  const [key, before] = [first, second].map(
    ({ argument }) => /^\$[{<]\s*data\.\w+\.(\w+)\b[^{}<>]*[}>]$/.exec(textOf(argument, "secret") ?? "")?.[1],
  );
  if (one?.kind !== "string" || other?.kind !== "string" || one.value === other.value) return undefined;
  return key === undefined || before === undefined || key === before ? undefined : { one, other };
}
