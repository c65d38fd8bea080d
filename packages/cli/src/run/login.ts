import type { App } from "@configc/compiler";
import { type CredentialsFile, LoginError, loopbackLogin } from "@configc/host";
import { type Credentials, type Http, RunError } from "@configc/runtime";
import { note } from "../terminal/output.ts";

/**
 * Logs in before a run, and keeps the tokens with the other credentials.
 *
 * @param auth name in the app's `auth`
 * @param world.http that isn't recorded: a token request has nothing in it that isn't secret
 * @param file for the client's id and secret, where the config has placeholders
 * @throws RunError `AuthError`
 */
export async function logIn(
  app: App,
  auth: string,
  { http, credentials }: { readonly http: Http; readonly credentials: Credentials },
  file: CredentialsFile | undefined,
  subdomain: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    const credential = await loopbackLogin(app, auth, {
      http,
      signal,
      ...file?.client(auth),
      ...(subdomain === undefined ? {} : { subdomain }),
      open: (url) => note(`configc: to log in, open this address in a browser:\n${url}`),
    });
    await credentials.write(auth, credential);
    note(`configc: logged in as a user of “${auth}”.`);
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    const kind = error.kind === "cancelled" ? "Cancelled" : "AuthError";
    throw new RunError(kind, error.message, app.auth[auth]);
  }
}
