import {
  type Http,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  isMemoryFailure,
} from "@configc/runtime";
import { isPlainPath } from "@configc/runtime/internal";
import { Agent } from "undici";
import { refusalOf } from "./address.ts";
import { ACCEPTED } from "./content-encoding.ts";
import { dispatch, type Target } from "./exchange.ts";
import { failureOf, MOST_HEADER_BYTES } from "./failure.ts";
import { guardedLookup, type Resolve, systemResolve } from "./lookup.ts";

/** What requests may reach, and how long they take. */
export interface HttpOptions {
  /**
   * Lets requests reach this machine and private networks. Without it an app could read what only the host's own network may
   * (design.md, "Reliability and security").
   */
  readonly allowPrivateNetwork?: boolean;
  /** Name resolution; by default the machine's. Its answers are judged like any others. */
  readonly resolve?: Resolve;
}

/** The effect `http` of Node: requests to public addresses only, unless said otherwise. */
export interface NodeHttp extends Http {
  /** Ends the connections that are kept open. */
  close(): Promise<void>;
}

/** Some services refuse who doesn't say what they are; a config may say something else. */
const usualHeaders = { "accept-encoding": ACCEPTED, "user-agent": "configc" };

/**
 * One exchange by undici: no redirects, no proxies, no cookies. Addresses are judged where they stand in the URL and where a
 * name leads to, for each connection anew.
 */
export function nodeHttp({
  allowPrivateNetwork = false,
  resolve = systemResolve,
}: HttpOptions = {}): NodeHttp {
  const agent = new Agent({
    connect: { lookup: guardedLookup(resolve, allowPrivateNetwork) },
    maxHeaderSize: MOST_HEADER_BYTES,
    // Each exchange has a time of its own, for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const targetOf = rememberedTargets();
  return {
    request: (request) => exchange(request, agent, targetOf, allowPrivateNetwork),
    close: () => agent.destroy(),
  };
}

async function exchange(
  request: HttpRequest,
  agent: Agent,
  targetOf: (url: string) => KnownTarget,
  allowPrivateNetwork: boolean,
): Promise<HttpResponse> {
  const { signal, url, headers } = request;
  signal.throwIfAborted();
  const target = targetOf(url);
  const refusal = allowPrivateNetwork ? undefined : refusalOf(target.base);
  if (refusal !== undefined) throw new HttpFailure("refused-address", refusal);
  try {
    return await dispatch(agent, target, request, { ...usualHeaders, ...headers });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isMemoryFailure(error)) throw error;
    throw failureOf(error);
  }
}

interface KnownTarget extends Target {
  /** A URL of the same origin. */
  readonly base: URL;
}

/** Reads URLs. Most requests go where the one before went, so that only their paths are new. */
function rememberedTargets(): (url: string) => KnownTarget {
  let last: { readonly base: URL; readonly origin: string } | undefined;
  return (url) => {
    if (last !== undefined && url.startsWith(last.origin)) {
      const path = url.slice(last.origin.length);
      if (isPlainPath(path)) return { ...last, path };
    }
    const base = parsed(url);
    const { origin, pathname, search } = base;
    last = { base, origin };
    return { base, origin, path: pathname + search };
  };
}

function parsed(url: string): URL {
  let target: URL | undefined;
  try {
    target = new URL(url);
  } catch {}
  if (target?.protocol === "http:" || target?.protocol === "https:") return target;
  throw new HttpFailure("network", "that isn't a URL of HTTP");
}
