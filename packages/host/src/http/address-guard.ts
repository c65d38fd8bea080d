import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { HttpFailure } from "@configc/runtime";
import ipaddr from "ipaddr.js";

/** Finds the addresses of a name, as `dns.lookup` does with `all`. */
export type ResolveName = (
  hostname: string,
  options: { readonly all: true; readonly verbatim?: boolean },
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/**
 * Whether an address is on the public internet, in any spelling. Loopback, private, link-local, carrier-grade, multicast and
 * reserved ranges aren't, nor are IPv4 addresses of those ranges written as IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === "unicast";
}

/**
 * Refuses a URL whose host is an address that isn't public. Names pass: they are looked up by `guardedLookup`, right before the
 * connection is made, so that an answer that changes in between can't slip through.
 *
 * @throws HttpFailure
 */
export function refusePrivateLiteral(url: URL): void {
  // The URL parser has brought decimal, octal and hexadecimal spellings to the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refused(host);
}

/** A lookup for sockets that gives public addresses only. */
export function guardedLookup(resolve: ResolveName = systemLookup as ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { all: true, verbatim: true }, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      const wanted = addresses.filter(({ family }) => !options.family || options.family === family);
      const open = wanted.filter(({ address }) => isPublicAddress(address));
      // One private answer among public ones is an attack or a mistake; either way the name isn't to be trusted.
      if (open.length === 0 || open.length < wanted.length) return callback(refused(hostname), "", 0);
      if (options.all === true) return callback(null, open);
      return callback(null, open[0]!.address, open[0]!.family);
    });
  };
}

function refused(host: string): HttpFailure {
  return new HttpFailure(
    "refused-address",
    `${host} isn't a public address. Requests to loopback and private networks need an explicit permission.`,
  );
}
