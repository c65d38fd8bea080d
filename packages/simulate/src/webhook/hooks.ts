import { percentDecoded } from "@configc/jq/internal";
import { readMethods } from "@configc/runtime/internal";
import { type Asked, bodyOf } from "../service/routes.ts";
import { WEBHOOKS } from "../stage/stage.ts";
import type { WebhookProtocol } from "./protocol.ts";

/** A webhook as its service keeps it. */
export interface ServiceHook {
  /** From 1. */
  readonly number: number;
  /** Where it calls, and with which query: what the app added to its URL comes back. */
  url: string;
  query: Readonly<Record<string, string>>;
  /** Path of the request that registered it. */
  readonly address: string;
  /** All texts that were sent with it: whose it is, and what about. */
  readonly given: readonly string[];
  /** Number of the customer; undefined: it hears of all. */
  readonly customer: number | undefined;
  readonly at: number;
  removedAt: number | undefined;
}

/** How a request changed the webhooks of a service; `unknown`: it names one that isn't there. */
type HookChange =
  | { readonly what: "registered" | "updated" | "removed" | "named"; readonly hook: ServiceHook }
  | { readonly what: "unknown" };

/** The webhooks that a service keeps: it takes them from requests, whatever these are called. */
export class Hooks {
  readonly all: ServiceHook[] = [];
  readonly #protocol: WebhookProtocol;

  constructor(protocol: WebhookProtocol) {
    this.#protocol = protocol;
  }

  get live(): readonly ServiceHook[] {
    return this.all.filter(({ removedAt }) => removedAt === undefined);
  }

  /**
   * @param isRemoval whether it can be one of the requests of `delete`, and `isByUrl` whether that names the URL
   * @returns undefined where the request has nothing to do with webhooks
   */
  take(
    request: Asked,
    customer: number | undefined,
    { isRemoval, isByUrl }: { readonly isRemoval: boolean; readonly isByUrl: boolean },
    now: number,
  ): HookChange | undefined {
    const { isSlot, isOnly } = this.#protocol;
    const address = percentDecoded(new URL(request.url).pathname);
    const texts = textsOf(request);
    const named = this.#named(texts);
    const callback = texts.find((text) => text.startsWith(WEBHOOKS));
    const [calls, query] = callback?.split("?", 2) ?? [];
    const added = Object.fromEntries(new URLSearchParams(query));
    const isChange = !readMethods.has(request.method);
    if (!isChange) return named === undefined ? undefined : { what: "named", hook: named };
    const mine = this.live.find((hook) => hook.address === address);
    if (calls !== undefined && request.method !== "DELETE" && !(isRemoval && isByUrl)) {
      const known = named ?? (isSlot ? mine : undefined);
      if (known !== undefined) {
        known.url = calls;
        known.query = added;
        return { what: "updated", hook: known };
      }
      return { what: "registered", hook: this.#register(calls, added, address, texts, customer, now) };
    }
    const calling = this.live.find(({ url }) => url === calls);
    const at = named ?? calling ?? (isSlot ? mine : undefined);
    if (at !== undefined && (isRemoval || request.method === "DELETE" || texts.includes(""))) {
      at.removedAt = now;
      return { what: "removed", hook: at };
    }
    if (at !== undefined) return { what: "named", hook: at };
    if (!isRemoval) return undefined;
    if (!isOnly) return { what: "unknown" };
    const [only] = this.live.filter((hook) => hook.customer === customer);
    if (only === undefined) return { what: "unknown" };
    for (const hook of this.live) if (hook.customer === customer) hook.removedAt = now;
    return { what: "removed", hook: only };
  }

  #register(
    url: string,
    query: ServiceHook["query"],
    address: string,
    given: readonly string[],
    customer: number | undefined,
    at: number,
  ): ServiceHook {
    const hook: ServiceHook = {
      number: this.all.length + 1,
      url,
      query,
      address,
      given: [...given, ...address.split("/")],
      customer,
      at,
      removedAt: undefined,
    };
    this.all.push(hook);
    return hook;
  }

  /** The living one whose id a request has. */
  #named(texts: readonly string[]): ServiceHook | undefined {
    return this.live.find(({ number }) =>
      texts.some(
        (text) =>
          text === String(numberOf(number)) ||
          new RegExp(String.raw`(?<![\w-])${nameOf(number)}(?![\w-])`).test(text),
      ),
    );
  }
}

/** What a hook's id is, as a text. */
export function nameOf(hook: number): string {
  return `hook-${hook}`;
}

/** What it is as a number. */
export function numberOf(hook: number): number {
  return FIRST + hook;
}

/** No record has such a number. */
const FIRST = 7_000_000;

/** All texts and numbers that a request has: segments of its path, parameters, members of its body. */
function textsOf({ url: address, body }: Asked): readonly string[] {
  const url = new URL(address);
  const texts = [
    ...percentDecoded(url.pathname)
      .split("/")
      .filter((text) => text !== ""),
    ...url.searchParams.values(),
  ];
  const pending: unknown[] = [bodyOf(body)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "number") texts.push(String(next));
    else if (typeof next === "object" && next !== null) pending.push(...Object.values(next));
  }
  return texts;
}
