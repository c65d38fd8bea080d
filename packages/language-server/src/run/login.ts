import type { CancellationToken } from "vscode-languageserver";
import type { Feature, Server } from "../feature.ts";
import { cancellable } from "./cancellable.ts";
import { refusal } from "./environment.ts";
import { LOGIN, type LoginParams, type LoginResult } from "./protocol.ts";

/** `configc/login`. The client is asked to open the browser by `window/showDocument`. */
export const login: Feature = {
  capabilities: {},
  register(server) {
    server.connection.onRequest<LoginResult, void>(LOGIN, (params: LoginParams, token: CancellationToken) =>
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
  if (open === undefined) throw refusal("The document isn't open, or isn't a config.");
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
