import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, keyFile, StateError } from "@configc/host";
import { describe, expect, onTestFinished, test } from "vitest";
import { bundled } from "../../../../test/support/bundled.ts";

/** What holds customers' data is its owner's only, whatever the umask and whatever lies there (E27). */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-private-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function modesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

const key = new Uint8Array(32);

describe.skipIf(process.platform === "win32")("in a folder that is there", () => {
  test.each(["0", "22"])("with umask %s all files are their owner's only, while they are open", (umask) => {
    const folder = newFolder();
    const script = bundled("packages/host/test/store/private-child.ts");
    const told = execFileSync(process.execPath, [script, folder, umask], { encoding: "utf8" });
    const modes = JSON.parse(told) as Record<string, string>;
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining([
        "state.db",
        "state.db-wal",
        "state.db-shm",
        "state.db-pending",
        "state.db-owner",
        "platform.db",
        "limits.db",
        "key",
      ]),
    );
    expect(new Set(Object.values(modes))).toEqual(new Set(["600"]));
  });

  test("what an earlier version left readable is closed", async () => {
    const folder = newFolder();
    await (await createHost({ apps: {}, directory: folder, key })).close();
    writeFileSync(join(folder, "state.db-wal"), "");
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    const host = await createHost({ apps: {}, directory: folder, key });
    expect(new Set(Object.values(modesIn(folder)))).toEqual(new Set(["600"]));
    await host.close();
  });

  test.each([
    "state.db",
    "state.db-owner",
    "state.db-wal",
    "state.db-shm",
    "state.db-pending",
    "platform.db",
    "limits.db",
  ])("%s isn't written where a link leads", async (name) => {
    const [folder, elsewhere] = [newFolder(), newFolder()];
    const aim = join(elsewhere, "aim");
    symlinkSync(aim, join(folder, name));
    const opened = createHost({ apps: {}, directory: folder, key });
    await expect(opened).rejects.toThrow(StateError);
    await expect(opened).rejects.toThrow(/is a symbolic link/);
    expect(existsSync(aim)).toBe(false);
  });

  test("a key isn't made where a link leads", async () => {
    const [folder, elsewhere] = [newFolder(), newFolder()];
    symlinkSync(join(elsewhere, "aim"), join(folder, "key"));
    await expect(keyFile(join(folder, "key"))).rejects.toThrow();
    expect(existsSync(join(elsewhere, "aim"))).toBe(false);
  });
});
