import type { App } from "@configc/compiler";
import type { OAuthCredential } from "@configc/runtime";
import type { CancellationToken, TextDocumentIdentifier } from "vscode-languageserver";
import type { Feature, Server } from "../feature.ts";
import { cancellable } from "./cancellable.ts";
import { refusal } from "./world.ts";

/** Logs in to the service of an `oauth2` entry, in the person's browser. Cancelled like any request. */
const LOGIN = "configc/login";

/** What `configc/login` takes. */
export interface LoginParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Its name in `auth`. */
  readonly auth: string;
  /** What the config leaves open. */
  readonly client?: LoginClient;
  /** Of the redirect address, where the service wants it registered; default: any that is free. */
  readonly port?: number;
  /** Lets the token request reach this machine and private networks. */
  readonly allowPrivateNetwork?: boolean;
}

/** The client of the OAuth service, as far as the config has placeholders for it: the answers to what was in `needs`. */
export interface LoginClient {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly subdomain?: string;
}

/** The tokens, which the client alone keeps; or what a person has to be asked for before. */
export type LoginResult =
  | { readonly credential: OAuthCredential }
  | { readonly needs: readonly ("client_id" | "client_secret" | "subdomain")[] };

/** Does the login. The server itself opens no port and sends no request: whoever starts it decides. */
export type Login = (options: {
  readonly app: App;
  readonly auth: string;
  readonly client: LoginClient;
  readonly port: number | undefined;
  readonly allowPrivateNetwork: boolean;
  /** Opens the person's browser. */
  readonly open: (url: string) => Promise<void>;
  readonly signal: AbortSignal;
}) => Promise<LoginResult>;

/** `configc/login`. The client is asked to open the browser by `window/showDocument`. */
export const login: Feature = {
  capabilities: {},
  register(server) {
    server.connection.onRequest(LOGIN, (params: LoginParams, token: CancellationToken) =>
      logIn(server, params, token),
    );
  },
};

async function logIn(
  { config, connection, options }: Server,
  { textDocument, auth, client = {}, port, allowPrivateNetwork = false }: LoginParams,
  token: CancellationToken,
): Promise<LoginResult> {
  const open = config(textDocument.uri);
  if (open === undefined) throw refusal("The document isn't open, or is no config.");
  if (options.login === undefined)
    throw refusal(
      "This server can't log in: the answer of a login needs a server on the person's own machine.",
    );
  const { login } = options;
  const { app } = open.compilation;
  const openBrowser = async (uri: string): Promise<void> => {
    const { success } = await connection.window.showDocument({ uri, external: true, takeFocus: true });
    if (!success) throw new Error("The browser wasn't opened, so nobody can log in.");
  };
  try {
    return await cancellable(token, (signal) =>
      login({ app, auth, client, port, allowPrivateNetwork, open: openBrowser, signal }),
    );
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}
