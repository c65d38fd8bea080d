import type { ChildProcess } from "node:child_process";
import { mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { folderWith, startConfigc, templatePath } from "./support/cli.ts";
import { clean, misspelled, twiceMisspelled } from "./support/configs.ts";

let running: Watching | undefined;

/** A `check --watch` that is running, and what it has printed. */
class Watching {
  readonly child: ChildProcess;
  /** One file for both streams: so their order is known. */
  private readonly log = join(folderWith(), "log");
  private read = 0;

  constructor(cwd: string, args: readonly string[] = []) {
    const log = openSync(this.log, "a");
    this.child = startConfigc(["check", "--watch", "--format", "compact", ...args], {
      cwd,
      stdio: ["ignore", log, log],
    });
    running = this;
  }

  get said(): string {
    return readFileSync(this.log, "utf8");
  }

  /** The files of the findings that each finished round has printed. */
  private get rounds(): readonly (readonly string[])[] {
    const parts = this.said.split(/^.*(?:Watching for changes|The settings are wrong).*$/m);
    return parts.slice(0, -1).map((part) => part.match(/^.+\.app\.json(?=:\d+:\d+: )/gm) ?? []);
  }

  /** Waits for a round that prints findings in these files. A change that is seen when it is half done makes one more before. */
  async prints(files: readonly string[]): Promise<void> {
    await expect.poll(() => this.rounds.slice(this.read).at(-1), { interval: 20 }).toEqual(files);
    this.read = this.rounds.length;
  }

  async end(signal: NodeJS.Signals): Promise<{ status: number | null; signal: NodeJS.Signals | null }> {
    const ended = new Promise<{ status: number | null; signal: NodeJS.Signals | null }>((resolve) =>
      this.child.once("exit", (status, by) => resolve({ status, signal: by })),
    );
    this.child.kill(signal);
    return ended;
  }
}

afterEach(() => {
  running?.child.kill("SIGKILL");
});

/** Writes a file so that nobody ever sees half of it. */
function put(path: string, text: string): void {
  const whole = join(folderWith({ file: text }), "file");
  renameSync(whole, path);
}

test("checks again what changes, appears and disappears; Ctrl-C ends it", async () => {
  const folder = folderWith({ "a.app.json": misspelled, "b.app.json": clean });
  const path = (name: string) => join(folder, name);
  const watching = new Watching(folder);
  await watching.prints(["a.app.json"]);
  writeFileSync(path("b.app.json"), misspelled);
  await watching.prints(["a.app.json", "b.app.json"]);
  // As editors do: a new file in the place of the old one.
  writeFileSync(path("a.tmp"), clean);
  renameSync(path("a.tmp"), path("a.app.json"));
  await watching.prints(["b.app.json"]);
  mkdirSync(path("sub"));
  writeFileSync(path("sub/c.app.json"), twiceMisspelled);
  await watching.prints(["b.app.json", "sub/c.app.json", "sub/c.app.json"]);
  rmSync(path("b.app.json"));
  await watching.prints(["sub/c.app.json", "sub/c.app.json"]);
  expect(await watching.end("SIGINT")).toEqual({ status: 0, signal: null });
  expect(watching.said).not.toContain("\u001b");
});

test("settings count as changes, wrong ones are told and waited for", async () => {
  const folder = folderWith({ "sub/a.app.json": misspelled });
  const settings = (text: string) => writeFileSync(join(folder, "configc.config.json"), text);
  const watching = new Watching(folder, ["sub/a.app.json"]);
  await watching.prints(["sub/a.app.json"]);
  settings('{"rules": {"structure/unknown-member": "off"}}');
  await watching.prints([]);
  settings('{"rules": 1}');
  await expect
    .poll(() => watching.said)
    .toContain("configc.config.json:1:2: /rules: This must be an object, not 1.");
  settings("{}");
  await watching.prints(["sub/a.app.json"]);
});

test("a file that isn't there yet is waited for", async () => {
  const folder = folderWith();
  const watching = new Watching(folder, ["a.app.json"]);
  await watching.prints([]);
  expect(watching.said).toContain("a.app.json: there is no such file or folder");
  writeFileSync(join(folder, "a.app.json"), misspelled);
  await watching.prints(["a.app.json"]);
});

test("fixes as files change, and isn't woken by what it writes", async () => {
  const folder = folderWith({ "a.app.json": clean });
  const watching = new Watching(folder, ["--fix"]);
  await watching.prints([]);
  put(join(folder, "a.app.json"), misspelled);
  await watching.prints([]);
  put(join(folder, "b.app.json"), misspelled);
  await watching.prints([]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(watching.said.match(/Watching for changes/g)).toHaveLength(3);
});

test("samples and API documents count as changes, wherever the settings say that they are", async () => {
  const template = readFileSync(templatePath("inbound-webhook"), "utf8");
  const folder = folderWith({
    "apps/acme.app.json": template.replace("display: .title", "display: .titel"),
    "apps/configc.config.json": '{"samples": ["../recorded/*.json", "../api/openapi.json"]}',
  });
  const write = (path: string, content: object): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  };
  const forms = (item: object) => ({ request: { path: "/forms" }, response: { body: { items: [item] } } });
  write("recorded/other.json", { request: { path: "/other" }, response: {} });
  write("api/openapi.json", { openapi: "3.0.0", info: {}, paths: {} });
  const watching = new Watching(folder, ["apps", "--max-warnings", "9"]);
  await watching.prints([]);
  write("recorded/forms.json", forms({ id: 1, title: "x" }));
  await watching.prints(["apps/acme.app.json"]);
  write("recorded/forms.json", forms({ id: 1, titel: "x" }));
  await watching.prints([]);
  const schema = { type: "object", properties: { items: { type: "array", items: { type: "integer" } } } };
  const responses = { 200: { description: "", content: { "application/json": { schema } } } };
  write("api/openapi.json", { openapi: "3.0.0", info: {}, paths: { "/forms": { get: { responses } } } });
  const lastRound = () => watching.said.split("Watching for changes").at(-2);
  await expect.poll(lastRound).toContain("apps/acme.app.json:");
});

test("only what changed is checked again", async () => {
  const folder = folderWith({ "a.app.json": misspelled, "b.app.json": clean, "c.app.json": clean });
  const watching = new Watching(folder);
  await watching.prints(["a.app.json"]);
  writeFileSync(join(folder, "unrelated.txt"), "x");
  put(join(folder, "b.app.json"), misspelled);
  await watching.prints(["a.app.json", "b.app.json"]);
  expect(watching.said.match(/^\d+ files? checked/gm)).toEqual(["3 files checked", "1 file checked"]);
});
