import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { ensureBuilt } from "../build.ts";
import { bin, type Result } from "./cli.ts";

/** Starts the built command without blocking this process, which may be the server that it asks. */
export function start(
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): { readonly process: ChildProcess; readonly done: Promise<Result> } {
  ensureBuilt();
  return startNode([bin, ...args], options);
}

/** Starts Node with a script. */
export function startNode(
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): { readonly process: ChildProcess; readonly done: Promise<Result> } {
  const child = spawn(process.execPath, args, {
    ...options,
    env: { ...process.env, NO_COLOR: "1" },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
  const done = new Promise<Result>((resolve) =>
    child.on("close", (status) => resolve({ status, stdout, stderr })),
  );
  return { process: child, done };
}

/** A real server on loopback for one test. @returns its origin */
export async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
