import type { LoginClient, LoginParams, LoginResult } from "@configc/language-server";
import { ProgressLocation, type TextDocument, window, workspace } from "vscode";
import { allowPrivate, isPrivateAllowed } from "./private-network.ts";
import type { Ask, Auth, Credential } from "./run.ts";
import { isAllowed } from "./trust.ts";

/**
 * Logs a person in by the browser.
 *
 * @param known what is kept of an earlier login: its client is asked for once only
 * @returns undefined if they thought better of it
 */
export type LogIn = (
  document: TextDocument,
  auth: Auth,
  known: Credential | undefined,
) => Promise<Credential | undefined>;

type Need = Extract<LoginResult, { readonly needs: unknown }>["needs"][number];

const prompts: Readonly<Record<Need, string>> = {
  client_id: "Client id, which the service gave for your app",
  client_secret: "Client secret, which the service gave for your app",
  subdomain: "Subdomain of the account: `acme` of https://acme.example.com",
};

const TRY_AGAIN = "Try Again";
const CHANGE_CLIENT = "Change the Client…";

/** What a person typed of clients, by document and auth entry; until the window is closed. */
const typed = new Map<string, LoginClient>();

function failureOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A login by a server of this machine, to which the service sends the browser back. */
export function logsInBy(ask: Ask): LogIn {
  return async (document, auth, known) => {
    if (!(await isAllowed())) return undefined;
    const settings = workspace.getConfiguration("configc", document.uri);
    const port = settings.get<number>("login.redirectPort") ?? 0;
    const key = JSON.stringify([document.uri.toString(), auth.name]);
    let client = { ...clientOf(known), ...typed.get(key) };
    for (;;) {
      const asked = {
        textDocument: { uri: document.uri.toString() },
        auth: auth.name,
        client,
        port,
        allowPrivateNetwork: isPrivateAllowed(document),
      };
      const result = await waitFor(document, ask, asked).catch(failureOf);
      if (result === undefined) return undefined;
      if (result instanceof Error) {
        const next = await window.showErrorMessage(`configc: ${result.message}`, TRY_AGAIN, CHANGE_CLIENT);
        if (next === undefined) return undefined;
        if (next === CHANGE_CLIENT) client = {};
        typed.set(key, client);
        continue;
      }
      if ("credential" in result) return result.credential;
      if ("refused" in result) {
        if (!(await allowPrivate(document, result.refused))) return undefined;
        continue;
      }
      const more = await askFor(auth, result.needs);
      if (more === undefined) return undefined;
      client = { ...client, ...more };
      // Whoever comes back after a login that failed doesn't type it again.
      typed.set(key, client);
    }
  };
}

/** In a browser there is no such server. */
export const cannotLogIn: LogIn = async () => {
  throw new Error(
    "Logging in works on the desktop only: the service sends the browser back to a port of your own machine, and an editor in a browser can't open one. Enter tokens instead.",
  );
};

async function waitFor(
  document: TextDocument,
  ask: Ask,
  params: LoginParams,
): Promise<LoginResult | undefined> {
  const title = `configc: log in to “${params.auth}” in the browser. Waiting for it to come back`;
  return await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (_, token) => {
      try {
        return await ask<LoginResult>(document, "configc/login", params, token);
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      }
    },
  );
}

async function askFor({ name }: Auth, needs: readonly Need[]): Promise<LoginClient | undefined> {
  const given: Partial<Record<Need, string>> = {};
  for (const need of needs) {
    const value = await window.showInputBox({
      title: `Log in to “${name}”`,
      prompt: prompts[need],
      password: need === "client_secret",
      ignoreFocusOut: true,
    });
    if (value === undefined || value === "") return undefined;
    given[need] = value;
  }
  return {
    ...clientOf(given),
    ...(given.subdomain === undefined ? {} : { subdomain: given.subdomain }),
  };
}

/** The client that credentials, or answers of a person, name. */
function clientOf(given: object | undefined): LoginClient {
  const { client_id: clientId, client_secret: clientSecret } = (given ?? {}) as Partial<Record<Need, string>>;
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
  };
}
