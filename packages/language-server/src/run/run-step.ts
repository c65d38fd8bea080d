import { authAt, createTracer, parseExact, printExact, type TraceEvent } from "@configc/runtime";
import type { CancellationToken } from "vscode-languageserver";
import type { Feature, OpenConfig, Server } from "../feature.ts";
import { failureOf, keyRange } from "./failure.ts";
import { RUN_STEP, type RunStepParams, type RunStepResult } from "./protocol.ts";
import { stepsOf } from "./steps.ts";
import { runTarget, targetOf } from "./target.ts";
import { refusal, worldOf } from "./world.ts";

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
  server: Server,
  open: OpenConfig,
  params: RunStepParams,
  token: CancellationToken,
): Promise<RunStepResult> {
  const { document, compilation } = open;
  const { model, app } = compilation;
  const target = targetOf(model, app, params);
  if ("problem" in target) throw refusal(target.problem);
  const { credentials = {}, input, context } = params;
  const { effects, exchanges } = await worldOf(server, open, params, context?.subdomain);
  const auth = authAt(app, target.pointer);
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  if (token.isCancellationRequested) abort.abort();
  const began = effects.clock.now();
  const result = await runTarget(target, effects, model.settings.origins, {
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
  return {
    node: target.pointer,
    ...result,
    steps: stepsOf(events, (pointer) => keyRange(document, model, pointer)),
    milliseconds: effects.clock.now() - began,
    http: exchanges((text) => trace.redact(text)),
  };
}
