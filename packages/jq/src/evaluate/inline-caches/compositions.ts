import type { Json } from "../../json.ts";
import type { Environment, Maybe, Single } from "../machine.ts";
import { turns } from "./sites.ts";

/*
 * What most expressions are made of: one thing after another, or two things put together. An engine can put the called code in the
 * place of a call only where one function is called, so each use has a line for itself: see `sites.ts`.
 */

/** `then` of what `first` gives. */
export function composed(first: Single, then: Single): Single {
  return nextComposed()(first, then);
}

/** The same where either may have no output. */
export function chained(first: Maybe, then: Maybe): Maybe {
  return nextChained()(first, then);
}

/** Both sides evaluated, the right one first, as jq does. */
export function combined(
  left: Single,
  right: Single,
  combine: (env: Environment, a: Json, b: Json) => Json,
): Single {
  return nextCombined()(left, right, combine);
}

/** One of two, as the condition says; without its output, the second. */
export function chosen(decide: Maybe, yes: Chosen, no: Maybe): Maybe {
  return nextChosen()(decide, yes, no);
}

/** What is done if the condition gives something true, which is the last argument. */
type Chosen = (env: Environment, input: Json, value: Json) => Json | undefined;

const nextComposed = turns<(first: Single, then: Single) => Single>([
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
  (first, then) => (env, input) => then(env, first(env, input)),
]);

const nextChained = turns<(first: Maybe, then: Maybe) => Maybe>([
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
  (first, then) => (env, input) => {
    const value = first(env, input);
    return value === undefined ? value : then(env, value);
  },
]);

const nextCombined = turns<
  (a: Single, b: Single, combine: (env: Environment, a: Json, b: Json) => Json) => Single
>([
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
  (a, b, combine) => (env, input) => {
    const right = b(env, input);
    return combine(env, a(env, input), right);
  },
]);

const nextChosen = turns<(decide: Maybe, yes: Chosen, no: Maybe) => Maybe>([
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
  (decide, yes, no) => (env, input) => {
    const value = decide(env, input);
    return value != null && value !== false ? yes(env, input, value) : no(env, input);
  },
]);
