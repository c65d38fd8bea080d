import type { ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { folderWith, startConfigc, templatePath } from "./support/cli.ts";
import { clean, misspelled, twiceMisspelled } from "./support/configs.ts";

let running: Watching | undefined;

/** A `check --watch` that is running, and what it has printed. */
class Watching {
  readonly child: ChildProcess;
  stdout = "";
  stderr = "";
  private read = 0;

  constructor(cwd: string, args: readonly string[] = []) {
    this.child = startConfigc(["check", "--watch", "--format", "compact", ...args], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (data) => {
      this.stdout += data;
    });
    this.child.stderr?.on("data", (data) => {
      this.stderr += data;
    });
    running = this;
  }

  /** What was printed since the last round, when the next one is finished. */
  async round(): Promise<string[]> {
    const rounds = () => this.stderr.split(/Watching for changes|The settings are wrong/).length - 1;
    const before = this.rounds;
    await expect.poll(rounds, { timeout: 25_000, interval: 20 }).toBeGreaterThan(before);
    this.rounds = rounds();
    const printed = this.stdout.slice(this.read);
    this.read = this.stdout.length;
    return printed
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replace(/:.*/, ""));
  }
  private rounds = 0;

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

test("checks again what changes, appears and disappears; Ctrl-C ends it", async () => {
  const folder = folderWith({ "a.app.json": misspelled, "b.app.json": clean });
  const path = (name: string) => join(folder, name);
  const watching = new Watching(folder);
  expect(await watching.round()).toEqual(["a.app.json"]);
  writeFileSync(path("b.app.json"), misspelled);
  expect(await watching.round()).toEqual(["a.app.json", "b.app.json"]);
  // As editors do: a new file in the place of the old one.
  writeFileSync(path("a.tmp"), clean);
  renameSync(path("a.tmp"), path("a.app.json"));
  expect(await watching.round()).toEqual(["b.app.json"]);
  mkdirSync(path("sub"));
  writeFileSync(path("sub/c.app.json"), twiceMisspelled);
  expect(await watching.round()).toEqual(["b.app.json", "sub/c.app.json", "sub/c.app.json"]);
  rmSync(path("b.app.json"));
  expect(await watching.round()).toEqual(["sub/c.app.json", "sub/c.app.json"]);
  expect(await watching.end("SIGINT")).toEqual({ status: 0, signal: null });
  expect(watching.stdout).not.toContain("\u001b");
});

test("settings count as changes, wrong ones are told and waited for", async () => {
  const folder = folderWith({ "sub/a.app.json": misspelled });
  const settings = (text: string) => writeFileSync(join(folder, "configc.config.json"), text);
  const watching = new Watching(folder, ["sub/a.app.json"]);
  expect(await watching.round()).toEqual(["sub/a.app.json"]);
  settings('{"rules": {"structure/unknown-member": "off"}}');
  expect(await watching.round()).toEqual([]);
  settings('{"rules": 1}');
  await watching.round();
  expect(watching.stderr).toContain("configc.config.json:1:2: /rules: This must be an object, not 1.");
  settings("{}");
  expect(await watching.round()).toEqual(["sub/a.app.json"]);
});

test("a file that isn't there yet is waited for", async () => {
  const folder = folderWith();
  const watching = new Watching(folder, ["a.app.json"]);
  expect(await watching.round()).toEqual([]);
  expect(watching.stderr).toContain("a.app.json: there is no such file or folder");
  writeFileSync(join(folder, "a.app.json"), misspelled);
  expect(await watching.round()).toEqual(["a.app.json"]);
});

test("fixes as files change, and isn't woken by what it writes", async () => {
  const folder = folderWith({ "a.app.json": clean });
  const watching = new Watching(folder, ["--fix"]);
  await watching.round();
  writeFileSync(join(folder, "a.app.json"), misspelled);
  await watching.round();
  writeFileSync(join(folder, "b.app.json"), misspelled);
  await watching.round();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(watching.stderr.match(/Watching for changes/g)).toHaveLength(3);
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
  expect(await watching.round()).toEqual([]);
  write("recorded/forms.json", forms({ id: 1, title: "x" }));
  expect(await watching.round()).toEqual(["apps/acme.app.json"]);
  write("recorded/forms.json", forms({ id: 1, titel: "x" }));
  expect(await watching.round()).toEqual([]);
  const schema = { type: "object", properties: { items: { type: "array", items: { type: "integer" } } } };
  const responses = { 200: { description: "", content: { "application/json": { schema } } } };
  write("api/openapi.json", { openapi: "3.0.0", info: {}, paths: { "/forms": { get: { responses } } } });
  expect((await watching.round()).length).toBeGreaterThan(0);
});

test("only what changed is checked again", async () => {
  const folder = folderWith({ "a.app.json": misspelled, "b.app.json": clean, "c.app.json": clean });
  const watching = new Watching(folder);
  await watching.round();
  writeFileSync(join(folder, "unrelated.txt"), "x");
  writeFileSync(join(folder, "b.app.json"), misspelled);
  expect(await watching.round()).toEqual(["a.app.json", "b.app.json"]);
  expect(watching.stderr.match(/^\d+ files? checked/gm)).toEqual(["3 files checked", "1 file checked"]);
});
