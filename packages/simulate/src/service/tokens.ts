import type { Shown } from "./collection.ts";

/** From when on changes are read: behind a version that was read, or a time. */
export interface Since {
  readonly at: number;
  readonly number: number;
}

/** A place that a token stands for. */
interface Place {
  /** A page of a reading, or where the next reading begins. */
  readonly kind: "page" | "reading";
  readonly snapshot: number | undefined;
  readonly index: number;
  readonly last: Shown | undefined;
  readonly since: Since | undefined;
  /** When the reading began, in milliseconds since 1970. */
  readonly began: number;
}

/** The tokens that a service has given. */
export class Tokens {
  readonly #places = new Map<string, Place>();

  /** Those that the same service gave before are still taken. */
  takeOver(before: Tokens): void {
    for (const [token, place] of before.#places) this.#places.set(token, place);
  }

  /** @param address given: the token is this address, with another place in one of its parameters */
  give(place: Place, address: { readonly url: URL; readonly parameter: string } | undefined): string {
    const name = `next-${this.#places.size + 1}`;
    this.#places.set(name, place);
    if (address === undefined) return name;
    const next = new URL(address.url);
    next.searchParams.set(address.parameter, name);
    this.#places.set(next.href, place);
    return next.href;
  }

  /** The place of a page, if one of some tokens is one; else where a reading begins. */
  find(tokens: readonly string[]): Place | undefined {
    const places = tokens.flatMap((token) => this.#places.get(token) ?? []);
    return places.find(({ kind }) => kind === "page") ?? places[0];
  }
}

/** Whether a version is one of the changes since then. */
export function isSince({ version, record }: Shown, { at, number }: Since): boolean {
  return version.shownFrom > at || (version.shownFrom === at && record.number > number);
}
