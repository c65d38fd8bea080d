import fs from "node:fs";
import { setTimeout } from "node:timers/promises";
import { root } from "./pages.ts";

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  /** Both streams, in the order in which they were written. */
  readonly all: string;
}

export type Main = (argv: readonly string[]) => Promise<number>;

let main: Main | undefined;

/** Runs the command, which must be built, in this process: starting Node for each of the many commands would take most of the time. */
export async function configc(argv: readonly string[], folder: string): Promise<Outcome> {
  if (main === undefined) {
    const loader = new URL("../../../packages/cli/bin/load.js", import.meta.url).href;
    main = ((await import(loader)) as { readonly load: () => { readonly main: Main } }).load().main;
  }
  return runIn(main, argv, folder);
}

/** Runs a command's main function in this process. */
export async function runIn(main: Main, argv: readonly string[], folder: string): Promise<Outcome> {
  let [stdout, all] = ["", ""];
  const { stdout: out, stderr: err } = process;
  const [writeOut, writeErr] = [out.write, err.write];
  const { writeSync } = fs;
  const colour = process.env["NO_COLOR"];
  for (const stream of [out, err]) stream.setMaxListeners(0);
  try {
    process.chdir(folder);
    process.env["NO_COLOR"] = "1";
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
      all += text;
    });
    const status = await Promise.race([main(argv), tooLong(argv)]);
    return { status, stdout, all };
  } finally {
    out.write = writeOut;
    fs.writeSync = writeSync;
    err.write = writeErr;
    process.chdir(root);
    if (colour === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = colour;
  }
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
