import { findNode } from "@configc/compiler";
import {
  authAt,
  type Credential,
  type Credentials,
  createTracer,
  parseExact,
  printExact,
  type TraceEvent,
} from "@configc/runtime";
import { type CancellationToken, type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import type { Feature, OpenConfig, Server } from "../feature.ts";
import { toRange } from "../range.ts";
import { failureOf } from "./failure.ts";
import { CREDENTIAL_RENEWED, RUN_STEP, type RunStepParams, type RunStepResult } from "./protocol.ts";
import { stepsOf } from "./steps.ts";
import { runTarget, targetOf } from "./target.ts";

/** `configc/runStep`. It runs only on a client's request, which stands for a person's. */
export const runStep: Feature = {
  capabilities: {},
  register(server) {
    server.connection.onRequest(RUN_STEP, (params: RunStepParams, token: CancellationToken) => {
      const open = server.config(params.textDocument.uri);
      if (open === undefined) throw refusal("The document isn't open, or is no config.");
      return run(server, open, params, token);
    });
  },
};

async function run(
  { connection, options: { runWorld } }: Server,
  { document, compilation: { model, app } }: OpenConfig,
  params: RunStepParams,
  token: CancellationToken,
): Promise<RunStepResult> {
  if (runWorld === undefined) throw refusal("This server only checks: it wasn't given anything to run with.");
  const target = targetOf(model, app, params);
  if ("problem" in target) throw refusal(target.problem);
  const { uri } = document;
  const { allowPrivateNetwork = false, credentials = {}, input, context, baseUrl } = params;
  const { settings } = model;
  const { effects, exchanges } = await runWorld({
    app,
    settings,
    credentials: clientCredentials(connection, uri, credentials),
    allowPrivateNetwork,
    baseUrl,
    subdomain: context?.subdomain,
  });
  const auth = authAt(app, target.pointer);
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  const began = effects.clock.now();
  const result = await runTarget(target, effects, settings.origins, {
    ...(input === undefined ? {} : { input }),
    ...(context === undefined ? {} : { context }),
    ...(auth !== undefined && Object.hasOwn(credentials, auth) ? { connection: auth } : {}),
    signal: abort.signal,
    trace,
  }).then(
    // A service may echo a secret.
    (output) => ({ output: parseExact(trace.redact(printExact(output))) }),
    (error: unknown) => ({ failure: failureOf(error, document, model) }),
  );
  listening.dispose();
  const rangeOf = (pointer: string) => {
    const found = findNode(model, pointer);
    if (!("node" in found) || found.node.kind !== "object") return undefined;
    const key = found.node.members.find(({ name }) => name.startsWith("!"))?.key;
    return key === undefined ? undefined : toRange(document, key);
  };
  return {
    node: target.pointer,
    ...result,
    steps: stepsOf(events, rangeOf),
    milliseconds: effects.clock.now() - began,
    http: exchanges((text) => trace.redact(text)),
  };
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

function refusal(message: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}
