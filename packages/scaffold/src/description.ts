import type { Shape } from "./shape.ts";

/** An API as its documentation or its traffic shows it: what every reader gives, and every guess is made from. */
export interface ApiDescription {
  /** The service's name. */
  readonly title: string;
  /** Where requests go, the usual one first; none if that isn't told. */
  readonly baseUrls: readonly string[];
  /** Ways to authorise, the one that most operations take first. */
  readonly auth: readonly AuthScheme[];
  readonly operations: readonly Operation[];
  /** What the API sends by itself, to an address that was registered. */
  readonly events: readonly DescribedEvent[];
  /** Prose in which limits may stand. */
  readonly about: string;
}

/** A way to authorise, as far as configs can say it; `query` is known, and can't be said. */
export type AuthScheme =
  | {
      readonly kind: "oauth2";
      readonly authorizationUrl: string;
      readonly tokenUrl: string;
      readonly refreshUrl?: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: "basic" }
  /** A token in a header, behind a prefix such as `Bearer`. */
  | {
      readonly kind: "header";
      readonly name: string;
      readonly prefix: string;
      /** What tells it, if that is no scheme of its own. */
      readonly from?: "another grant" | "a parameter";
    }
  | { readonly kind: "query"; readonly name: string };

/** A request that the API takes. */
export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** Behind the base URL, with parameters in braces: `/lists/{id}/members`. */
  readonly path: string;
  readonly summary: string;
  /** Prose in which more stands than in the summary. */
  readonly about?: string;
  readonly parameters: readonly Parameter[];
  readonly request?: RequestBody;
  /** What a success answers. */
  readonly response: Shape;
  /** Scopes that it needs. */
  readonly scopes: readonly string[];
  /** Where it stands in what was read: the evidence of what is guessed from it. */
  readonly source: string;
}

/** Something that the API sends when it happens. */
export interface DescribedEvent {
  readonly name: string;
  /** The body of a delivery. */
  readonly payload: Shape;
}

/** A parameter of an operation, in its path, its query or its headers. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly shape: Shape;
  readonly about: string;
  /** What counts where it isn't sent, as documented. */
  readonly default?: string | number | boolean;
  /** The greatest number that it takes. */
  readonly maximum?: number;
}

/** What an operation takes as its body. */
export interface RequestBody {
  readonly format: "json" | "form";
  readonly shape: Shape;
}

/** The parameters of a path, by their names. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
}

/** Something that was read can't be used; the message says why, and what would help. */
export class DescriptionError extends Error {}
