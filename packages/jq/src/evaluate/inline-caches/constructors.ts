import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import type { Single } from "../machine.ts";
import { bytes } from "../meter.ts";
import { interned, sitesFor } from "./sites.ts";

type ObjectUnderWay = Record<string, Json>;
/** Makes an object of members in their order, or adds them to what `before` makes. */
type Maker = (
  names: readonly string[],
  values: readonly Single[],
  size: number,
  span: Span,
  before: Single | undefined,
) => Single;

/** How many members a line of the table sets. */
const MEMBERS = 4;

/**
 * The making of an object with known names, as fast as in JavaScript: see `sites.ts`.
 *
 * @param names none of them `__proto__`; where one comes twice the last value counts
 * @param values as many as names
 */
export function objectConstructor(names: readonly string[], values: readonly Single[], span: Span): Single {
  let make: Single | undefined;
  for (let from = 0; from < names.length || make === undefined; from += MEMBERS) {
    const upto = Math.min(from + MEMBERS, names.length);
    const size = (make === undefined ? bytes.object : 0) + (upto - from) * bytes.member;
    // What an object has already is a part of the form that a cache is for.
    const maker = makerFor(JSON.stringify(names.slice(0, upto)));
    make = maker(names.slice(from, upto).map(interned), values.slice(from, upto), size, span, make);
  }
  return make;
}

const makerFor = sitesFor<Maker>([
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
  ([a, b, c, d], [f, g, h, i], size, span, before) =>
    (env, input) => {
      env.machine.makes(size, span);
      const object: ObjectUnderWay = before === undefined ? {} : (before(env, input) as ObjectUnderWay);
      if (a !== undefined) object[a] = f!(env, input);
      if (b !== undefined) object[b] = g!(env, input);
      if (c !== undefined) object[c] = h!(env, input);
      if (d !== undefined) object[d] = i!(env, input);
      return object;
    },
]);
