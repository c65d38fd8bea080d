import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serve, start } from "./support/async-cli.ts";
import { configc, folderWith } from "./support/cli.ts";

/** `configc run` with `--record`, `--replay` and `--dry-run` (design.md, "CLI"; D29, D43). */
const people = JSON.stringify({
  $version: "2",
  auth: {
    acme: { type: "token", configuration: { header_key: "X-Key", verify_url: "https://api.example.com/me" } },
  },
  api: { base_url: "https://api.example.com" },
  workflows: [
    {
      name: "w",
      label: "W",
      type: "generic",
      auth: "acme",
      setup: {
        select: {
          label: "S",
          form_fields: [
            {
              id: "tag",
              label: "Tag",
              type: "dropdown",
              search_term: "q",
              options: {
                "!pipe": [{ "!http": { path: "/tags" } }, { "!jq": "[.tags[]? | {display: ., value: .}]" }],
              },
            },
          ],
        },
      },
      data_pipeline: {
        target: {
          "!pipe": [
            { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } },
            { "!http": { path: "/people/latest", params: { key: "k" } } },
            { "!jq": "{id, at: now}" },
          ],
        },
      },
    },
  ],
});
const target = "workflows.w.data_pipeline.target";
const TOKEN = "canary-token-4711";

function folder() {
  return folderWith({ "w.app.json": people, "me.json": JSON.stringify({ acme: { token: TOKEN } }) });
}

