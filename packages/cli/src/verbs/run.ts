import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type App,
  applyEdits,
  compile,
  findNode,
  formatEdits,
  type Model,
  pointerTo,
} from "@configc/compiler";
import { credentialsInMemory, nodeEffects } from "@configc/host";
import { type Json, printExact } from "@configc/jq";
import {
  authAt,
  type Credential,
  createRuntime,
  createTracer,
  type Effects,
  HttpFailure,
  type RunContext,
  RunError,
  type TraceEvent,
} from "@configc/runtime";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { either, plural } from "../command-line/words.ts";
import { reasonOf } from "../files/failure.ts";
import { readJsonArgument, readObjectFile } from "../run/read-input.ts";
import { TraceView } from "../run/trace-view.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { hasColour, note, print, widthOf } from "../terminal/output.ts";
import { styleOf } from "../terminal/style.ts";

/** The members of a context file (`design.md`, "CLI"). */
const CONTEXT = ["custom_data", "data", "polling_state", "webhook", "subdomain", "mapping", "contact"];
/** The one connection of a run. */
const CONNECTION = "configc-run";

/** Runs one command of a config. Its output goes to stdout, the trace to stderr. */
export async function run(args: Arguments): Promise<number> {
  const [file = "", path = ""] = args.operands;
  const text = read(file);
  const settings = new SettingsFinder({ kind: "search" }, {}).ofFile(resolve(file));
  const { model, app: compiled, diagnostics } = compile(text, { uri: file, settings });
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  if (errors > 0)
    note(`configc: ${file} has ${plural(errors, "error")}; “configc check ${file}” tells which.`);
  const pointer = commandAt(model, compiled, path, file);
  const app = withBaseUrl(compiled, args.value("base-url"));

  const input = args.value("input");
  const context = args.value("context");
  const credentials = args.value("credentials");
  const auth = authAt(app, pointer);
  const dryRun = args.has("dry-run");
  const requests: TraceEvent[] = [];
  const view = args.has("trace") ? new TraceView(styleOf(hasColour(process.stderr)), note) : undefined;
  const effects = effectsFor(credentials, auth, args.has("allow-private-network"), dryRun);
  const trace = createTracer(effects.clock, (event) => {
    if (event.kind === "request") requests.push(event);
    view?.add(event);
  });
  const cancel = new AbortController();
  const onInterrupt = () => cancel.abort();
  process.once("SIGINT", onInterrupt);
  try {
    const output = await createRuntime(app, effects, { origins: settings.origins ?? [] }).run(pointer, {
      ...(input === undefined ? {} : { input: readJsonArgument("input", input) }),
      ...(context === undefined ? {} : { context: readObjectFile(context, CONTEXT) as RunContext }),
      ...(credentials === undefined ? {} : { connection: CONNECTION }),
      signal: cancel.signal,
      trace,
    });
    print(`${dryRun ? shown(requests) : printed(output)}\n`);
    return 0;
  } catch (error) {
    if (dryRun && requests.length > 0) {
      print(`${shown(requests)}\n`);
      note("configc: nothing was sent. What comes after this request depends on its answer.");
      return 0;
    }
    if (!(error instanceof RunError)) throw error;
    report(error, args.value("format") === "json", model);
    return 1;
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

function commandAt(model: Model, app: App, path: string, file: string): string {
  const found = findNode(model, path);
  if (!("node" in found)) {
    const known = found.candidates.length === 0 ? "" : ` There is ${either(found.candidates.slice(0, 12))}.`;
    throw new UsageError(`“${found.written}” isn't in ${file}.${known}`, "run", {
      name: found.written,
      candidates: found.candidates,
    });
  }
  const pointer = pointerTo(found.node);
  if (Object.hasOwn(app.commands, pointer)) return pointer;
  const below = Object.keys(app.commands).filter(
    (id) => id.startsWith(`${pointer}/`) && !/\/!\w+(\/|$)/.test(id.slice(pointer.length)),
  );
  const hint = below.length === 0 ? "" : ` The commands in it are ${below.slice(0, 8).join(", ")}.`;
  throw new UsageError(`“${path}” is no command.${hint}`, "run");
}

function withBaseUrl(app: App, url: string | undefined): App {
  if (url === undefined) return app;
  if (!URL.canParse(url)) throw new UsageError(`--base-url is a URL, not “${url}”.`, "run");
  return { ...app, api: { ...app.api, baseUrl: [url] } };
}

function effectsFor(
  credentialsFile: string | undefined,
  auth: string | undefined,
  allowPrivateNetwork: boolean,
  dryRun: boolean,
): Effects {
  const effects = nodeEffects({ allowPrivateNetwork });
  const given = credentialsFile === undefined ? {} : readObjectFile(credentialsFile, []);
  const own = auth === undefined ? undefined : given[auth];
  if (credentialsFile !== undefined && auth !== undefined && own === undefined) {
    throw new UsageError(
      `${credentialsFile} has no credentials of “${auth}”, the auth entry that is used here.`,
      "run",
      {
        name: auth,
        candidates: Object.keys(given),
      },
    );
  }
  return {
    ...effects,
    ...(own === undefined
      ? {}
      : { credentials: credentialsInMemory({ [CONNECTION]: own as unknown as Credential }) }),
    ...(dryRun
      ? {
          http: {
            request: async () => {
              throw new HttpFailure("refused-address", "This is a dry run: nothing is sent.");
            },
          },
        }
      : {}),
  };
}

/** Requests as a dry run shows them; secrets are masked. */
function shown(requests: readonly TraceEvent[]): string {
  return JSON.stringify({ requests: requests.map(({ data }) => data) }, undefined, 2);
}

/** Laid out; numbers keep all their digits. */
function printed(output: Json): string {
  const exact = printExact(output);
  return exact === JSON.stringify(output)
    ? JSON.stringify(output, undefined, 2)
    : applyEdits(exact, formatEdits(exact));
}

function report(error: RunError, asJson: boolean, model: Model): void {
  const { kind, message, pointer, span, status, cause } = error;
  const { document } = model;
  const range =
    span === undefined
      ? undefined
      : { start: document.position(span.start), end: document.position(span.end) };
  if (asJson) {
    const causeText = cause instanceof Error ? cause.message : undefined;
    print(
      `${JSON.stringify({ error: { kind, message, pointer, range, status, cause: causeText } }, undefined, 2)}\n`,
    );
    return;
  }
  note(`configc: ${kind}: ${message}`);
  if (range !== undefined && span !== undefined) {
    const { line, column } = range.start;
    const source = document.text.split("\n")[line - 1]?.trim() ?? "";
    note(`  at ${pointer}\n  ${line}:${column} | ${source.slice(0, widthOf(process.stderr) - 12)}`);
  }
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}.`, "run");
  }
}
