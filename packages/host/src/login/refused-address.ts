import type { App } from "@configc/compiler";
import { isPublicAddress, refusalOf, refusalText } from "../http/address.ts";
import { systemResolve } from "../http/lookup.ts";
import { type LoginClient, loginSettings } from "./settings.ts";

/**
 * Whether the request for the tokens would be refused, because it goes to this machine or a private network: to be asked before a
 * person is sent to the service. Addresses may change until then, so the request itself is guarded too.
 *
 * @returns why, for people; undefined if it wouldn't, or nobody can tell
 * @throws LoginError `config`
 */
export async function refusedLogin(app: App, auth: string, client: LoginClient): Promise<string | undefined> {
  const { tokenUrl } = loginSettings(app, auth, client);
  const refused = refusalOf(tokenUrl);
  if (refused !== undefined) return refused;
  const found = await systemResolve(tokenUrl.hostname).catch(() => []);
  const addresses = found.map(({ address }) => address);
  return addresses.length === 0 || addresses.some(isPublicAddress)
    ? undefined
    : refusalText(tokenUrl.hostname, addresses);
}
