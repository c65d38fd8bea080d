import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { install } from "./install.ts";
import { packed } from "./packed.ts";
import { startServer } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined: the machine can't run VS Code, and the tests are skipped. */
    vscode: { readonly url: string; readonly browser: string } | undefined;
  }
}

/** One server of VS Code for all tests; each opens a window of its own. */
export default async function setup(project: TestProject): Promise<() => void> {
  const vsix = packed();
  if (!existsSync(vsix)) throw new Error("The extension isn't packed: node scripts/package-extension.mjs");
  const programs = install();
  if ("lacking" in programs) {
    console.error(`Skipped: ${programs.lacking}.`);
    project.provide("vscode", undefined);
    return () => undefined;
  }
  const server = await startServer(programs, vsix);
  project.provide("vscode", { url: server.url, browser: programs.browser });
  return () => server.stop();
}
