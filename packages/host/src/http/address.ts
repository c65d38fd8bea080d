import ipaddr from "ipaddr.js";
import { type CloudService, cloudServiceAt, cloudServiceNamed } from "./cloud-services.ts";

/** All of today's public IPv6 addresses; the library calls more than these unicast, such as `::127.0.0.1`. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Whether an address is one of the public internet: not of this machine, a private network, a cloud's own services …
 * An IPv4 address inside an IPv6 one counts as itself.
 *
 * @param text an IP address in its usual spelling; anything else isn't public
 */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  if (address === undefined || address.range() !== "unicast" || serviceAt(address) !== undefined)
    return false;
  if (address instanceof ipaddr.IPv4) return true;
  if (!address.match(globalUnicast)) return false;
  const tunnelled = isatapOf(address);
  return tunnelled === undefined || isPublicAddress(tunnelled.toString());
}

function parsed(text: string): Address | undefined {
  try {
    return ipaddr.process(text);
  } catch {
    return undefined;
  }
}

/**
 * The cloud's service at an address, also where a gateway makes one of IPv6 of it: any network may have a prefix of its own for that (RFC
 * 6052), so that what stands in the last four bytes counts, and in Teredo's (RFC 4380) its complement.
 */
function serviceAt(address: Address): CloudService | undefined {
  const found = cloudServiceAt(address);
  if (found !== undefined || address instanceof ipaddr.IPv4) return found;
  const bytes = address.toByteArray();
  const inside = [bytes.slice(12), bytes.slice(2, 6), bytes.slice(12).map((byte) => 255 - byte)];
  const tunnels: readonly boolean[] = [
    bytes.slice(8, 12).every((byte) => byte === 0) ||
      address.range() === "rfc6145" ||
      isatapOf(address) !== undefined,
    address.range() === "6to4",
    address.range() === "teredo",
  ];
  for (const [at, each] of inside.entries()) {
    const service = tunnels[at] ? cloudServiceAt(new ipaddr.IPv4(each)) : undefined;
    if (service !== undefined) return service;
  }
  return undefined;
}

/** The address of IPv4 that an interface of ISATAP has in its own (RFC 5214). */
function isatapOf(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const [, , , , first = 0, second] = address.parts;
  return (first & 0xfdff) === 0 && second === 0x5efe
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : undefined;
}

/**
 * The IP address that a URL names instead of a host; undefined for a name. Other spellings (decimal, octal, hexadecimal, short
 * ones) are no concern: parsing the URL has made them the usual one.
 */
function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(text) ? text : undefined;
}

/** Why a URL isn't asked for, by its host alone; undefined if its name has to be looked up first. */
export function refusalOf(url: URL): string | undefined {
  const address = literalAddress(url);
  if (address !== undefined) return isPublicAddress(address) ? undefined : refusalText(address, [address]);
  const service = cloudServiceNamed(url.hostname);
  return service === undefined ? undefined : `${url.hostname} is ${described(service)}. ${permission}`;
}

const permission =
  "To reach this machine or a private network, allow it for this run (`--allow-private-network`, `allowPrivateNetwork`).";

/** Why a host isn't connected to, and how it can be. */
export function refusalText(host: string, addresses: readonly string[]): string {
  const literal = addresses.length === 1 && addresses[0] === host;
  const where = literal ? "" : ` is at ${addresses.join(", ")}, which`;
  const [service] = addresses.flatMap((text) => {
    const address = parsed(text);
    return (address && serviceAt(address)) ?? [];
  });
  const what = service === undefined ? "isn't an address of the public internet" : `is ${described(service)}`;
  return `${host}${where} ${what}. ${permission}`;
}

function described({ provider, what }: CloudService): string {
  return `one of ${provider}'s own, for ${what}`;
}
