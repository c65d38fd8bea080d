import type { Json, JsonObject } from "../../json.ts";
import { interned, sitesFor } from "./sites.ts";

/** Gives a copy of an object with another value for one member; null stands for an object without members. */
type MemberSetter = (object: JsonObject | null, value: Json) => Json;

/**
 * The setting of a member with a known name, as fast as in JavaScript: see `sites.ts`.
 *
 * @param name not `__proto__`
 */
export function memberSetter(name: string): MemberSetter {
  return setterFor(name)(interned(name));
}

const setterFor = sitesFor<(name: string) => MemberSetter>([
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
  (name) => (object, value) => {
    const copy: Record<string, Json> = { ...object };
    copy[name] = value;
    return copy;
  },
]);
