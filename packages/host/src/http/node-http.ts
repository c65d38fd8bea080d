import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Http, HttpFailure, type HttpRequest, type HttpResponse, isHttpFailure } from "@configc/runtime";
import { Agent, type Dispatcher, request as send } from "undici";
import { guardedLookup, type ResolveName, refusePrivateLiteral } from "./address-guard.ts";

export interface NodeHttpOptions {
  /** Allows loopback and private addresses; for tests and one's own machine. */
  readonly allowPrivateNetwork?: boolean;
  /** Instead of the system's resolver. */
  readonly resolve?: ResolveName;
}

/** An `Http` that keeps connections open until it is closed. */
export interface NodeHttp extends Http {
  close(): Promise<void>;
}

/**
 * HTTP by undici: one exchange, without redirects and retries, which are the runtime's. Addresses that aren't public are
 * refused, as literals and after the name was looked up, at the moment the connection is made (`design.md`, "Reliability").
 */
export function nodeHttp({ allowPrivateNetwork = false, resolve }: NodeHttpOptions = {}): NodeHttp {
  const agent = new Agent({
    connect:
      allowPrivateNetwork && resolve === undefined ? {} : { lookup: lookupFor(allowPrivateNetwork, resolve) },
    // The exchange has a time limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    request: (wanted) => exchange(wanted, agent, allowPrivateNetwork),
    close: () => agent.close(),
  };
}

function lookupFor(allowPrivateNetwork: boolean, resolve: ResolveName | undefined) {
  if (!allowPrivateNetwork || resolve === undefined) return guardedLookup(resolve);
  const lookup: ReturnType<typeof guardedLookup> = (hostname, options, callback) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      if (error !== null || options.all === true) return callback(error, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? "", first?.family ?? 0);
    });
  return lookup;
}

async function exchange(
  wanted: HttpRequest,
  agent: Agent,
  allowPrivateNetwork: boolean,
): Promise<HttpResponse> {
  const { method, headers, body, signal, timeout, maxBytes } = wanted;
  signal.throwIfAborted();
  const url = new URL(wanted.url);
  if (!allowPrivateNetwork) refusePrivateLiteral(url);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeout);
  const onAbort = () => limit.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const response = await send(url, {
      method: method as Dispatcher.HttpMethod,
      headers: { "accept-encoding": "gzip, deflate, br", ...headers },
      ...(body === undefined ? {} : { body }),
      dispatcher: agent,
      signal: limit.signal,
    });
    return {
      status: response.statusCode,
      headers: joined(response.headers),
      body: await read(response.body, response.headers["content-encoding"], maxBytes),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failureOf(error, url, limit.signal.aborted ? timeout : undefined);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** @param timeout milliseconds, if they have passed */
function failureOf(error: unknown, url: URL, timeout: number | undefined): HttpFailure {
  for (let at = error; at instanceof Error; at = at.cause) {
    // A body that was cut off by the limit reads like one that broke off.
    if (isHttpFailure(at) && (at.kind !== "network" || timeout === undefined)) return at;
  }
  if (timeout !== undefined)
    return new HttpFailure("timeout", `${url.host} gave no whole answer within ${timeout / 1000} s.`, error);
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return new HttpFailure(
    "network",
    `${url.host} can't be reached: ${reasons[code ?? ""] ?? message ?? error}.`,
    error,
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host",
  ECONNREFUSED: "it refuses connections",
  ECONNRESET: "it broke off the connection",
  UND_ERR_SOCKET: "it broke off the connection",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
};

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const all: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return all;
}

/** The body, decoded. The limit counts what comes out: a small answer may hold gigabytes. */
async function read(
  stream: Readable,
  encoding: string | string[] | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const decoded = decoder(`${encoding ?? ""}`.trim().toLowerCase(), stream);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new HttpFailure("too-large", `The body has more than ${maxBytes} bytes.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (!stream.destroyed) stream.destroy();
    if (isHttpFailure(error)) throw error;
    throw new HttpFailure("network", "The answer broke off or isn't encoded as it says.", error);
  }
  return Buffer.concat(chunks);
}

function decoder(encoding: string, stream: Readable): Readable {
  const transform =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  if (transform === undefined) return stream;
  stream.on("error", (error) => transform.destroy(error));
  return stream.pipe(transform);
}
