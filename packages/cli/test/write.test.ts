import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { personal, writeAtomically } from "../src/files/write.ts";
import { start } from "./support/async-cli.ts";
import { folderWith } from "./support/cli.ts";

describe("a file is written", () => {
  test("in folders that are made for it", () => {
    const path = join(folderWith(), "a/b/c/file.txt");
    writeAtomically(path, "text");
    expect(readFileSync(path, "utf8")).toBe("text");
  });

  test("through a link to its folder", () => {
    const folder = folderWith();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    writeAtomically(join(folder, "link/new/file.txt"), "text");
    expect(readFileSync(join(folder, "real/new/file.txt"), "utf8")).toBe("text");
  });

  test.skipIf(process.platform === "win32")("with the mode that it had, whatever new files get", () => {
    const path = join(folderWith({ "file.txt": "" }), "file.txt");
    chmodSync(path, 0o664);
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    writeAtomically(path, "text");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["text", 0o664]);
  });

  test("not below a file, nor below a link that leads nowhere", () => {
    const folder = folderWith();
    writeFileSync(join(folder, "file"), "");
    symlinkSync(join(folder, "nowhere"), join(folder, "link"));
    for (const name of ["file/below/x.txt", "file/x.txt", "link/x.txt"])
      expect(() => writeAtomically(join(folder, name), "text")).toThrow(
        expect.objectContaining({ syscall: expect.any(String) }),
      );
  });

  test
    .runIf(existsSync("/proc/self"))
    .each(["/proc/configc/x.txt", "/proc/configc/deep/er/x.txt", "/sys/configc/x.txt"])(
    "not in a folder that the kernel refuses, and it says so at once: %s",
    (path) => {
      expect(() => writeAtomically(path, "text")).toThrow(expect.objectContaining({ syscall: "mkdir" }));
    },
  );
});

describe.skipIf(process.platform === "win32")("what holds customers' data", () => {
  test("is its owner's only, also where a file was readable, whatever the umask", () => {
    const folder = folderWith({ "old.json": "" });
    chmodSync(join(folder, "old.json"), 0o644);
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    for (const name of ["old.json", "new.json"]) {
      writeAtomically(join(folder, name), "text", personal);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  test.each(["file.txt", "nowhere.txt"])("isn't written through a link to %s", (aim) => {
    const folder = folderWith({ "file.txt": "before" });
    symlinkSync(join(folder, aim), join(folder, "link"));
    expect(() => writeAtomically(join(folder, "link"), "text", personal)).toThrow(/symbolic link/);
    expect(readFileSync(join(folder, "file.txt"), "utf8")).toBe("before");
    expect(existsSync(join(folder, "nowhere.txt"))).toBe(false);
  });

  test("init leaves what a link leads to", async () => {
    const cwd = folderWith({ "file.txt": "before" });
    symlinkSync(join(cwd, "file.txt"), join(cwd, "shop.app.json"));
    const { status, stderr } = await start(["init", "shop", "--force"], { cwd }).done;
    expect([status, stderr]).toEqual([2, expect.stringContaining("it is a symbolic link")]);
    expect(readFileSync(join(cwd, "file.txt"), "utf8")).toBe("before");
  });
});
