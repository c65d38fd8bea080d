import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CacheFile } from "../src/cache/cache-file.ts";
import { cacheFolder } from "../src/cache/folder.ts";
import { folderWith } from "./support/cli.ts";

/** The file that keeps what checks have found. */

const DAY = 86_400_000;
const now = Date.now();
let folder: string;
beforeEach(() => {
  folder = join(folderWith(), "a", "b");
  vi.useFakeTimers({ now, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(join(folder, "../.."), { recursive: true });
});

const open = (subject = "/project", version = "1"): CacheFile => new CacheFile(folder, subject, version);
function write(values: Readonly<Record<string, unknown>>, file = open()): void {
  for (const [key, value] of Object.entries(values)) file.set(key, value);
  file.save();
}
const theFile = (): string => join(folder, readdirSync(folder)[0]!);

test("what was kept is known again, whatever it is", () => {
  const values = { a: "two\nlines \u2028 \ud800 “”", b: [1, null, { c: [] }], d: "", e: false };
  write(values);
  const again = open();
  for (const [key, value] of Object.entries(values)) expect(again.get(key)).toEqual(value);
  expect(again.get("f")).toBeUndefined();
  expect(again.get("__proto__")).toBeUndefined();
});

test("another project and another version know nothing of it", () => {
  write({ a: 1 });
  expect(open("/other").get("a")).toBeUndefined();
  expect(open("/project", "2").get("a")).toBeUndefined();
  write({ a: 2 }, open("/project", "2"));
  expect(open().get("a")).toBeUndefined();
});

test("nobody else can read it", () => {
  write({ a: 1 });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(theFile()).mode & 0o777).toBe(0o600);
});

describe("as good as none is", () => {
  const damages: Readonly<Record<string, (path: string) => void>> = {
    "one that was cut off": (path) => truncateSync(path, statSync(path).size - 3),
    "one that was cut off in its first line": (path) => truncateSync(path, 20),
    "an empty one": (path) => truncateSync(path, 0),
    "one with another letter": (path) =>
      writeFileSync(path, readFileSync(path, "utf8").replace("value", "valve")),
    "one with a line more": (path) => writeFileSync(path, `${readFileSync(path, "utf8")}\nb 20000 1`),
    "bytes that aren't text": (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 10, 0xff])),
    "one whose lines are something else": (path) => writeFileSync(path, "{}\n".repeat(100)),
    "a folder": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "a link that leads nowhere": (path) => {
      rmSync(path);
      symlinkSync("nowhere", path);
    },
    "one that may not be read": (path) => chmodSync(path, 0),
  };
  test.each(Object.entries(damages))("%s", (name, damage) => {
    write({ a: "value" });
    damage(theFile());
    const file = open();
    // Root may read everything.
    if (name !== "one that may not be read") expect(file.get("a")).toBeUndefined();
    expect(() => write({ a: "new" }, file)).not.toThrow();
    if (name !== "a folder") expect(open().get("a")).toBe("new");
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test("a folder that can't be made", () => {
    writeFileSync(join(folder, "../../a"), "");
    expect(() => write({ a: 1 })).not.toThrow();
    expect(open().get("a")).toBeUndefined();
  });
});

test("two that write at the same time keep what both have found", () => {
  const [one, other] = [open(), open()];
  write({ a: 1, both: 1 }, one);
  write({ b: 2, both: 2 }, other);
  const file = open();
  expect([file.get("a"), file.get("b"), file.get("both")]).toEqual([1, 2, 2]);
});

describe("what isn't used any more is dropped", () => {
  test("entries, after a month", () => {
    write({ old: 1, used: 2 });
    vi.setSystemTime(now + 20 * DAY);
    const later = open();
    expect(later.get("used")).toBe(2);
    later.save();
    expect(open().get("old")).toBe(1);
    vi.setSystemTime(now + 40 * DAY);
    write({ new: 3 });
    const file = open();
    expect([file.get("old"), file.get("used"), file.get("new")]).toEqual([undefined, 2, 3]);
  });

  test("those that were used longest ago, where there are too many", () => {
    write({ old: "x".repeat(9_000_000) });
    vi.setSystemTime(now + DAY);
    write({ new: "x".repeat(9_000_000) });
    const file = open();
    expect([file.get("old"), typeof file.get("new")]).toEqual([undefined, "string"]);
  });

  test("files of projects that nobody checks, and of processes that were killed", () => {
    write({ a: 1 }, open("/gone"));
    const [gone] = readdirSync(folder);
    writeFileSync(join(folder, `${gone}.0123456789ab.tmp`), "");
    writeFileSync(join(folder, "notes.txt"), "somebody's own");
    vi.setSystemTime(now + 31 * DAY);
    write({ a: 1 });
    const left = readdirSync(folder);
    expect(left).toContain("notes.txt");
    expect(left).not.toContain(gone);
    expect(left).not.toContain(`${gone}.0123456789ab.tmp`);
  });
});

test("nothing is written where nothing is new", () => {
  write({ a: 1 });
  const before = statSync(theFile()).ino;
  const file = open();
  file.get("a");
  file.get("b");
  file.save();
  expect(statSync(theFile()).ino).toBe(before);
});

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string | RegExp]>([
  ["said by the user", { CONFIGC_CACHE_DIR: "/mine", XDG_CACHE_HOME: "/xdg" }, "linux", "/mine"],
  [
    "with the system's other caches",
    { CONFIGC_CACHE_DIR: "", XDG_CACHE_HOME: "/xdg" },
    "linux",
    "/xdg/configc",
  ],
  ["on Windows", { LOCALAPPDATA: "/local", XDG_CACHE_HOME: "/xdg" }, "win32", "/local/configc"],
  ["below the home", { XDG_CACHE_HOME: "not/absolute" }, "linux", /^\/.*\/\.cache\/configc$/],
])("the folder is %s", (_, env, platform, expected) => {
  expect(cacheFolder(env, platform)).toMatch(expected);
});
