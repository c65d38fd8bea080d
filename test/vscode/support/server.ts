import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Programs } from "./install.ts";

const userSettings = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.commandCenter.enabled": false,
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
};

/** VS Code's server with the packed extension. */
export interface RunningServer {
  readonly url: string;
  /** Folder in which the packed extension is installed. */
  readonly extensions: string;
  stop(): void;
}

/**
 * Starts VS Code's server with a home and settings of its own.
 *
 * @param vsix the packed extension
 * @param options `trusts`: whether folders are trusted without asking; `allowsPrivate`: whether steps may be run against this machine
 * @throws Error if it can't be installed, or the server doesn't answer
 */
export async function startServer(
  programs: Programs,
  vsix: string,
  { trusts = true, allowsPrivate = true } = {},
): Promise<RunningServer> {
  const trust = {
    "security.workspace.trust.enabled": !trusts,
    "security.workspace.trust.startupPrompt": "never",
  };
  const home = mkdtempSync(join(tmpdir(), "configc-vscode-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const data = join(home, "data");
  mkdirSync(join(data, "User"), { recursive: true });
  writeFileSync(join(data, "User/settings.json"), JSON.stringify({ ...userSettings, ...trust }));
  mkdirSync(join(data, "Machine"), { recursive: true });
  // Neither a workspace nor a user's settings in a browser may change it.
  const machineSettings = { "configc.run.allowPrivateNetwork": allowsPrivate };
  writeFileSync(join(data, "Machine/settings.json"), JSON.stringify(allowsPrivate ? machineSettings : {}));
  const config = join(home, "config.yaml");
  writeFileSync(config, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
  const args = [programs.server, "--config", config, "--user-data-dir", data];
  const extensions = join(home, "extensions");
  args.push("--extensions-dir", extensions);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}',
  };
  const installed = spawnSync(programs.node, [...args, "--install-extension", vsix], {
    env,
    encoding: "utf8",
  });
  if (installed.status !== 0) throw new Error(`the extension can't be installed:\n${installed.stderr}`);
  const quiet = ["--disable-telemetry", "--disable-update-check"];
  if (trusts) quiet.push("--disable-workspace-trust");
  const server = spawn(programs.node, [...args, ...quiet, "--disable-getting-started-override"], {
    env,
    stdio: "ignore",
    // A group of its own, which ends as a whole.
    detached: true,
  });
  const stop = (): void => {
    end(server);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(`${url}/healthz`)) return { url, extensions, stop };
    await wait(100);
  }
  stop();
  throw new Error("VS Code's server doesn't answer");
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended itself.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
