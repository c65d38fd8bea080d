import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";

/*
 * What OpenAPI documents, samples and recordings say of a service. It is plain JSON, so that it goes to a thread with the app.
 */

/** By the JSON Pointer of the `!http`. */
export type KnownApi = Readonly<Record<string, KnownRequest>>;

/** What is known of one request and its answers. */
export interface KnownRequest {
  /** For people: “the OpenAPI document”, “3 samples”. */
  readonly source: string;
  readonly answer: KnownValue | undefined;
  /** Of the query, by name. */
  readonly parameters: Readonly<Record<string, KnownParameter>>;
  /** Later pages show the list as it was at the first one. */
  readonly isFrozen: boolean;
}

/** A parameter of the query, as its description has it. */
export interface KnownParameter {
  /** The description; empty where there is none. */
  readonly text: string;
  readonly isTime: boolean;
  readonly isNumber: boolean;
  /** The greatest number that it may be. */
  readonly maximum?: number;
  /** The number that counts where it isn't sent. */
  readonly usual?: number;
}

/** A value of an answer. */
export interface KnownValue {
  readonly kinds: readonly ValueKind[];
  /** The document's description of it. */
  readonly text: string;
  readonly members: Readonly<Record<string, KnownValue>>;
  /** It isn't in each of the objects that may have it. */
  readonly isOmitted: boolean;
  /** Whether it is certain that there is nothing but `kinds`, and that it is there unless `isOmitted`: documents say so, samples can't. */
  readonly isComplete: boolean;
  readonly item: KnownValue | undefined;
  readonly format: string | undefined;
  /** All that it can be. */
  readonly choices: readonly Json[];
  /** Some that it was. */
  readonly examples: readonly Json[];
  /** Of a list: members by which its records were in order. */
  readonly sorted: Readonly<Record<string, "ascending" | "descending">>;
}

/** Kinds of JSON. */
export type ValueKind = "null" | "boolean" | "number" | "string" | "array" | "object";

/** An app, with what is known of its service. */
export type KnownApp = App & { readonly known?: KnownApi };

/** The app, with what is known of its service: a simulation takes that before what it derives. */
export function withKnown(app: App, known: KnownApi): KnownApp {
  return Object.keys(known).length === 0 ? app : { ...app, known };
}

/** The app as it was compiled: what is known of its service is no part of what runs, nor of its digest. */
export function withoutKnown(app: KnownApp): App {
  const { known: _, ...plain } = app;
  return plain;
}

/** A value of which nothing is known. */
export const unknownValue: KnownValue = {
  kinds: [],
  text: "",
  members: {},
  isOmitted: false,
  isComplete: false,
  item: undefined,
  format: undefined,
  choices: [],
  examples: [],
  sorted: {},
};

/** What is known of a member of a value, or of one further down. */
export function knownAt(value: KnownValue | undefined, path: readonly string[]): KnownValue | undefined {
  let at = value;
  for (const name of path)
    at = at !== undefined && Object.hasOwn(at.members, name) ? at.members[name] : undefined;
  return at;
}

/** What a document says, with the examples of samples. Where one says nothing, the other counts. */
export function together(described: KnownValue, seen: KnownValue): KnownValue {
  const names = new Set([...Object.keys(described.members), ...Object.keys(seen.members)]);
  return {
    ...(described.kinds.length === 0 ? { ...seen, text: described.text } : described),
    members: Object.fromEntries(
      [...names].map((name) => {
        const [own, other] = [described.members[name], seen.members[name]];
        return [name, own === undefined ? other! : other === undefined ? own : together(own, other)];
      }),
    ),
    item:
      described.item === undefined || seen.item === undefined
        ? (described.item ?? seen.item)
        : together(described.item, seen.item),
    examples: [...seen.examples, ...described.examples],
    sorted: seen.sorted,
  };
}
