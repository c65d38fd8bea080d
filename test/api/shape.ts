/** What a member of a request has to be. */
export interface Check {
  readonly fits: (value: unknown) => boolean;
  /** Whether it may be missing. */
  readonly optional?: boolean;
}

/** Members of a request, all that there may be. */
export type Shape = Readonly<Record<string, Check>>;

export const text: Check = { fits: (value) => typeof value === "string" && value !== "" };
/** Also one without characters. */
export const anyText: Check = { fits: (value) => typeof value === "string" };
export const number: Check = { fits: (value) => typeof value === "number" };
export const boolean: Check = { fits: (value) => typeof value === "boolean" };
export const anything: Check = { fits: () => true };

export function matching(pattern: RegExp): Check {
  return { fits: (value) => typeof value === "string" && pattern.test(value) };
}

export const digits = matching(/^\d+$/);
export const webAddress = matching(/^https?:\/\/\S+$/);
/** To the second, in UTC. */
export const time = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);

export function oneOf(...values: readonly (string | number | boolean | null)[]): Check {
  return { fits: (value) => values.some((each) => each === value) };
}

export function optional(check: Check): Check {
  return { ...check, optional: true };
}

export function listOf(check: Check, least = 0): Check {
  return { fits: (value) => Array.isArray(value) && value.length >= least && value.every(check.fits) };
}

export function object(shape: Shape): Check {
  return { fits: (value) => isRecord(value) && problemWith(value, shape) === undefined };
}

/** Why members don't have a shape; undefined if they do. */
export function problemWith(members: Readonly<Record<string, unknown>>, shape: Shape): string | undefined {
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) return `\`${unknown}\` isn't known`;
  for (const [name, { fits, optional: mayMiss = false }] of Object.entries(shape)) {
    if (!Object.hasOwn(members, name)) {
      if (mayMiss) continue;
      return `\`${name}\` is missing`;
    }
    if (!fits(members[name])) return `\`${name}\` can't be ${JSON.stringify(members[name])}`;
  }
  return undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
