import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CredentialsFileError, credentialsFile } from "@configc/host";
import { describe, expect, test } from "vitest";

/** The credentials file (design.md, "CLI"; D29, D30). */
function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "configc-test-")), "credentials.json");
  writeFileSync(path, text, { mode: 0o644 });
  return path;
}

test("credentials by the name of their auth", async () => {
  const file = await credentialsFile(
    fileWith('{"shop": {"access_token": "a", "expires_at": "2030-01-01T00:00:00Z"}, "sms": {"token": "t"}}'),
  );
  expect(file.names()).toEqual(["shop", "sms"]);
  expect(await file.read("shop")).toEqual({ access_token: "a", expires_at: Date.UTC(2030, 0) });
  expect(await file.read("other")).toBeUndefined();
});

test("a renewed token is written back, for its owner only; two at once lose nothing", async () => {
  const path = fileWith('{"a": {"token": "1"}, "b": {"token": "2"}}');
  const file = await credentialsFile(path);
  await Promise.all([file.write("a", { token: "3" }), file.write("b", { token: "4" })]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ a: { token: "3" }, b: { token: "4" } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await (await credentialsFile(path)).read("a")).toEqual({ token: "3" });
});

test("a file that isn't there yet is empty", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "configc-test-")), "new.json");
  const file = await credentialsFile(path);
  expect(file.names()).toEqual([]);
  await file.write("a", { token: "1" });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ a: { token: "1" } });
});

describe("what is wrong is said without quoting it", () => {
  test.each([
    ['{"a": {"token": "canary-1234"', "isn't JSON"],
    ['["canary-1234"]', "the whole isn't as it must be"],
    ['{"a": {"tokn": "canary-1234"}}', "“a” isn't as it must be"],
    ['{"a": "canary-1234"}', "“a” isn't as it must be"],
  ])("%s", async (text, message) => {
    const error = await credentialsFile(fileWith(text)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CredentialsFileError);
    expect((error as Error).message).toContain(message);
    expect(String((error as Error).stack)).not.toContain("canary-1234");
  });
});
