import type { Credential, Credentials, Effects } from "@configc/runtime";
import { type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import type { OpenConfig, Server } from "../feature.ts";
import { CREDENTIAL_RENEWED, type WorldParams } from "./protocol.ts";

/** What a run of an open document may do to the world. @throws ResponseError where the server was given none */
export async function environmentOf(
  { connection, options: { runWorld } }: Server,
  { document: { uri }, compilation: { model, app } }: OpenConfig,
  {
    allowPrivateNetwork = false,
    credentials = {},
    baseUrl,
    recorded,
    dryRun = false,
  }: WorldParams & { readonly dryRun?: boolean },
  subdomain: string | undefined,
): Promise<{
  readonly effects: Effects;
  readonly exchanges: (redact: (text: string) => string) => readonly unknown[];
}> {
  if (runWorld === undefined) throw refusal("This server only checks: it wasn't given anything to run with.");
  return await runWorld({
    app,
    settings: model.settings,
    credentials: clientCredentials(connection, uri, credentials),
    allowPrivateNetwork,
    baseUrl,
    subdomain,
    recorded,
    dryRun,
  });
}

/** The client's credentials. A renewed one is given to it before it is used; it alone keeps secrets. */
function clientCredentials(
  connection: Connection,
  uri: string,
  given: Readonly<Record<string, Credential>>,
): Credentials {
  const known = new Map(Object.entries(given));
  return {
    read: async (name) => known.get(name),
    async write(name, credential) {
      known.set(name, credential);
      const params = { textDocument: { uri }, auth: name, credential };
      await connection.sendRequest(CREDENTIAL_RENEWED, params).catch((error: unknown) => {
        if (!(error instanceof ResponseError) || error.code !== ErrorCodes.MethodNotFound) throw error;
      });
    },
    markBroken: async (name) => void known.delete(name),
  };
}

/** The request can't be done; why is for people. */
export function refusal(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}
