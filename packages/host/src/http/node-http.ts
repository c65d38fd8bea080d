import { type Http, HttpFailure, type HttpRequest, type HttpResponse } from "@configc/runtime";
import { Agent } from "undici";
import { isPublicAddress, literalAddress, refusalText } from "./address.ts";
import { ACCEPTED } from "./content-encoding.ts";
import { dispatch } from "./exchange.ts";
import { guardedLookup, type Resolve, systemResolve } from "./lookup.ts";

export interface HttpOptions {
  /**
   * Lets requests reach this machine and private networks. Without it an app could read what only the host's own network may
   * (design.md, "Reliability and security").
   */
  readonly allowPrivateNetwork?: boolean;
  /** Name resolution; by default the machine's. Its answers are judged like any others. */
  readonly resolve?: Resolve;
}

export interface NodeHttp extends Http {
  /** Ends the connections that are kept open. */
  close(): Promise<void>;
}

/** Some services refuse who doesn't say what they are; a config may say something else. */
const usualHeaders = { "accept-encoding": ACCEPTED, "user-agent": "configc" };

/** Bytes of a response's headers, all together. */
const MOST_HEADER_BYTES = 64 * 1024;

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
  return {
    request: (request) => exchange(request, agent, allowPrivateNetwork),
    close: () => agent.destroy(),
  };
}

async function exchange(
  request: HttpRequest,
  agent: Agent,
  allowPrivateNetwork: boolean,
): Promise<HttpResponse> {
  const { signal, url, headers } = request;
  signal.throwIfAborted();
  const target = targetOf(url);
  const address = allowPrivateNetwork ? undefined : literalAddress(target);
  if (address !== undefined && !isPublicAddress(address))
    throw new HttpFailure("refused-address", refusalText(address, [address]));
  try {
    return await dispatch(agent, target, request, { ...usualHeaders, ...headers });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failureOf(error);
  }
}

function targetOf(url: string): URL {
  let target: URL | undefined;
  try {
    target = new URL(url);
  } catch {}
  if (target?.protocol === "http:" || target?.protocol === "https:") return target;
  throw new HttpFailure("network", "that isn't a URL of HTTP");
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no host of this name",
  EAI_AGAIN: "names can't be resolved just now",
  ECONNREFUSED: "nothing answers at this address (connection refused)",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the network can't be reached",
  ETIMEDOUT: "the connection couldn't be made in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection couldn't be made in time",
  UND_ERR_SOCKET: "the connection broke before the answer was complete",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body isn't as long as the answer says",
  UND_ERR_HEADERS_OVERFLOW: `the headers of the answer are larger than ${MOST_HEADER_BYTES} bytes`,
  Z_BUF_ERROR: "the compressed body breaks off",
  Z_DATA_ERROR: "the body isn't what its content-encoding says",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate chain has a self-signed one",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate can't be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
};

/** Any failure on the way as one of ours: a guard's own, or why there was no (whole) answer. */
function failureOf(error: unknown): HttpFailure {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof HttpFailure) return at;
    // Several addresses were tried: the first one's failure says enough.
    if (at instanceof AggregateError && at.errors.length > 0) return failureOf(at.errors[0]);
  }
  if (!(error instanceof Error)) return new HttpFailure("network", String(error), error);
  const { code = "", message, name } = error as NodeJS.ErrnoException;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (name === "HTTPParserError") return new HttpFailure("network", "the answer isn't HTTP", error);
  return new HttpFailure("network", reason ?? (message || code || "there was no answer"), error);
}
