import { describe, expect, test } from "vitest";
import { configc, templatePath } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";

/** `configc type`: what commands take and give, named as people name them. */
test("a command by a path of names", () => {
  const { status, stdout } = configc([
    "type",
    templatePath("inbound-webhook"),
    "workflows.acme-import-submissions.setup.connect.describe_connection",
  ]);
  expect(status).toBe(0);
  expect(stdout).toContain("/workflows/0/setup/connect/describe_connection !pipe\n");
  expect(stdout).toContain("output  {account_id: unknown, description: unknown}");
});

test("the commands below a node, as data", async () => {
  const { status, stdout } = await configcHere([
    "type",
    templatePath("inbound-polling"),
    "data_intake.customers",
    "--format",
    "json",
  ]);
  expect(status).toBe(0);
  const { version, commands } = JSON.parse(stdout) as {
    version: number;
    commands: { pointer: string; output: string }[];
  };
  expect(version).toBe(1);
  expect(commands.map(({ pointer }) => pointer)).toEqual([
    "/data_intake/0/initial_setup",
    "/data_intake/0/pre_poll",
    "/data_intake/0/request",
  ]);
  expect(commands[2]!.output).toMatch(/^\{results: unknown, iterate: boolean, polling_state: \{cursor: /);
});

describe("what isn't there", () => {
  test.each([
    ["workflow.a", "Did you mean workflows?"],
    ["workflows.nope", "“nope” isn't in"],
    ['workflows."a', "a name isn't closed"],
    ["$version", "there is no command at “$version”"],
  ])("%s", async (path, message) => {
    const { status, stderr, stdout } = await configcHere(["type", templatePath("outbound"), path]);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
  });

  test("a file", async () => {
    const { status, stderr } = await configcHere(["type", "nowhere.app.json", ""]);
    expect(status).toBe(2);
    expect(stderr).toContain("nowhere.app.json: there is no such file or folder.");
  });
});
