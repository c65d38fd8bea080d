import { isObject, type JsonObject } from "@configc/jq/internal";
import type { AnyWorld } from "../report.ts";
import { USUAL } from "../setup/world.ts";
import { kindest } from "../world/hypotheses.ts";
import { MOST_REQUESTS, SMALL } from "../world/world.ts";

/** What a member of a world has to be, and what it is where it isn't written. */
type Member =
  | { readonly or: string | number | boolean; readonly choices?: readonly (string | number | boolean)[] }
  /** It has to be written. */
  | { readonly choices: readonly (string | number | undefined)[]; readonly isOptional?: true }
  | { readonly number: "needed" }
  | { readonly members: Members }
  | { readonly items: Members };
type Members = Readonly<Record<string, Member>>;

const changes = { choices: ["create", "update", "delete"] } as const;
const faults: Member = {
  items: {
    what: {
      choices: [
        ...[401, 403, 404, 409, 422, 429, "wait", 500, 503, "timeout", "cut", "lost"],
        ...["html", "error-body", "slow", "expiry", "death"],
      ],
    },
    step: { number: "needed" },
    at: { or: 1 },
    times: { or: 1 },
  },
};

/** The members of worlds, by kind. */
const kinds: Readonly<Record<AnyWorld["kind"], Members>> = {
  polling: {
    seed: { or: 0 },
    hypotheses: {
      members: {
        paging: { or: kindest.paging, choices: ["snapshot", "live"] },
        boundary: { or: kindest.boundary, choices: ["inclusive", "exclusive"] },
        rounding: { or: kindest.rounding, choices: [1, 1_000, 60_000] },
        order: { or: kindest.order, choices: ["supposed", "reverse"] },
        ties: { or: kindest.ties, choices: ["creation", "reverse", "any"] },
        lag: { or: kindest.lag },
        gaps: { or: kindest.gaps, choices: [true, false, "null", "absent"] },
        texts: { or: kindest.texts, choices: ["plain", "foreign", "long"] },
      },
    },
    first: { or: 0 },
    sameTime: { or: false },
    cycles: { or: 1 },
    page: { or: SMALL },
    requests: { or: MOST_REQUESTS },
    form: { or: "" },
    happenings: {
      items: {
        cycle: { number: "needed" },
        request: { or: 0 },
        before: { or: 900 },
        what: changes,
        record: { or: 0 },
        times: { or: 1 },
        isLate: { or: false },
      },
    },
    faults,
  },
  webhook: {
    seed: { or: 0 },
    first: { or: 0 },
    duringImport: { or: 0 },
    events: {
      items: {
        what: changes,
        record: { or: 0 },
        times: { or: 1 },
        later: { or: 0 },
        forged: { choices: ["unsigned", "signature", "body"], isOptional: true },
      },
    },
    installations: { or: 1 },
    isSetUpAgain: { or: false },
    isNumbered: { or: true },
    isSpaced: { or: false },
    gaps: { or: false },
    isForeign: { or: false },
    faults,
  },
  setup: {
    seed: { or: 0 },
    records: { or: USUAL },
    gaps: { or: false, choices: [true, false, "null", "absent"] },
    isForeign: { or: false },
  },
  outbound: {
    seed: { or: 0 },
    events: { items: { contact: { number: "needed" }, version: { or: 1 } } },
    known: { or: 0 },
    isSkipped: { or: false },
    gaps: { or: false },
    isForeign: { or: false },
    faults,
  },
};

/** A world as it is written to a file: without what it would be anyway. */
export function writeWorld(world: AnyWorld): JsonObject {
  const { kind, ...rest } = world;
  return { ...(kind === "polling" ? {} : { kind }), ...written(rest as unknown as JsonObject, kinds[kind]) };
}

function written(value: JsonObject, members: Members): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]): [string, unknown][] => {
      const own = value[name];
      if (own === undefined || ("or" in member && member.or === own)) return [];
      if ("members" in member) {
        const inner = written(own as JsonObject, member.members);
        return Object.keys(inner).length === 0 ? [] : [[name, inner]];
      }
      if (!("items" in member)) return [[name, own]];
      const items = (own as readonly JsonObject[]).map((item) => written(item, member.items));
      return items.length === 0 ? [] : [[name, items]];
    }),
  );
}

/**
 * Reads a world that stands in a file.
 *
 * @returns the world, or a sentence for each mistake in it
 */
export function readWorld(
  value: unknown,
): { readonly world: AnyWorld } | { readonly problems: readonly string[] } {
  if (!isObject(value)) return { problems: ["A world is an object."] };
  const { kind = "polling", ...rest } = value;
  if (typeof kind !== "string" || !Object.hasOwn(kinds, kind))
    return {
      problems: [
        `\`kind\` has to be ${Object.keys(kinds)
          .map((each) => `"${each}"`)
          .join(" or ")}.`,
      ],
    };
  const problems: string[] = [];
  const world = { kind, ...read(rest, kinds[kind as AnyWorld["kind"]], "", problems) };
  return problems.length > 0 ? { problems } : { world: world as unknown as AnyWorld };
}

function read(value: JsonObject, members: Members, at: string, problems: string[]): JsonObject {
  for (const name of Object.keys(value))
    if (!Object.hasOwn(members, name))
      problems.push(`\`${at}${name}\` isn't known: there is ${Object.keys(members).join(", ")}.`);
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      readMember(value[name], member, `${at}${name}`, problems),
    ]),
  );
}

function readMember(value: unknown, member: Member, at: string, problems: string[]): unknown {
  const refuse = (wanted: string): void => void problems.push(`\`${at}\` has to be ${wanted}.`);
  if ("members" in member) {
    if (value !== undefined && !isObject(value)) refuse("an object");
    return read(isObject(value) ? value : {}, member.members, `${at}.`, problems);
  }
  if ("items" in member) {
    if (value !== undefined && !Array.isArray(value)) refuse("a list");
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.map((item, index) => {
      if (!isObject(item)) refuse("a list of objects");
      return read(isObject(item) ? item : {}, member.items, `${at}.${index}.`, problems);
    });
  }
  if ("number" in member) {
    if (!isCount(value)) refuse("a number, 0 or more");
    return value;
  }
  if (value === undefined && "or" in member) return member.or;
  if (value === undefined && "isOptional" in member) return undefined;
  if (member.choices !== undefined) {
    if (!(member.choices as readonly unknown[]).includes(value))
      refuse(member.choices.map((each) => JSON.stringify(each)).join(" or "));
  } else if ("or" in member && typeof member.or === "number") {
    if (!isCount(value)) refuse("a number, 0 or more");
  } else if ("or" in member && typeof member.or === "string") {
    if (typeof value !== "string") refuse("a text");
  } else if (typeof value !== "boolean") refuse("true or false");
  return value;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MOST;
}

/** More of anything isn't a small world, and would take for ever. */
const MOST = 1_000_000;
