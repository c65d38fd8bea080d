import { HttpFailure } from "@configc/runtime";

/** Bytes of a response's headers, all together. */
export const MOST_HEADER_BYTES = 64 * 1024;

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
  ERR_ASSERTION: "the answer isn't HTTP",
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

/**
 * What the client library takes for a broken connection is a server that does something else than HTTP/1.1 lets it do here. It has no
 * option to read on.
 */
const protocolBreaches: Readonly<Record<string, string>> = {
  "bad response": "the server sent “100 Continue”, which it wasn't asked for",
  "bad upgrade": "the server changed to another protocol, which it wasn't asked for",
};

/** What is wrong with an answer that can't be read. */
function parserReason(message: string): string {
  const reason = /\(([^()]+)\)$/.exec(message)?.[1];
  if (reason === undefined) return "the answer isn't HTTP";
  if (reason.includes("expected CR"))
    return "the answer isn't HTTP: its lines end with LF instead of CR and LF";
  return `the answer isn't HTTP: ${reason[0]?.toLowerCase()}${reason.slice(1)}`;
}

/** Any failure on the way as one of ours: a guard's own, or why there was no (whole) answer. */
export function failureOf(error: unknown): HttpFailure {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof HttpFailure) return at;
    // Several addresses were tried: the first one's failure says enough.
    if (at instanceof AggregateError && at.errors.length > 0) return failureOf(at.errors[0]);
  }
  if (!(error instanceof Error)) return new HttpFailure("network", String(error), error);
  const { code = "", message, name } = error as NodeJS.ErrnoException;
  if (name === "HTTPParserError") return new HttpFailure("network", parserReason(message), error);
  const reason =
    name === "SocketError" && Object.hasOwn(protocolBreaches, message)
      ? protocolBreaches[message]
      : Object.hasOwn(reasons, code)
        ? reasons[code]
        : undefined;
  return new HttpFailure("network", reason ?? (message || code || "there was no answer"), error);
}