async function service() {
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers["x-key"]}`);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ id: 7, you: request.headers["x-key"], tags: ["a"] }));
  });
  return { origin, asked };
}

test("a recorded run is replayed to the same output and the same trace, without a network", async () => {
  const cwd = folder();
  const { origin, asked } = await service();
  const common = [target, "--input", '{"email": "ada@example.com"}', "--base-url", origin, "--trace"];
  const live = await start(
    [
      "run",
      "w.app.json",
      ...common,
      "--allow-private-network",
      "--credentials",
      "me.json",
      "--record",
      "r.json",
    ],
    { cwd },
  ).done;
  expect(live.status).toBe(0);
  expect(asked).toEqual([`POST /people ${TOKEN}`, `GET /people/latest?key=k ${TOKEN}`]);
  const text = readFileSync(join(cwd, "r.json"), "utf8");
  expect([text, live.stdout, live.stderr].join()).not.toContain(TOKEN);

  const again = configc(["run", "w.app.json", ...common, "--replay", "r.json"], { cwd });
  expect(again.stdout).toBe(live.stdout);
  expect(again.stderr).toBe(live.stderr.replace("configc: recorded in r.json.\n", ""));
  expect(asked).toHaveLength(2);
});

test("answers are kept as samples, masked and once, and types are learned from them", async () => {
  const cwd = folder();
  const { origin } = await service();
  const args = ["run", "w.app.json", target, "--input", '{"email": "ada@example.com"}', "--base-url", origin];
  const options = ["--allow-private-network", "--credentials", "me.json", "--samples"];
  const first = await start([...args, ...options], { cwd }).done;
  expect(first.stderr).toContain("configc: 2 new samples in w.samples.");
  const second = await start([...args, ...options], { cwd }).done;
  expect(second.stderr).toContain("configc: 0 new samples in w.samples.");
  const names = readdirSync(join(cwd, "w.samples"));
  expect(names).toEqual(["get-people-latest.json", "post-people.json"]);
  const texts = names.map((name) => readFileSync(join(cwd, "w.samples", name), "utf8"));
  expect(texts.join()).not.toMatch(/canary|ada/);
  expect(configc(["type", "w.app.json", `${target}.!pipe.1`], { cwd }).stdout).toContain(
    "output  {id: number, you: string, tags: string[], …}",
  );
});

test("a recording among the samples is masked as they are", async () => {
  const cwd = folder();
  const { origin } = await service();
  const args = ["run", "w.app.json", target, "--input", '{"email": "ada@example.com"}', "--base-url", origin];
  const options = [
    "--allow-private-network",
    "--credentials",
    "me.json",
    "--record",
    "w.samples/people.json",
  ];
  const { stderr } = await start([...args, ...options], { cwd }).done;
  expect(stderr).toContain("masked");
  expect(readFileSync(join(cwd, "w.samples/people.json"), "utf8")).not.toMatch(/canary|ada/);
  expect(configc(["type", "w.app.json", `${target}.!pipe.1`], { cwd }).stdout).toContain(
    "output  {id: number, you: string, tags: string[], …}",
  );
});

test("a run that failed is recorded too", async () => {
  const cwd = folder();
  const origin = await serve((_, response) => response.writeHead(422).end("no"));
  const args = [target, "--input", '{"email": "a"}', "--base-url", origin];
  const live = await start(["run", "w.app.json", ...args, "--allow-private-network", "--record", "r.json"], {
    cwd,
  }).done;
  expect(live.status).toBe(1);
  const again = configc(["run", "w.app.json", ...args, "--replay", "r.json", "--format", "json"], { cwd });
  expect(again.status).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({ error: { kind: "HttpError", status: 422 } });
});

test("a replay ignores what it has no use for, and says so at --trace", async () => {
  const cwd = folder();
  const { origin } = await service();
  const args = ["run", "w.app.json", target, "--input", '{"email": "ada@example.com"}', "--base-url", origin];
  const network = ["--allow-private-network", "--credentials", "me.json"];
  const kept = [
    ["--record", "r.json"],
    ["--save-run", "s.json"],
  ] as const;
  for (const [option, file] of kept) {
    const live = await start([...args, ...network, option, file], { cwd }).done;
    expect(live.status).toBe(0);
    const again = option === "--record" ? args : args.slice(0, 3);
    for (const credentials of ["me.json", "gone.json"]) {
      const unused = ["--replay", file, "--allow-private-network", "--credentials", credentials];
      const quiet = configc([...again, ...unused], { cwd });
      expect(quiet).toMatchObject({ status: 0, stdout: live.stdout });
      expect(quiet.stderr).not.toContain("ignored");
      const { status, stderr } = configc([...again, ...unused, "--trace"], { cwd });
      expect(status).toBe(0);
      expect(stderr).toContain("configc: --credentials is ignored: --replay sends nothing.");
      expect(stderr).toContain("configc: --allow-private-network is ignored: --replay sends nothing.");
    }
  }
});

describe("a run saved as a file", () => {
  const save = async (...more: string[]) => {
    const cwd = folder();
    const { origin } = await service();
    const given = ["--input", '{"email": "ada@example.com"}', "--base-url", origin, ...more];
    const network = ["--allow-private-network", "--credentials", "me.json"];
    const run = ["run", "w.app.json", target];
    const live = await start([...run, ...given, ...network, "--trace", "--save-run", "run.json"], { cwd })
      .done;
    const again = (...args: string[]) => configc([...run, "--replay", "run.json", ...args], { cwd });
    return { cwd, live, again, text: () => readFileSync(join(cwd, "run.json"), "utf8") };
  };

  test("is run again to the same trace, output and file; no secret is in it", async () => {
    const { cwd, live, again, text } = await save();
    expect(live.status).toBe(0);
    expect([text(), live.stdout, live.stderr].join()).not.toContain(TOKEN);
    const { status, stdout, stderr } = again("--trace", "--save-run", "again.json");
    expect([status, stdout]).toEqual([0, live.stdout]);
    const steps = live.stderr.replace("configc: the run was saved in run.json.\n", "");
    expect(steps.length).toBeGreaterThan(100);
    expect(stderr.startsWith(steps)).toBe(true);
    expect(stderr).toMatch(/the same run as the saved one: \d+ events\./);
    expect(readFileSync(join(cwd, "again.json"), "utf8")).toBe(text());

    writeFileSync(join(cwd, "w.app.json"), people.replace("/people/latest", "/people/newest"));
    const departed = again("--format", "json");
    expect(departed.status).toBe(1);
    expect(JSON.parse(departed.stdout)).toMatchObject({
      error: {
        kind: "Departure",
        pointer: "/workflows/0/data_pipeline/target/!pipe/1",
        message: expect.stringMatching(
          /the request GET .*\/people\/newest.* comes where the saved run has the request GET .*\/people\/latest.*The config isn't the one that was run then\./,
        ),
        range: expect.anything(),
      },
    });
    for (const [args, says] of [
      [["--input", "{}"], "run.json is a saved run: what --input says stands in it"],
      [["--record", "r.json"], "--record has nothing to do"],
    ] as const)
      expect(again(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    const other = configc(["run", "w.app.json", `${target}.!pipe.1`, "--replay", "run.json"], { cwd });
    expect(other).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("run.json is a run of /workflows/0"),
    });
  });
});

test("a dry run shows the requests that can be made, without secrets", () => {
  const { status, stdout, stderr } = configc(
    [
      "run",
      "w.app.json",
      target,
      "--input",
      '{"email": "a@example.com"}',
      "--dry-run",
      "--credentials",
      "me.json",
    ],
    { cwd: folder() },
  );
  expect(status).toBe(0);
  expect(stdout).not.toContain(TOKEN);
  expect(stderr).toContain("nothing was sent");
  expect(JSON.parse(stdout)).toMatchObject({
    requests: [
      {
        method: "POST",
        url: "https://api.example.com/people",
        headers: { "x-key": "[secret]" },
        body: { email: "a@example.com" },
      },
      { method: "GET", url: "https://api.example.com/people/latest?key=[secret]" },
    ],
  });
});

test("what is typed into a field goes into its first request", async () => {
  const { origin, asked } = await service();
  const { stdout } = await start(
    [
      "run",
      "w.app.json",
      "workflows.w.setup.select.form_fields.tag.options",
      "--search",
      "a b&c",
      "--base-url",
      origin,
      "--allow-private-network",
    ],
    { cwd: folder() },
  ).done;
  expect(asked).toEqual(["GET /tags?q=a%20b%26c undefined"]);
  expect(JSON.parse(stdout)).toEqual([{ display: "a", value: "a" }]);
});

describe("wrong usage", () => {
  test.each<[string[], string]>([
    [["--replay", "r.json", "--dry-run"], "--dry-run has nothing to do"],
    [["--replay", "r.json", "--login"], "--login has nothing to do"],
    [["--dry-run", "--record", "r.json"], "there is nothing for --record to keep"],
    [["--replay", "me.json"], "me.json is no recording or saved run of this version"],
    [["--credentials", "other.json"], "has no credentials of “acme”"],
    [["--credentials", "none.json"], "The credentials file none.json doesn't exist. --login logs in"],
  ])("%j", (args, message) => {
    const cwd = folder();
    writeFileSync(join(cwd, "other.json"), '{"acmee": {"token": "x"}}');
    const { status, stderr } = configc(["run", "w.app.json", target, ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
