import { authAt, createRuntime, createTracer, type Json, redactedValue, runNode } from "@configc/runtime";
import type { CancellationToken } from "vscode-languageserver";
import type { Feature, OpenConfig, Server } from "../feature.ts";
import { neededNode } from "../requests/needed.ts";
import { cancellable } from "./cancellable.ts";
import { failureOf, keyRange } from "./failure.ts";
import { ProgressReport } from "./progress.ts";
import { RUN_STEP, type RunStepParams, type RunStepResult } from "./protocol.ts";
import { StepLog } from "./steps.ts";
import { targetOf } from "./target.ts";
import { refusal, worldOf } from "./world.ts";

/** `configc/runStep`. It runs only on a client's request, which stands for a person's. */
export const runStep: Feature = {
  capabilities: {},
  register(server) {
    server.connection.onRequest(RUN_STEP, (params: RunStepParams, token: CancellationToken) => {
      const open = server.config(params.textDocument.uri);
      neededNode(params);
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
  const log = new StepLog((pointer) => keyRange(document, model, pointer));
  const report = new ProgressReport(server.connection, params.partialResultToken, log);
  const trace = createTracer(effects.clock, (event) => {
    log.add(event);
    report.touch();
  });
  const began = effects.clock.now();
  const result = await cancellable(token, (signal) =>
    runNode(createRuntime(target.app, effects, { origins: model.settings.origins }), target.pointer, {
      ...(input === undefined ? {} : { input }),
      ...(context === undefined ? {} : { context }),
      ...(auth !== undefined && Object.hasOwn(credentials, auth) ? { connection: auth } : {}),
      signal,
      trace,
    }),
  ).then(
    // A service may echo a secret.
    (output) => ({ output: redactedValue(output, (text) => trace.redact(text)) as Json }),
    (error: unknown) => ({ failure: failureOf(error, document, model) }),
  );
  report.end();
  return {
    node: target.pointer,
    ...result,
    steps: log.steps,
    milliseconds: effects.clock.now() - began,
    http: exchanges((text) => trace.redact(text)),
  };
}
