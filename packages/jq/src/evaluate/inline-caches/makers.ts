import type { Json } from "../../json.ts";
import type { Environment, Single } from "../machine.ts";
import { interned, sitesFor } from "./sites.ts";

type ObjectUnderWay = Record<string, Json>;
/** Sets members of an object that is being made, in their order. */
type Set = (object: ObjectUnderWay, env: Environment, input: Json) => void;
type Setter = (names: readonly string[], values: readonly Single[]) => Set;

/** How many members a line of the table sets. */
const MEMBERS = 4;

/**
 * The making of an object with known names, as fast as in JavaScript: see `sites.ts`.
 *
 * @param names none of them `__proto__`; where one comes twice the last value counts
 * @param values as many as names
 */
export function objectMaker(names: readonly string[], values: readonly Single[]): Single {
  const sets: Set[] = [];
  for (let from = 0; from < names.length; from += MEMBERS) {
    const upto = from + MEMBERS;
    // What an object has already is a part of the form that a cache is for.
    const setter = setterFor(JSON.stringify(names.slice(0, upto)));
    sets.push(setter(names.slice(from, upto).map(interned), values.slice(from, upto)));
  }
  return (env, input) => {
    const object: ObjectUnderWay = {};
    for (const set of sets) set(object, env, input);
    return object;
  };
}

const setterFor = sitesFor<Setter>([
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
  ([a, b, c, d], [f, g, h, i]) =>
    (object, env, input) => {
      object[a!] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
    },
]);
