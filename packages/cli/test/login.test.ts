import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api } from "../../../test/api/api.ts";
import { peopleConfig } from "../../../test/api/config.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../../test/api/oauth.ts";
import { start } from "./support/async-cli.ts";
import { folderWith } from "./support/cli.ts";

/** `configc run --login` against an authorization server on loopback. */
let api: Api;
beforeAll(async () => {
  api = await Api.start();
});
afterAll(() => api.close());

const placeholders = (config: object) =>
  JSON.stringify(config).replace(CLIENT_ID, "<CLIENT_ID>").replace(CLIENT_SECRET, "<CLIENT_SECRET>");

test("logs in by a browser, runs with the token, keeps it readable by its owner, and records no secret", async () => {
  const cwd = folderWith({
    "people.app.json": placeholders(peopleConfig(api.origin)),
    "me.json": JSON.stringify({ people: { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } }),
  });
  const args = ["run", "people.app.json", "/workflows/0/setup/connect/describe_connection"];
  const options = ["--credentials", "me.json", "--allow-private-network"];
  const child = start([...args, ...options, "--login", "--record", "run.json"], { cwd });
  // The person opens the address that is printed.
  child.process.stderr?.on("data", (chunk: Buffer) => {
    const address = /^http\S+$/m.exec(chunk.toString())?.[0];
    if (address !== undefined) void fetch(address);
  });
  const { status, stdout, stderr } = await child.done;
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ account_id: expect.anything() }),
  ]);
  expect(stderr).toContain("logged in as a user of “people”");
  const kept = JSON.parse(readFileSync(join(cwd, "me.json"), "utf8")) as { people: Record<string, string> };
  expect(kept.people).toMatchObject({
    client_id: CLIENT_ID,
    refresh_token: expect.stringContaining("canary"),
  });
  expect(readFileSync(join(cwd, "run.json"), "utf8")).not.toContain("canary");
  expect(`${stdout}${stderr}`).not.toContain("canary");
  // From now on it goes without.
  expect((await start([...args, ...options], { cwd }).done).status).toBe(0);
});

test("without a client the login says what it needs", async () => {
  const cwd = folderWith({ "people.app.json": placeholders(peopleConfig(api.origin)) });
  const { status, stderr } = await start(
    ["run", "people.app.json", "/workflows/0/setup/connect/describe_connection", "--login"],
    { cwd },
  ).done;
  expect([status, stderr]).toEqual([1, expect.stringContaining("only a placeholder as `client_id`")]);
});
