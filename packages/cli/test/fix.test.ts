import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Compilation, compile, fixText } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { isTried } from "../../../test/support/cases.ts";
import { folderWith } from "./support/cli.ts";
import { clean, misspelled, twiceMisspelled } from "./support/configs.ts";
import { configcHere } from "./support/in-process.ts";

const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");

describe("--fix", () => {
  test("repairs files, reports what is left, and does nothing the second time", async () => {
    const folder = folderWith({ "a.app.json": twiceMisspelled, "b.app.json": clean });
    const first = await configcHere(["check", "--fix"], { cwd: folder });
    expect(first).toMatchObject({ status: 0, stdout: "✓ Nothing to report in 2 files · 2 fixed\n" });
    expect(read(folder, "a.app.json")).toBe(clean);
    const { mtimeMs } = statSync(join(folder, "a.app.json"));
    expect((await configcHere(["check", "--fix"], { cwd: folder })).stdout).toBe(
      "✓ Nothing to report in 2 files\n",
    );
    expect(statSync(join(folder, "a.app.json")).mtimeMs).toBe(mtimeMs);
  });

  test("leaves unsafe fixes alone", async () => {
    const secret = clean.replace("<CLIENT_SECRET>", "s3cr3t-value-of-someone");
    const folder = folderWith({ "a.app.json": secret });
    expect((await configcHere(["check", "--fix", "--max-warnings", "0"], { cwd: folder })).status).toBe(1);
    expect(read(folder, "a.app.json")).toBe(secret);
  });

  test("keeps what the author formatted: line ends, byte order mark, tabs", async () => {
    const odd = (text: string) => `\ufeff${text.replaceAll("\n", "\r\n").replaceAll("  ", "\t")}`;
    const folder = folderWith({ "a.app.json": odd(misspelled) });
    await configcHere(["check", "--fix"], { cwd: folder });
    expect(read(folder, "a.app.json")).toBe(odd(clean));
  });

  test("writes no file that isn't UTF-8", async () => {
    const bytes = Buffer.from(misspelled.replace("Select a list", "S\u00e9lect"), "latin1");
    const folder = folderWith({ "a.app.json": bytes });
    expect((await configcHere(["check", "--fix"], { cwd: folder })).status).toBe(1);
    expect(readFileSync(join(folder, "a.app.json"))).toEqual(bytes);
  });

  test("keeps a file's mode, writes through a link, and leaves nothing behind", async () => {
    const folder = folderWith({ "real.json": misspelled });
    chmodSync(join(folder, "real.json"), 0o640);
    symlinkSync("real.json", join(folder, "a.app.json"));
    await configcHere(["check", "--fix"], { cwd: folder });
    expect(read(folder, "real.json")).toBe(clean);
    expect(statSync(join(folder, "real.json")).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(folder, "a.app.json")).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["a.app.json", "real.json"]);
  });
});

describe("--fix-dry-run", () => {
  test("prints a diff that git applies, and writes nothing", async () => {
    const folder = folderWith({ "sub/a.app.json": twiceMisspelled, "b.app.json": clean });
    const { status, stdout, stderr } = await configcHere(["check", "--fix-dry-run"], { cwd: folder });
    expect(status).toBe(0);
    expect(stderr).toContain("2 fixed");
    expect(read(folder, "sub/a.app.json")).toBe(twiceMisspelled);
    expect(stdout).toMatch(/^--- a\/sub\/a\.app\.json\n\+\+\+ b\/sub\/a\.app\.json\n@@ /);
    expect(spawnSync("git", ["apply"], { cwd: folder, input: stdout }).status).toBe(0);
    expect(read(folder, "sub/a.app.json")).toBe(clean);
  });

  test("prints nothing where there is nothing to fix", async () => {
    const folder = folderWith({ "a.app.json": clean });
    expect((await configcHere(["check", "--fix-dry-run"], { cwd: folder })).stdout).toBe("");
  });
});

describe("fixes of a text", () => {
  const fix = (text: string) => fixText("a.app.json", text, {});

  test("fixes that touch each other are made one after the other", () => {
    // The comma and the member before it are two findings at one place.
    const text = clean.replace('{ "method": "GET", "path": "/me" }', '{ "path": "/me", "methd": "GET", }');
    expect(JSON.parse(fix(text).text)).toEqual(JSON.parse(clean));
  });

  const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
  const documents = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.app\.jsonc?$/.test(name),
  );

  // Every example with its separators, quotes and names broken at many places.
  const harms: Readonly<Record<string, (text: string) => string>> = {
    "as it is": (text) => text,
    "without every tenth comma": everyTenth(/,(?=\s*\n)/g, () => ""),
    "with trailing commas": everyTenth(/(?=\n\s*[\]}])/g, () => ","),
    "with names misspelled": everyTenth(/"(\w)(\w)(\w+)":/g, (_, a, b, rest) => `"${b}${a}${rest}":`),
    "without every tenth quote": everyTenth(/"/g, () => ""),
    "cut in the middle": (text) => text.slice(0, text.length >> 1),
  };

  // Where a share is tried, each harm is done to one document in three, and the next one to others.
  describe.each(Object.keys(harms).map((harm, index) => [harm, index] as const))("%s", (harm, index) => {
    let repaired = 0;
    test.each(documents.filter((_, at) => isTried(at + index)))(
      "%s parses at least as well and has fewer findings",
      (name) => {
        const before = harms[harm]!(readFileSync(join(examples, name), "utf8"));
        const { text, fixed } = fixText(name, before, {});
        const [old, now] = [compile(before, { uri: name }), compile(text, { uri: name })];
        expect(now.model.document.problems.length).toBeLessThanOrEqual(old.model.document.problems.length);
        if (fixed === 0) expect(text).toBe(before);
        else expect(findings(now)).toBeLessThan(findings(old));
        repaired += fixed;
        expect(fixText(name, text, {})).toEqual({ text, fixed: 0 });
      },
    );

    test("something was repaired where something could be", () => {
      if (!["as it is", "cut in the middle"].includes(harm)) expect(repaired).toBeGreaterThan(0);
    });
  });
});

function everyTenth(pattern: RegExp, replace: (...match: string[]) => string): (text: string) => string {
  return (text) => {
    let count = 0;
    return text.replaceAll(pattern, (...match) => (count++ % 10 === 9 ? replace(...match) : match[0]));
  };
}

/** A repaired separator may make more of the document readable, so it is weighed by its own kind. */
function findings({ model, diagnostics }: Compilation): number {
  return model.document.problems.length * 1000 + diagnostics.length;
}
