import type { Json } from "@configc/jq";
import type { RunContext } from "@configc/runtime";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { readJsonArgument, readObjectFile } from "./read-input.ts";

/** The command line of `run`, understood. */
export interface RunVerbOptions {
  readonly input: Json | undefined;
  readonly context: RunContext | undefined;
  readonly search: string | undefined;
  readonly credentials: string | undefined;
  readonly login: boolean;
  readonly baseUrl: string | undefined;
  readonly trace: boolean;
  /** The same with values as long as they are. */
  readonly traceWhole: boolean;
  readonly record: string | undefined;
  /** Whether the answers are kept as samples. */
  readonly samples: boolean;
  readonly replay: string | undefined;
  /** Where the whole run is written to. */
  readonly saveRun: string | undefined;
  readonly dryRun: boolean;
  readonly allowPrivateNetwork: boolean;
  readonly json: boolean;
}

/** The members of a context file (`design.md`, "CLI"). */
const contextMembers = ["custom_data", "data", "polling_state", "webhook", "subdomain", "mapping", "contact"];

/** @throws UsageError for options that contradict each other, and for files that can't be read */
export function runOptions(args: Arguments): RunVerbOptions {
  const replay = args.value("replay");
  const given = (name: string): boolean => args.has(name);
  if (replay !== undefined)
    for (const name of ["record", "samples", "dry-run", "login"])
      if (given(name))
        throw new UsageError(
          `--replay answers from a recording, so --${name} has nothing to do: leave one out.`,
          "run",
        );
  for (const name of ["record", "samples", "save-run"])
    if (given("dry-run") && given(name))
      throw new UsageError(`--dry-run sends nothing, so there is nothing for --${name} to keep.`, "run");
  for (const name of ["record", "samples"])
    if (given("save-run") && given(name))
      throw new UsageError(
        `--save-run writes the whole run, all answers with it, so --${name} has nothing to add: leave one out.`,
        "run",
      );
  if (given("dry-run") && given("login"))
    throw new UsageError("--dry-run sends nothing, so there is no --login.", "run");
  const input = args.value("input");
  const context = args.value("context");
  return {
    input: input === undefined ? undefined : readJsonArgument("input", input),
    context: context === undefined ? undefined : (readObjectFile(context, contextMembers) as RunContext),
    search: args.value("search"),
    credentials: args.value("credentials"),
    login: given("login"),
    baseUrl: args.value("base-url"),
    trace: given("trace"),
    traceWhole: given("trace-whole"),
    record: args.value("record"),
    samples: given("samples"),
    replay,
    saveRun: args.value("save-run"),
    dryRun: given("dry-run"),
    allowPrivateNetwork: given("allow-private-network"),
    json: args.value("format") === "json",
  };
}
