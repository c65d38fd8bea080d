import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { share } from "../../../test/support/cases.ts";
import { serve, start } from "./support/async-cli.ts";
import { configc, folderWith } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";

/** `configc init --from`: from what describes an API to an app that runs against it. */

const contacts = [1, 2, 3, 4, 5].map((id) => ({
  id,
  email: `person-${id}@example.com`,
  name: `Person ${id}`,
}));

/** A service whose list goes on by a cursor. @returns its origin */
function service(): Promise<string> {
  return serve((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const isAllowed = request.headers["authorization"] === "Bearer token-of-a-test";
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const answers: Record<string, unknown> = {
      "/api/me": { id: 1, name: "Test" },
      "/api/contacts": {
        contacts: contacts.slice(from, from + 2),
        next_cursor: from + 2 < contacts.length ? `${from + 2}` : null,
      },
    };
    response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isAllowed ? answers[url.pathname] : { error: "who are you?" }));
  });
}

test("a recorded session becomes an app that reads the service it was recorded from", async () => {
  const origin = await service();
  const entries = [];
  for (const path of ["/api/me", "/api/contacts?cursor=0&updated_since=2026-01-01T00:00:00Z"]) {
    const headers = { authorization: "Bearer token-of-a-test" };
    const response = await fetch(origin + path, { headers });
    entries.push({
      request: {
        method: "GET",
        url: origin + path,
        headers: [{ name: "Authorization", value: headers.authorization }],
      },
      response: {
        status: response.status,
        content: { mimeType: "application/json", text: await response.text() },
      },
    });
  }
  const cwd = folderWith({
    "session.har": JSON.stringify({ log: { entries } }),
    "me.json": JSON.stringify({ test: { token: "token-of-a-test" } }),
    "context.json": JSON.stringify({
      polling_state: { place: null, since: "2000-01-01T00:00:00Z", next_since: null },
    }),
  });
  const made = configc(["init", "test", "--from", "session.har", "--yes"], { cwd });
  expect(made.status).toBe(0);
  expect(made.stdout).toBe("test.app.json\n");
  expect(made.stderr).toContain("`.next_cursor` is sent as `cursor`");
  const samples = join(cwd, "test.samples");
  expect(made.stderr).toContain("2 answers of the recording, masked, are in test.samples");
  expect(readFileSync(join(cwd, "test.app.json"), "utf8")).not.toContain("token-of-a-test");
  expect(configc(["check", samples, "test.app.json"], { cwd }).stdout).not.toMatch(/error|warning/);
  const args = [
    "run",
    "test.app.json",
    "data_intake.contacts",
    "--credentials",
    "me.json",
    "--context",
    "context.json",
  ];
  const { stdout, stderr, status } = await start([...args, "--allow-private-network"], { cwd }).done;
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect((JSON.parse(stdout) as { results: unknown[] }).results).toEqual(contacts);
});

test("Swagger 2 is read as the OpenAPI 3 that it stands for", () => {
  const contact = { type: "object", properties: { id: { type: "string" }, email: { type: "string" } } };
  const cwd = folderWith({
    "api.json": JSON.stringify({
      swagger: "2.0",
      info: { title: "Old", version: "1" },
      host: "api.old.example",
      basePath: "/v1",
      schemes: ["https"],
      securityDefinitions: { key: { type: "apiKey", in: "header", name: "X-Key" } },
      security: [{ key: [] }],
      paths: {
        "/contacts": {
          get: {
            produces: ["application/json"],
            responses: { 200: { description: "", schema: { type: "array", items: contact } } },
          },
        },
      },
    }),
  });
  expect(configc(["init", "--from", "api.json", "--yes"], { cwd })).toMatchObject({
    status: 0,
    stdout: "old.app.json\n",
  });
  const config = readFileSync(join(cwd, "old.app.json"), "utf8");
  expect(config).toContain('"base_url": "https://api.old.example/v1"');
  expect(config).toContain('"header_key": "X-Key"');
});

