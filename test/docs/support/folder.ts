import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { bin } from "../../../packages/cli/test/support/cli.ts";
import { configc, type Outcome } from "./command.ts";
import { root } from "./pages.ts";
import { configcArguments, type ShellLine } from "./shell.ts";

/** The folder in which a reader of one page works. It begins with what lies in test/docs/files/PAGE, and what `setup.sh` there makes. */
export class PageFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "configc-docs-")));
  private readonly background: { kill(): unknown }[] = [];

  constructor(page: string) {
    // Programs in the readmes of packages import them.
    if (page.startsWith("packages/"))
      symlinkSync(join(root, "node_modules"), join(this.path, "node_modules"), "junction");
    const files = join(root, "test/docs/files", basename(page, ".md"));
    if (!existsSync(files)) return;
    cpSync(files, this.path, { recursive: true });
    if (!existsSync(join(files, "setup.sh"))) return;
    const { status, all } = this.finished("sh", ["setup.sh"]);
    if (status !== 0) throw new Error(`${files}/setup.sh failed: ${all}`);
  }

  write(name: string, text: string, append = false): void {
    const path = this.resolve(name);
    mkdirSync(dirname(path), { recursive: true });
    (append ? appendFileSync : writeFileSync)(path, text);
  }

  /** Applies a `diff` block: each run of lines with `-` is replaced by the lines with `+` that follow. */
  edit(name: string, diff: string): void {
    let text = readFileSync(this.resolve(name), "utf8");
    for (const [, before = "", after = ""] of diff.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)*)/gm)) {
      const [old, replacement] = [before, after].map((lines) => lines.replace(/^[-+]/gm, ""));
      if (!text.includes(old!)) throw new Error(`${name} has no such lines:\n${old}`);
      text = text.replace(old!, () => replacement!);
    }
    this.write(name, text);
  }

  /** Runs a line as a reader would. @returns undefined if it's of a kind that pages have no use for so far */
  async run(line: ShellLine): Promise<Outcome | undefined> {
    if (line.isPipe) return this.inShell(line.text);
    const argv = configcArguments(line.words);
    if (argv !== undefined) return this.redirected(line, await configc(argv, this.path));
    if (line.words[0] !== "node") return undefined;
    return line.background ? this.start(line.words.slice(1)) : this.node(line.words.slice(1));
  }

  remove(): void {
    for (const child of this.background) child.kill();
    rmSync(this.path, { recursive: true, force: true });
  }

  private resolve(name: string): string {
    return join(this.path, name.replace(/^~\//, "home/"));
  }

  private redirected({ output }: ShellLine, outcome: Outcome): Outcome {
    if (output === undefined) return outcome;
    this.write(output.path, outcome.stdout, output.append);
    return { ...outcome, stdout: "", all: outcome.all.replace(outcome.stdout, "") };
  }

  private node(args: readonly string[]): Outcome {
    return this.finished(process.execPath, args);
  }

  private inShell(text: string): Outcome {
    const command = `configc() { "${process.execPath}" "${bin}" "$@"; }\n${text}`;
    return this.finished("sh", ["-c", command]);
  }

  private finished(command: string, args: readonly string[]): Outcome {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: this.path,
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, NO_COLOR: "1", REPOSITORY: root },
    });
    return { status: status ?? -1, stdout, all: stdout + stderr };
  }

  /** Starts a service and waits until it says something. */
  private async start(args: readonly string[]): Promise<Outcome> {
    const child = spawn(process.execPath, args, { cwd: this.path, stdio: ["ignore", "pipe", "inherit"] });
    this.background.push(child);
    await new Promise<void>((resolve, reject) => {
      child.stdout.once("data", () => resolve());
      child.once("exit", (status) => reject(new Error(`node ${args.join(" ")} ended with ${status}`)));
    });
    return { status: 0, stdout: "", all: "" };
  }
}
