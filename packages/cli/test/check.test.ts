import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, configc, folderWith, startConfigc } from "./support/cli.ts";
import { clean, misspelled, twiceMisspelled, withSecret } from "./support/configs.ts";
import { configcHere, type Surroundings } from "./support/in-process.ts";

interface JsonReport {
  readonly version: number;
  readonly files: readonly {
    readonly path: string;
    readonly diagnostics: readonly { rule: string; severity: string }[];
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

async function report(args: readonly string[], options: Surroundings = {}): Promise<JsonReport> {
  return JSON.parse(
    (await configcHere(["check", "--format", "json", ...args], options)).stdout,
  ) as JsonReport;
}

async function checkedPaths(args: readonly string[], cwd: string): Promise<string[]> {
  return (await report(args, { cwd })).files.map(({ path }) => path);
}

describe("exit status", () => {
  const folder = folderWith({
    "clean.app.json": clean,
    "error.app.json": misspelled,
    "warning.app.json": withSecret,
    "empty.app.json": "",
    "latin1.app.json": new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d]),
    "deep.app.json": "[".repeat(20_000),
  });
  test.each([
    ["a clean file", ["clean.app.json"], 0],
    ["an error", ["error.app.json"], 1],
    ["a warning", ["warning.app.json"], 0],
    ["as many warnings as accepted", ["--max-warnings", "1", "warning.app.json"], 0],
    ["more warnings than accepted", ["--max-warnings", "0", "warning.app.json"], 1],
    [
      "infos and hints",
      ["--max-warnings", "0", "--rule", "security/plain-secret=info", "warning.app.json"],
      0,
    ],
    ["a rule raised to an error", ["--rule", "security/plain-secret=error", "warning.app.json"], 1],
    ["an empty file", ["empty.app.json"], 1],
    ["a file that isn't UTF-8", ["latin1.app.json"], 1],
    ["20,000 brackets", ["deep.app.json"], 1],
    ["a path that isn't there", ["missing.app.json"], 2],
    ["a path that isn't there beside an error", ["missing.app.json", "error.app.json"], 2],
    ["a glob that matches nothing", ["nothing-*.json"], 2],
  ])("%s: %s", async (_, args, status) => {
    expect((await configcHere(["check", ...args], { cwd: folder })).status).toBe(status);
  });

  test("the process ends with it", () => {
    expect(configc(["check", "warning.app.json"], { cwd: folder }).status).toBe(0);
    expect(configc(["check", "error.app.json"], { cwd: folder }).status).toBe(1);
    expect(configc(["check", "missing.app.json"], { cwd: folder }).status).toBe(2);
  });

  test("the other files are reported beside one that can't be opened", async () => {
    const { stdout, stderr } = await configcHere(
      ["check", "--format", "compact", "missing.app.json", "error.app.json"],
      { cwd: folder },
    );
    expect(stderr).toContain("missing.app.json: there is no such file or folder");
    expect(stdout).toContain("error.app.json:");
  });

  test.each([
    ["an unknown option", ["--fixx"], "There is no option --fixx. Did you mean --fix?"],
    [
      "an unknown format",
      ["--format", "jsn"],
      "--format is pretty, compact, json, sarif, github, gitlab or junit, not “jsn”. Did you mean json?",
    ],
    ["a value that is missing", ["--output"], "--output needs a value: --output FILE."],
    ["an option instead of a value", ["--output", "--fix"], "--output needs a value"],
    ["a value for a flag", ["--fix=yes"], "--fix takes no value."],
    ["a number that is none", ["--max-warnings", "few"], "--max-warnings is a number from 0, not “few”."],
    [
      "an unknown rule",
      ["--rule", "structure/unknown-membr=off"],
      "There is no rule “structure/unknown-membr”. Did you mean structure/unknown-member?",
    ],
    [
      "an unknown level",
      ["--rule", "structure/unknown-member=warn"],
      "The level of a rule is error, warning, info, hint or off, not “warn”.",
    ],
    ["a rule without a level", ["--rule", "structure/unknown-member"], "--rule is ID=LEVEL"],
    [
      "an output without a format",
      ["--format", "json", "--output", "a", "--output", "b"],
      "--output b has no --format before it",
    ],
    [
      "two documents on standard output",
      ["--format", "json", "--format", "sarif"],
      "json and sarif can't both go to standard output",
    ],
    ["a document among other text", ["--format", "pretty", "--format", "json"], "json and pretty can't both"],
    ["both ways to fix", ["--fix", "--fix-dry-run"], "give one of them"],
    ["a baseline to update without a name", ["--update-baseline"], "--update-baseline needs --baseline FILE"],
    ["standard input to watch", ["--watch", "-"], "Standard input can't be watched."],
    ["a name for standard input alone", ["--stdin-filename", "a"], "give - as PATH too"],
    [
      "a settings file that isn't there",
      ["--config", "missing.json"],
      "The settings file missing.json can't be opened: there is no such file or folder.",
    ],
  ])("wrong usage: %s", async (_, args, message) => {
    const { status, stdout, stderr } = await configcHere(["check", "clean.app.json", ...args], {
      cwd: folder,
    });
    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  test("a file that may not be read", async ({ skip }) => {
    const own = folderWith({ "a.app.json": clean });
    chmodSync(join(own, "a.app.json"), 0);
    // The administrator may read everything.
    if (process.getuid?.() === 0) skip();
    expect((await configcHere(["check"], { cwd: own })).status).toBe(2);
  });
});

describe("which files are checked", () => {
  const folder = folderWith({
    "b.app.json": clean,
    "a.app.jsonc": clean,
    "other.json": clean,
    "sub/c.app.json": clean,
    "sub/.hidden/d.app.json": clean,
    "node_modules/e.app.json": clean,
    "sub/node_modules/f.app.json": clean,
    ".gitignore": "ignored/\n*.secret.app.json\n",
    "ignored/g.app.json": clean,
    "h.secret.app.json": clean,
    "nested/.gitignore": "/i.app.json\n!k.secret.app.json\n",
    "nested/i.app.json": clean,
    "nested/j/i.app.json": clean,
    "nested/k.secret.app.json": clean,
    "[odd]name.app.json": clean,
  });
  const everything = [
    "[odd]name.app.json",
    "a.app.jsonc",
    "b.app.json",
    "nested/k.secret.app.json",
    "nested/j/i.app.json",
    "sub/c.app.json",
    "sub/.hidden/d.app.json",
  ];

  test.each<[string, string[], string[]]>([
    ["without a path, all below the folder but what git ignores", [], everything],
    ["a folder, with its name before", ["sub"], ["sub/c.app.json", "sub/.hidden/d.app.json"]],
    ["the current folder by its name", ["."], everything],
    ["a file of any name", ["other.json"], ["other.json"]],
    ["a file that git ignores", ["h.secret.app.json"], ["h.secret.app.json"]],
    ["a file in node_modules", ["node_modules/e.app.json"], ["node_modules/e.app.json"]],
    ["a folder that git ignores", ["ignored"], ["ignored/g.app.json"]],
    ["a glob", ["*/*.app.json"], ["nested/k.secret.app.json", "sub/c.app.json"]],
    ["a glob for other names", ["**/other.*"], ["other.json"]],
    [
      "a glob with alternatives",
      ["{sub,nested}/**/[c-i].app.json"],
      ["nested/j/i.app.json", "sub/c.app.json", "sub/.hidden/d.app.json"],
    ],
    ["a name that looks like a glob", ["[odd]name.app.json"], ["[odd]name.app.json"]],
    [
      "in the order of the operands, each once",
      ["sub", "b.app.json", "./sub/c.app.json"],
      ["sub/c.app.json", "sub/.hidden/d.app.json", "b.app.json"],
    ],
  ])("%s", async (_, args, expected) => {
    expect(await checkedPaths(args, folder)).toEqual(expected);
  });

  test("the rules of the repository hold in a folder of it, and a repository within it has its own", async () => {
    const repository = folderWith({
      ".git/info/exclude": "excluded.app.json\n",
      ".gitignore": "x.app.json\n",
      "in/x.app.json": clean,
      "in/y.app.json": clean,
      "in/excluded.app.json": clean,
      "in/own/.git/HEAD": "",
      "in/own/x.app.json": clean,
    });
    expect(await checkedPaths(["in"], repository)).toEqual(["in/y.app.json", "in/own/x.app.json"]);
    expect(await checkedPaths([], join(repository, "in"))).toEqual(["y.app.json", "own/x.app.json"]);
  });

  test("a link to a file is followed, a link to a folder isn't", async () => {
    const own = folderWith({ "real/a.app.json": clean });
    symlinkSync(join(own, "real/a.app.json"), join(own, "link.app.json"));
    symlinkSync(own, join(own, "real/loop.app.json"));
    expect(await checkedPaths([], own)).toEqual(["link.app.json", "real/a.app.json"]);
  });

  test("a link that leads nowhere can't be opened", async () => {
    const own = folderWith({ "a.app.json": clean });
    symlinkSync(join(own, "gone"), join(own, "b.app.json"));
    const { status, stderr } = await configcHere(["check"], { cwd: own });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "configc: b.app.json: there is no such file or folder\n",
    });
  });

  test("a folder without configs is no failure, and says so", async () => {
    const own = folderWith();
    mkdirSync(join(own, "sub"));
    const { status, stdout, stderr } = await configcHere(["check"], { cwd: own });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "Nothing was checked\n" });
    expect(stderr).toContain("no config found");
  });
});

