/** A JSON value. Objects are plain; members are read as own properties only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. It may have no prototype: use `Object.hasOwn`. */
export interface JsonObject {
  readonly [member: string]: Json;
}
