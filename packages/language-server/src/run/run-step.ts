import { capture, createRuntime, createTracer, type Json, type Tracer } from "@configc/runtime";
import { authAt, redactedValue, runNode } from "@configc/runtime/internal";
import type { CancellationToken } from "vscode-languageserver";
import type { Feature, OpenConfig, Server } from "../feature.ts";
import { requiredNode } from "../requests/required-node.ts";
import { cancellable } from "./cancellable.ts";
import { environmentOf, refusal } from "./environment.ts";
import { failureOf, keyRange } from "./failure.ts";
import { KeptRuns } from "./kept-runs.ts";
import { KeptValues } from "./kept-values.ts";
import { ProgressReport } from "./progress.ts";
import {
  RUN_FIND,
  RUN_RECORDING,
  RUN_STEP,
  RUN_TEXT,
  RUN_VALUE,
  type RunFindParams,
  type RunRecordingParams,
  type RunStepParams,
  type RunStepResult,
  type RunTextParams,
  type RunValueParams,
} from "./protocol.ts";
import { StepLog } from "./steps.ts";
import { targetOf } from "./target.ts";

/** `configc/runStep`, and what can be asked about a run. It runs only on a client's request, which stands for a person's. */
export const runStep: Feature = {
  capabilities: {},
  register(server) {
    const { connection } = server;
    const kept = new KeptRuns();
    server.onClose((uri) => kept.forget(uri));
    connection.onRequest(RUN_VALUE, (params: RunValueParams) => kept.value(params));
    connection.onRequest(RUN_TEXT, (params: RunTextParams) => kept.text(params));
    connection.onRequest(RUN_RECORDING, (params: RunRecordingParams) => kept.recording(params));
    connection.onRequest(RUN_FIND, (params: RunFindParams, token: CancellationToken) =>
      kept.find(params, token),
    );
    connection.onRequest(RUN_STEP, (params: RunStepParams, token: CancellationToken) => {
      const open = server.config(params.textDocument.uri);
      requiredNode(params);
      if (open === undefined) throw refusal("The document isn't open, or isn't a config.");
      return run(server, kept, open, params, token);
    });
  },
};

async function run(
  server: Server,
  kept: KeptRuns,
  open: OpenConfig,
  params: RunStepParams,
  token: CancellationToken,
): Promise<RunStepResult> {
  const { document, compilation } = open;
  const { model, app } = compilation;
  const target = targetOf(model, app, params);
  if ("problem" in target) throw refusal(target.problem);
  const { credentials = {}, input, context } = params;
  const { effects, exchanges } = await environmentOf(server, open, params, context?.subdomain);
  const auth = authAt(app, target.pointer);
  const rangeOf = (pointer: string) => keyRange(document, model, pointer);
  const redact: Tracer["redact"] = (...text) => trace.redact(...text);
  const http = () => exchanges(redact);
  const values = params.keep === true ? new KeptValues(redact) : undefined;
  const id = values === undefined ? {} : { run: kept.add(document.uri, { values, http }) };
  const log = new StepLog(rangeOf, (part, value) => values?.keep(part, value), params.dryRun);
  const report = new ProgressReport(server.connection, params.partialResultToken, log, id);
  const trace: Tracer = createTracer(effects.clock, (event, whole) => {
    log.add(event, whole);
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
    (output) => {
      // A service may echo a secret.
      if (values === undefined) return { output: redactedValue(output, redact) as Json };
      values.keep({ part: "output" }, output);
      const { value, cuts } = capture({ output }, redact);
      return { ...(value as { output: Json }), ...(cuts.length > 0 ? { cuts } : {}) };
    },
    (error: unknown) => ({ failure: failureOf(error, document, model) }),
  );
  report.end();
  return {
    node: target.pointer,
    ...id,
    ...result,
    steps: log.steps,
    milliseconds: effects.clock.now() - began,
    ...(values === undefined ? { http: http() } : {}),
  };
}