describe("standard input", () => {
  test("is checked under the name that is given", async () => {
    const result = await report(["-", "--stdin-filename", "dir/shop.app.json"], { input: misspelled });
    expect(result.files[0]?.path).toBe("dir/shop.app.json");
    expect(result.summary["errors"]).toBe(1);
  });

  test("is called - without a name", async () => {
    expect((await report(["-"], { input: clean })).files).toEqual([{ path: "-", diagnostics: [] }]);
  });

  test("may have comments if its name says so", async () => {
    const input = `// ours\n${clean}`;
    expect((await report(["-", "--stdin-filename", "a.app.jsonc"], { input })).summary["errors"]).toBe(0);
    expect((await report(["-", "--stdin-filename", "a.app.json"], { input })).summary["errors"]).toBe(1);
  });

  test("has the settings of the folder that its name stands in", async () => {
    const folder = folderWith({
      "sub/configc.config.json": '{"rules": {"structure/unknown-member": "off"}}',
    });
    const options = { cwd: folder, input: misspelled };
    expect((await configcHere(["check", "-", "--stdin-filename", "sub/a.app.json"], options)).status).toBe(0);
    expect((await configcHere(["check", "-", "--stdin-filename", "a.app.json"], options)).status).toBe(1);
  });

  test("is fixed to standard output, and the report goes to stderr", () => {
    const { status, stdout, stderr } = configc(["check", "-", "--fix"], { input: misspelled });
    expect({ status, stdout }).toEqual({ status: 0, stdout: clean });
    expect(stderr).toContain("1 fixed");
  });
});

