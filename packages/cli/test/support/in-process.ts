import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { ensureBuilt } from "../build.ts";
import type { Result } from "./cli.ts";

export type Main = (argv: readonly string[]) => Promise<number>;

export interface Outcome extends Result {
  readonly status: number;
  /** Both streams, in the order in which they were written. */
  readonly all: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

let built: Main | undefined;

/**
 * Runs the built command in this process: a process of its own takes longer to start than most commands take. It is the command's own `main`,
 * with the streams, the folder and the environment that it is given here. What a process alone shows (signals, pipes, memory, how it starts) is
 * tested with `configc` of cli.ts.
 */
export async function configcHere(argv: readonly string[], surroundings: Surroundings = {}): Promise<Result> {
  const { status, stdout, stderr } = await runIn(await builtMain(), argv, {
    ...surroundings,
    env: { NO_COLOR: "", ...surroundings.env },
  });
  return { status, stdout, stderr };
}

/** The built command's main function. */
export async function builtMain(): Promise<Main> {
  ensureBuilt();
  if (built === undefined) {
    const loader = new URL("../../bin/load.js", import.meta.url).href;
    built = ((await import(loader)) as { readonly load: () => { readonly main: Main } }).load().main;
  }
  return built;
}

/** Runs a command's main function in this process. */
export async function runIn(
  main: Main,
  argv: readonly string[],
  { cwd, input = "", env = {} }: Surroundings = {},
): Promise<Outcome> {
  let [stdout, stderr, all] = ["", "", ""];
  const { stdout: out, stderr: err } = process;
  const [writeOut, writeErr] = [out.write, err.write];
  const { writeSync } = fs;
  const before = { folder: process.cwd(), env: { ...process.env } };
  const listeners = [out, err].map((stream) => stream.listeners("error"));
  const stdin = stdinWith(input);
  for (const stream of [out, err]) stream.setMaxListeners(0);
  try {
    if (cwd !== undefined) process.chdir(cwd);
    Object.assign(process.env, env);
    const print = (text: string): void => {
      stdout += text;
      all += text;
    };
    out.write = collector(print);
    // What waits for its reader is written without the stream.
    fs.writeSync = ((descriptor: number, bytes: Uint8Array, at?: number) => {
      if (descriptor !== out.fd) return writeSync(descriptor, bytes, at);
      print(Buffer.from(bytes.subarray(at)).toString());
      return bytes.length - (at ?? 0);
    }) as typeof fs.writeSync;
    err.write = collector((text) => {
      stderr += text;
      all += text;
    });
    const status = await Promise.race([main(argv), tooLong(argv)]);
    return { status, stdout, stderr, all };
  } finally {
    out.write = writeOut;
    fs.writeSync = writeSync;
    err.write = writeErr;
    stdin.restore();
    process.chdir(before.folder);
    restoreEnvironment(before.env);
    for (const [index, stream] of [out, err].entries())
      for (const listener of stream.listeners("error"))
        if (!listeners[index]!.includes(listener)) stream.off("error", listener as () => void);
  }
}

/** Standard input: it is read as a stream, or by its descriptor. */
function stdinWith(input: string | Uint8Array): { restore(): void } {
  const folder = fs.mkdtempSync(join(tmpdir(), "stdin-"));
  const file = join(folder, "stdin");
  fs.writeFileSync(file, input);
  const descriptor = fs.openSync(file, "r");
  const bytes = Buffer.from(input as string);
  const stream = Object.assign(Readable.from(bytes.length === 0 ? [] : [bytes]), { fd: descriptor });
  const own = Object.getOwnPropertyDescriptor(process, "stdin")!;
  Object.defineProperty(process, "stdin", { configurable: true, value: stream });
  return {
    restore() {
      Object.defineProperty(process, "stdin", own);
      stream.destroy();
      fs.closeSync(descriptor);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function restoreEnvironment(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
  Object.assign(process.env, before);
}

/** One that doesn't end must not keep the next from running. */
async function tooLong(argv: readonly string[]): Promise<never> {
  await setTimeout(60_000, undefined, { ref: false });
  throw new Error(`configc ${argv.join(" ")} doesn't end: if it never does, list it in skipped.ts`);
}

function collector(take: (text: string) => void): typeof process.stdout.write {
  return ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    take(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  }) as typeof process.stdout.write;
}