test.each([
  ["a file that isn't there", "nowhere.json", {}, "nowhere.json can't be used: "],
  ["another kind of file", "a.txt", { "a.txt": "hello" }, "It isn't a document in JSON or YAML."],
  [
    "traffic without an API",
    "a.har",
    { "a.har": '{"log": {"entries": []}}' },
    "No request to an API was found",
  ],
  [
    "nothing to poll or send",
    "a.json",
    { "a.json": '{"openapi": "3.0.0", "paths": {"/a": {"delete": {}}}}' },
    "has no list of records",
  ],
])("%s: what is wrong, and what would help", (_, name, files, message) => {
  const { status, stderr } = configc(["init", "shop", "--from", name, "--yes"], { cwd: folderWith(files) });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test("a config that is there stays", () => {
  const cwd = folderWith({
    "shop.app.json": "mine",
    "a.txt": 'curl https://api.shop.example/contacts --json \'{"email": "a@example.com"}\'',
  });
  const { status, stderr } = configc(["init", "shop", "--from", "a.txt", "--yes"], { cwd });
  expect([status, stderr]).toEqual([2, expect.stringContaining("shop.app.json exists already")]);
  expect(readFileSync(join(cwd, "shop.app.json"), "utf8")).toBe("mine");
});

const harbour = new URL("../../scaffold/test/described/webhooks-and-list.json", import.meta.url);

test("an OpenAPI document goes on describing the API: a slip in a program is told from the first minute", () => {
  const cwd = folderWith({ "api/lantern.json": readFileSync(harbour, "utf8") });
  const made = configc(["init", "--from", "api/lantern.json", "--yes"], { cwd });
  expect(made).toMatchObject({ status: 0, stdout: "lantern.app.json\n" });
  expect(made.stderr).toContain("configc.config.json names api/lantern.json: types come from there.");
  expect(made.stderr).toContain("Next: configc simulate lantern.app.json");
  const path = join(cwd, "lantern.app.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("name: .name", "name: .nmae"));
  const { stdout } = configc(["check"], { cwd });
  expect(stdout).toContain("warning: This reads `nmae` from `.data.person`");
  expect(stdout).toContain("Did you mean `name`?");
});

test("settings that are there stay, and what to add is told", () => {
  const settings = '{ "language": "extended" }\n';
  const cwd = folderWith({
    "configc.config.json": settings,
    "apps/lantern.json": readFileSync(harbour, "utf8"),
  });
  const made = configc(["init", "apps/lantern", "--from", "apps/lantern.json", "--yes"], { cwd });
  expect(made.stderr).toContain(
    'Types come from apps/lantern.json if configc.config.json names it: "samples": ["apps/lantern.json"].',
  );
  expect(readFileSync(join(cwd, "configc.config.json"), "utf8")).toBe(settings);
});

const described = new URL("../../scaffold/test/described/", import.meta.url);

/** Documents of services whose lists are asked for in their own ways. */
const lists = [
  ["a window of times, and an account that is chosen", "window-and-account.json"],
  ["dates at most a month apart, a status, and pages that are counted", "dates-at-most-a-month.json"],
  ["one day after the other", "day-by-day.json"],
  ["bounds of changes, in seconds", "since-and-until.json"],
  ["a text that only the customer knows", "typed-in.json"],
  ["a beginning, and an account in a header", "beginning-and-header.json"],
  ["a meeting of the connected user's", "registrants-of-meetings.json"],
  ["parents that the body names", "parents-in-the-body.json"],
] as const;

test.each(share(lists))("a list that has to be asked with %s passes check and simulate", async (_, file) => {
  const cwd = folderWith({ "app.json": readFileSync(new URL(file, described), "utf8") });
  expect((await configcHere(["init", "app", "--from", "app.json", "--yes"], { cwd })).status).toBe(0);
  expect((await configcHere(["check"], { cwd })).stdout).not.toContain("error");
  const simulated = await configcHere(["simulate", "app.app.json", "--seeds", "2", "--format", "json"], {
    cwd,
  });
  expect(simulated.status).toBe(0);
  const { parts } = JSON.parse(simulated.stdout) as { parts: { kind: string; arrived: number }[] };
  for (const { arrived } of parts.filter(({ kind }) => kind !== "setup")) expect(arrived).toBeGreaterThan(20);
});

test("where each request asks for too much, the message says which, and for what", () => {
  const { paths, ...document } = JSON.parse(
    readFileSync(new URL("asks-too-much.json", described), "utf8"),
  ) as { paths: Record<string, unknown> };
  const { "/crates": _, ...others } = paths;
  const cwd = folderWith({ "app.json": JSON.stringify({ ...document, paths: others }) });
  const { status, stderr } = configc(["init", "app", "--from", "app.json", "--yes"], { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain(
    "`GET /patrons` isn't taken: a customer would have to choose or fill in `branch`, `shelf`, `room`.",
  );
});