describe("outputs", () => {
  test("several formats go to several files in one run", async () => {
    const folder = folderWith({ "a.app.json": misspelled });
    const { status, stdout } = await configcHere(
      [
        "check",
        "--format",
        "json",
        "--output",
        "out/report.json",
        "--format",
        "compact",
        "--format=sarif",
        "--output=s.sarif",
      ],
      { cwd: folder },
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(/^a\.app\.json:\d+:\d+: error: .*\[structure\/unknown-member\]\n$/);
    const read = (path: string) => spawnSync("cat", [join(folder, path)], { encoding: "utf8" }).stdout;
    expect(JSON.parse(read("out/report.json")).summary.errors).toBe(1);
    expect(JSON.parse(read("s.sarif")).version).toBe("2.1.0");
  });

  test("a file that can't be written is status 2", async () => {
    const folder = folderWith({ "a.app.json": clean });
    const { status, stderr } = await configcHere(["check", "--format", "json", "--output", "a.app.json/x"], {
      cwd: folder,
    });
    expect(status).toBe(2);
    expect(stderr).toContain("a.app.json/x can't be written");
  });

  test("every checked file is listed in json, clean ones with an empty array", async () => {
    const folder = folderWith({ "a.app.json": clean, "b.app.json": twiceMisspelled });
    const { version, files, summary } = await report([], { cwd: folder });
    expect(version).toBe(1);
    expect(files.map(({ path, diagnostics }) => [path, diagnostics.length])).toEqual([
      ["a.app.json", 0],
      ["b.app.json", 2],
    ]);
    expect(summary).toEqual({ files: 2, errors: 2, warnings: 0, infos: 0, hints: 0 });
  });

  test("no colour without a terminal", () => {
    const folder = folderWith({ "a.app.json": misspelled });
    expect(configc(["check"], { cwd: folder, env: { FORCE_COLOR: "1" } }).stdout).not.toContain("\u001b");
  });

  test("colour on a terminal, and none there with NO_COLOR", ({ skip }) => {
    if (spawnSync("script", ["--version"]).status !== 0) skip();
    const folder = folderWith({ "a.app.json": misspelled });
    const onTerminal = (env: NodeJS.ProcessEnv) =>
      spawnSync("script", ["-qec", `"${process.execPath}" "${bin}" check`, "/dev/null"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, TERM: "xterm", NO_COLOR: "", ...env },
      }).stdout;
    expect(onTerminal({})).toContain("\u001b[31m");
    expect(onTerminal({ NO_COLOR: "1" })).not.toContain("\u001b[");
  });

  test("a reader that stops reading is no failure", async () => {
    const folder = folderWith(
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.app.json`, twiceMisspelled])),
    );
    const child = startConfigc(["check"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr?.on("data", (data) => {
      stderr += data;
    });
    child.stdout?.once("data", () => child.stdout?.destroy());
    const status = await new Promise((resolve) => child.on("exit", resolve));
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  });
});
