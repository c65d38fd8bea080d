import { createRuntime, createTracer, type FieldOption, type Setup, SetupError } from "@configc/runtime";
import type { CancellationToken } from "vscode-languageserver";
import type { Feature, OpenConfig, Server } from "../feature.ts";
import { cancellable } from "./cancellable.ts";
import { environmentOf, refusal } from "./environment.ts";
import { failureOf, keyRange } from "./failure.ts";
import { SETUP, type SetupAction, type SetupParams, type SetupResult } from "./protocol.ts";
import { StepLog } from "./steps.ts";

/** `configc/setup`: the guided setup as a customer would see it. The client keeps the draft; nothing is kept here. */
export const setup: Feature = {
  capabilities: {},
  register(server) {
    server.connection.onRequest(SETUP, (params: SetupParams, token: CancellationToken) => {
      const open = server.config(params.textDocument.uri);
      if (open === undefined) throw refusal("The document isn't open, or isn't a config.");
      return move(server, open, params, token);
    });
  },
};

async function move(
  server: Server,
  open: OpenConfig,
  params: SetupParams,
  token: CancellationToken,
): Promise<SetupResult> {
  const { document, compilation } = open;
  const { model, app } = compilation;
  const { workflow: name, draft, action, searches = {}, baseUrl, subdomain, credentials = {} } = params;
  const workflow = app.workflows.find((each) => each.name === name);
  if (workflow === undefined) throw refusal(`There is no workflow \`${name}\`.`);
  const { effects } = await environmentOf(server, open, params, subdomain);
  const placed = baseUrl === undefined ? app : { ...app, api: { ...app.api, baseUrl: [baseUrl] } };
  const runtime = createRuntime(placed, effects, { origins: model.settings.origins });
  const log = new StepLog((pointer) => keyRange(document, model, pointer));
  const trace = createTracer(effects.clock, (event, whole) => log.add(event, whole));
  // Without an auth there are no credentials, and any name will do.
  const connection = workflow.auth ?? "none";
  const isConnected = Object.hasOwn(credentials, connection);
  const { guided, problem, shown } = await cancellable(token, async (signal) => {
    const given = { trace, signal, ...(subdomain === undefined ? {} : { subdomain }) };
    const guided = runtime.setup(name, draft, given);
    const problem = await tried(() => act(guided, action, connection, isConnected));
    return { guided, problem, shown: await choicesOf(guided, searches) };
  });
  const refused = problem instanceof SetupError ? problem.issues : [];
  const { problems, ...fetched } = shown;
  const told = {
    view: guided.view(),
    ...fetched,
    choiceFailures: Object.fromEntries(
      [...problems].map(([name, problem]) => [name, failureOf(problem, document, model)]),
    ),
    issues: refused,
    ...(problem === undefined || problem instanceof SetupError
      ? {}
      : { failure: failureOf(problem, document, model) }),
  };
  return {
    draft: guided.draft,
    // A service may echo a secret.
    ...(JSON.parse(trace.redact(JSON.stringify(told))) as typeof told),
    steps: log.steps,
  };
}

async function act(
  guided: Setup,
  action: SetupAction | undefined,
  connection: string,
  isConnected: boolean,
): Promise<void> {
  switch (action?.kind) {
    case undefined:
      return;
    case "connect":
      if (!isConnected && connection !== "none")
        throw new SetupError("incomplete", [{ message: "No account is connected." }]);
      return await guided.connect(connection);
    case "answer":
      return await guided.answer(action.field, action.value, action.search);
    case "select":
      return await guided.select();
    case "map":
      return await guided.map(action.mapping);
    case "schedule":
      return guided.schedule(action.option);
    case "review":
      return guided.review();
    case "go":
      return guided.go(action.step);
  }
}

/** What has to be fetched to show the step. A field whose choices depend on an answer that isn't there isn't asked for. */
async function choicesOf(
  guided: Setup,
  searches: Readonly<Record<string, string>>,
): Promise<{
  readonly choices: SetupResult["choices"];
  readonly mapFields?: NonNullable<SetupResult["mapFields"]>;
  readonly problems: ReadonlyMap<string, Error>;
}> {
  const { current } = guided.view();
  const choices = new Map<string, readonly FieldOption[] | string>();
  const problems = new Map<string, Error>();
  const fetched = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    let found: T | undefined;
    const problem = await tried(async () => {
      found = await work();
    });
    if (problem === undefined) return found;
    problems.set(name, problem);
    choices.set(name, problem.message);
    return undefined;
  };
  if (current.step === "select")
    for (const { id, hasOptions, waitsFor } of current.fields) {
      if (!hasOptions || waitsFor.length > 0) continue;
      const search = Object.hasOwn(searches, id) ? searches[id] : undefined;
      const found = await fetched(id, () => guided.options(id, search));
      if (found !== undefined) choices.set(id, found);
    }
  const mapFields = current.step === "map" ? await fetched("map", () => guided.mapFields()) : undefined;
  return {
    choices: Object.fromEntries(choices),
    problems,
    ...(mapFields === undefined ? {} : { mapFields }),
  };
}

async function tried(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
