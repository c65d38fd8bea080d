import type { Json, JsonObject } from "../../json.ts";
import { ExactNumber } from "../exact-number.ts";
import { isObject, member } from "../kinds.ts";
import type { Environment } from "../machine.ts";
import { interned, sitesFor } from "./sites.ts";

/** What is read where the place in a table finds nothing. */
type Otherwise<Other> = (input: Json) => Json | Other;
type Read<Other> = (env: Environment, input: Json) => Json | Other;

/**
 * The reading of a member with a known name, as fast as in JavaScript: see `sites.ts`. An object without the member
 * gives null, as null itself does.
 *
 * @param ofOthers called with any other input
 */
export function memberReader<Other>(name: string, ofOthers: (input: Json) => Other): Read<Other> {
  const otherwise = (input: Json) => (input === null || isObject(input) ? null : ofOthers(input));
  if (name in Object.prototype) {
    return (_env, input) => (isObject(input) ? member(input, name) : otherwise(input));
  }
  const read = readerFor(name)(interned(name), otherwise);
  if (!othersMayHave(name)) return read;
  return (env, input) => (isObject(input) ? read(env, input) : otherwise(input));
}

const someNumber = new ExactNumber("0");

/** Whether arrays or exact numbers may have such a member too, which programs don't see. */
function othersMayHave(name: string): boolean {
  return name in Array.prototype || name in someNumber || /^\d/.test(name);
}

const nothing: JsonObject = {};

/** A value whose members can be read. Asking whether it is really an object would take longer than reading. */
function of(value: Json): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : nothing;
}

function known<Other>(found: Json | undefined, input: Json, otherwise: Otherwise<Other>): Json | Other {
  return found === undefined ? otherwise(input) : found;
}

type Reader = <Other>(name: string, otherwise: Otherwise<Other>) => Read<Other>;

const readerFor = sitesFor<Reader>([
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
  (name, otherwise) => (_env, input) => known(of(input)[name], input, otherwise),
]);
