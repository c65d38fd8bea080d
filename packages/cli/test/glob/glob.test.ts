import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { globOf } from "../../src/glob/glob.ts";
import { ignoreRules, verdictOf } from "../../src/glob/ignore-rules.ts";

describe("globs", () => {
  test.each([
    ["*.app.json", ["a.app.json", ".app.json"], ["a/b.app.json", "a.app.jsonc"]],
    ["**/*.app.json", ["a.app.json", "a/b/c.app.json"], ["a.app.json/b"]],
    ["apps/**", ["apps/a", "apps/a/b"], ["apps.json", "my/apps/a"]],
    ["a**b.json", ["ab.json", "axxb.json"], ["a/b.json"]],
    ["{shop,crm}/*.{app,test}.json", ["shop/a.app.json", "crm/b.test.json"], ["shop/a.json"]],
    ["v{1..3}.json", ["v1.json", "v3.json"], ["v4.json", "v1..3.json"]],
    ["v{08..10}.json", ["v08.json", "v10.json"], ["v8.json"]],
    ["[a-c]?[!0-9].json", ["bxy.json"], ["dxy.json", "bx1.json", "b/y.json"]],
    ["[[:digit:]]*", ["1a"], ["a1"]],
    ["!(draft*).json", ["final.json", "my-draft.json"], ["draft.json", "draft-2.json"]],
    ["@(a|b).json", ["a.json"], ["ab.json"]],
    ["+(ab|c).json", ["abc.json", "cc.json"], [".json", "a.json"]],
    ["\\*.json", ["*.json"], ["a.json"]],
    ["a{b.json", ["a{b.json"], ["ab.json"]],
    ["a (1).json", ["a (1).json"], ["a 1.json"]],
    ["Müller-?.json", ["Müller-😀.json"], ["Müller-.json"]],
    ["../*/a.json", ["../x/a.json"], ["../../a.json"]],
    ["**/a.json", ["x/a.json"], ["../a.json"]],
  ])("%s", (pattern, matched, others) => {
    const matches = globOf(pattern);
    expect(matched.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  const segment = fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => !/\.$/.test(text));
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
  const glob = fc
    .array(fc.oneof(fc.constant("**"), fc.stringMatching(/^(?:[ab.]|\*|\?|\[ab\]|\{a,b\}){1,4}$/)), {
      minLength: 1,
      maxLength: 4,
    })
    // `**` within a name is a `*` for both; a folder before `/**` belongs to it for the library alone.
    .filter((parts) => parts.at(-1) !== "**" && !parts.some((part) => part !== "**" && part.includes("**")))
    .map((parts) => parts.join("/"))
    .filter((pattern) => !/^\.{1,2}\//.test(pattern));

  test("mean what a well-known library takes them for", () => {
    fc.assert(
      fc.property(glob, path, (pattern, name) => {
        expect(globOf(pattern)(name)).toBe(picomatch.isMatch(name, pattern, { dot: true }));
      }),
      { numRuns: cases(3_000) },
    );
  });

  test.each([
    ["many stars", `**/${"*a".repeat(40)}b`, "a".repeat(4_000)],
    ["many folders", `${"**/a/".repeat(40)}b`, "a/".repeat(2_000)],
    ["repeats in repeats", "+(+(a|aa)|+(a))b", "a".repeat(2_000)],
    ["denials in denials", "!(!(a*)b)c", "a".repeat(1_000)],
    ["groups that aren't closed", "{a,".repeat(5_000), "a"],
    ["groups in groups", `${"{a,".repeat(5_000)}b${"}".repeat(5_000)}`, "a"],
    ["classes that aren't closed", "[a".repeat(20_000), "a"],
  ])("take no time that strangers decide: %s", (_, pattern, name) => {
    expect(globOf(pattern)(name)).toBe(false);
  });
});

describe(".gitignore", () => {
  // Git leaves out more by `a***/` than by `a*/`, which its documentation doesn't say.
  const words = fc.stringMatching(/^(?:[ab]|\*|\?|\[ab\]|\{|\()+$/).filter((text) => !text.includes("***"));
  const lines = fc.array(
    fc
      .array(fc.oneof(fc.constant("**"), words), {
        minLength: 1,
        maxLength: 3,
      })
      .chain((parts) =>
        fc
          .tuple(fc.constantFrom("", "!", "/"), fc.constantFrom("", "/", "  "))
          .map(([start, end]) => `${start}${parts.join("/")}${end}`),
      ),
    { minLength: 1, maxLength: 4 },
  );
  const folders = fc.array(fc.constantFrom("a", "b", "ab", "aab", "{a", "(b"), {
    minLength: 1,
    maxLength: 3,
  });

  test("leaves out what git does", () => {
    const root = mkdtempSync(join(tmpdir(), "configc-ignore-"));
    const git = (args: string[], input = ""): string => {
      try {
        return execFileSync("git", args, { cwd: root, input, encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    try {
      git(["init", "-q"]);
      mkdirSync(join(root, ".git", "info"), { recursive: true });
      for (const [file, paths] of fc.sample(
        fc.tuple(lines, fc.array(folders, { minLength: 5 })),
        cases(60),
      )) {
        const text = file.join("\n");
        writeFileSync(join(root, ".gitignore"), text);
        const names = [...new Set(paths.map((each) => each.join("/")))];
        const ignored = new Set(git(["check-ignore", "--no-index", "--stdin"], names.join("\n")).split("\n"));
        const rules = ignoreRules(text, false);
        for (const name of names)
          expect([text, name, verdictOf(rules, name, false) === "left out"]).toEqual([
            text,
            name,
            ignored.has(name),
          ]);
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  test.each([
    ["blanks and escapes", "a\\ \nb  \n\\#c\n\\!d\n# e\n", ["a ", "b", "#c", "!d"], ["a", "e", "c"]],
    ["line ends of Windows, and a mark before the first", "\uFEFFa\r\nb\r\n", ["a", "x/b"], ["a\r"]],
    ["folders alone", "build/\n", ["build/a"], ["build"]],
    ["what is taken back", "*.json\n!keep.json\n", ["a.json", "x/a.json"], ["keep.json"]],
    ["nothing in a folder that is left out", "/out\n!/out/keep\n", ["out/keep"], ["x/out"]],
  ])("%s", (_, text, out, others) => {
    const rules = ignoreRules(text, false);
    const isOut = (path: string): boolean => verdictOf(rules, path, false) === "left out";
    expect(out.filter((path) => !isOut(path))).toEqual([]);
    expect(others.filter(isOut)).toEqual([]);
  });

  test("capitals, where the file system doesn't tell them apart", () => {
    expect(verdictOf(ignoreRules("Build", true), "build", true)).toBe("left out");
    expect(verdictOf(ignoreRules("Build", false), "build", true)).toBeUndefined();
  });
});
