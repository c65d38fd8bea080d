import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { HttpFailure } from "@configc/runtime";
import { isPublicAddress, refusalText } from "./address.ts";

/** An address of a name. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to addresses; each new connection asks. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** As the machine is set up to. */
export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, found) => {
      if (error === null)
        resolve(found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })));
      else reject(error);
    });
  });

/**
 * The name resolution of a connection that leaves out what isn't public. The connection goes to the very addresses that were
 * looked at, so an answer that is another one the next time changes nothing.
 */
export function guardedLookup(resolve: Resolve, allowPrivateNetwork: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const usable = allowPrivateNetwork ? found : found.filter(({ address }) => isPublicAddress(address));
        const [first] = usable;
        if (first === undefined) {
          const all = found.map(({ address }) => address);
          const failure =
            all.length === 0
              ? new HttpFailure("network", `${hostname} has no address.`)
              : new HttpFailure("refused-address", refusalText(hostname, all));
          callback(failure, "");
        } else if (options.all === true) callback(null, [...usable]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
