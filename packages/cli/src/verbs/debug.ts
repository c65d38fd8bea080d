import { servePort, serveStreams } from "@configc/debug/adapter";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { type LaunchConfiguration, launcher, prepared } from "../debug/launcher.ts";
import { printRun } from "../debug/print.ts";
import { interruptible } from "../run/interrupt.ts";
import { readJsonArgument } from "../run/read-input.ts";
import { note } from "../terminal/output.ts";

/** Serves editors, or prints a run. */
export async function run(args: Arguments): Promise<number> {
  const modes = ["stdio", "port", "print"].filter((name) => args.has(name));
  if (modes.length !== 1)
    throw new UsageError("One of --stdio, --port and --print says what to do.", "debug");
  if (args.has("print")) return await print(args);
  if (args.has("stdio")) {
    if (process.stdin.isTTY)
      note("configc: the debug adapter waits for an editor on standard input; Ctrl-C ends it.");
    await serveStreams(launcher(), process.stdin, process.stdout);
    // An editor may leave it open.
    process.stdin.destroy();
    return 0;
  }
  const port = Number(args.value("port"));
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port is a number from 0 to 65535, not “${args.value("port")}”.`, "debug");
  const interrupt = interruptible();
  try {
    await servePort(
      launcher(),
      port,
      (listening) => note(`configc: the debug adapter listens on 127.0.0.1:${listening}.`),
      interrupt.signal,
    );
  } catch (error) {
    throw new UsageError(`The port ${port} can't be used: ${(error as Error).message}.`, "debug");
  } finally {
    interrupt.end();
  }
  return 0;
}

async function print(args: Arguments): Promise<number> {
  const [file, node] = args.operands;
  if (file === undefined) throw new UsageError("--print needs a FILE.", "debug");
  const value = (name: string): string | undefined => args.value(name);
  const at = value("at");
  if (at !== undefined && !/^[1-9]\d*$/.test(at))
    throw new UsageError(`--at is the number of a stop, not “${at}”.`, "debug");
  const input = value("input");
  const named: Record<string, unknown> = {
    replay: value("replay"),
    key: value("key"),
    context: value("context"),
    credentials: value("credentials"),
    baseUrl: value("base-url"),
    node,
    ...(value("case") === undefined ? { program: file } : { test: file, case: value("case") }),
    ...(input === undefined ? {} : { input: readJsonArgument("input", input) }),
    allowPrivateNetwork: args.has("allow-private-network"),
  };
  const configuration = Object.fromEntries(
    Object.entries(named).filter(([, each]) => each !== undefined),
  ) as LaunchConfiguration;
  let what: Awaited<ReturnType<typeof prepared>>;
  try {
    what = await prepared(configuration);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, "debug");
  }
  const interrupt = interruptible();
  try {
    return await printRun(
      what,
      { stages: args.has("stages"), ...(at === undefined ? {} : { at: Number(at) }) },
      interrupt.signal,
    );
  } finally {
    interrupt.end();
  }
}
