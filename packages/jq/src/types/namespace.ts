import * as all from "./type.ts";

/** The types, and what makes them. A plain object: where a module is exported as a whole, bundlers make an accessor of each of its names. */
export const types: typeof all = { ...all };
