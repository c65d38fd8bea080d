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
import { writeAtomically } from "../src/files/write.ts";
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
