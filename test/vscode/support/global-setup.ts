import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { serveChromium } from "../../support/chromium.ts";
import { install } from "./install.ts";
import { packed } from "./packed.ts";
import { startServer } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined: the machine can't run VS Code, and the tests are skipped. */
    vscode:
      | {
          readonly url: string;
          /** Where to connect to the browser. */
          readonly browser: string;
        }
      | undefined;
  }
}

/** One server of VS Code and one browser for all tests; each opens a window of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void> | void> {
  const vsix = packed();
  if (!existsSync(vsix)) throw new Error("The extension isn't packed: node scripts/package-extension.mjs");
  const programs = install();
  if ("lacking" in programs) {
    console.error(`Skipped: ${programs.lacking}.`);
    project.provide("vscode", undefined);
    return () => undefined;
  }
  const [server, browser] = await Promise.all([startServer(programs, vsix), serveChromium(programs.browser)]);
  project.provide("vscode", { url: server.url, browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    server.stop();
  };
}
