import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "../http/address.ts";

/**
 * From where a request comes: its address, of IPv6 the network. Undefined for one that isn't public: behind a proxy all have that of the
 * proxy, which says nothing.
 */
export function addressOf({ socket }: IncomingMessage): string | undefined {
  return networkOf(socket.remoteAddress ?? "");
}

/**
 * The same behind a proxy that names who sends, such as in `x-forwarded-for`: the last address in the header counts, for those before it are
 * what the sender wrote. Without the header it is the address of the connection.
 *
 * @param name of the header; requests must come through the proxy only, which sets it or adds to it
 */
export function sourceFromHeader(name: string): (request: IncomingMessage) => string | undefined {
  const lower = name.toLowerCase();
  return (request) => {
    const given = request.headers[lower];
    if (given === undefined) return addressOf(request);
    const last = [given].flat().join(",").split(",").at(-1)?.trim() ?? "";
    return networkOf(/^\[([^\]]*)\](?::\d+)?$/.exec(last)?.[1] ?? last.replace(/^([\d.]+):\d+$/, "$1"));
  };
}

function networkOf(text: string): string | undefined {
  if (!ipaddr.isValid(text) || !isPublicAddress(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString();
}
