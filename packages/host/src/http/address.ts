import ipaddr from "ipaddr.js";

/** All of today's public IPv6 addresses; the library calls more than these unicast, such as `::127.0.0.1`. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the public internet: not of this machine, a private network, a cloud's metadata service …
 * An IPv4 address inside an IPv6 one counts as itself.
 *
 * @param text an IP address in its usual spelling; anything else isn't public
 */
export function isPublicAddress(text: string): boolean {
  let address: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    address = ipaddr.process(text);
  } catch {
    return false;
  }
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || address.match(globalUnicast);
}

/**
 * The IP address that a URL names instead of a host; undefined for a name. Other spellings (decimal, octal, hexadecimal, short
 * ones) are no concern: parsing the URL has made them the usual one.
 */
export function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(text) ? text : undefined;
}

/** Why a host isn't connected to, and how it can be. */
export function refusalText(host: string, addresses: readonly string[]): string {
  const literal = addresses.length === 1 && addresses[0] === host;
  const where = literal ? "" : ` is at ${addresses.join(", ")}, which`;
  return `${host}${where} isn't an address of the public internet. To reach this machine or a private network, allow it for this run (\`--allow-private-network\`, \`allowPrivateNetwork\`).`;
}
