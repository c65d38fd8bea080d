import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as rawRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, compile, sourceOf } from "@configc/compiler";
import { type DevOptions, type DevServer, startDev } from "@configc/host/internal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Api } from "../../../../test/api/api.ts";
import { peopleConfig } from "../../../../test/api/config.ts";

/** `configc dev`: the pages, clicked through as a browser without scripts would. */
let api: Api;
let server: DevServer;
let directory: string;

function appWith(change = (text: string) => text): App {
  const { app, model } = compile(change(JSON.stringify(peopleConfig(api.origin), undefined, 2)));
  return { ...app, source: sourceOf(model, "people.app.json") };
}

async function start(more: Partial<DevOptions> = {}, change = (text: string) => text): Promise<void> {
  server = await startDev({
    app: appWith(change),
    name: "people",
    file: "people.app.json",
    directory,
    key: new Uint8Array(32).fill(7),
    port: 0,
    allowPrivateNetwork: true,
    ...more,
  });
}

beforeEach(async () => {
  api = await Api.start({ people: 3 });
  directory = mkdtempSync(join(tmpdir(), "configc-dev-"));
});
afterEach(async () => {
  await server.close();
  await api.close();
  rmSync(directory, { recursive: true });
});

interface Page {
  readonly status: number;
  readonly text: string;
  readonly url: string;
}

async function get(path: string): Promise<Page> {
  const response = await fetch(new URL(path, server.url));
  return { status: response.status, text: await response.text(), url: response.url };
}

async function post(path: string, form: Record<string, string> = {}): Promise<Page> {
  const url = new URL(path, server.url);
  const response = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { origin: url.origin },
  });
  return { status: response.status, text: await response.text(), url: response.url };
}

/** Goes through a setup up to its end. @returns the path of the installation */
async function setUp(workflow: string): Promise<string> {
  const made = await post(`/workflows/${workflow}/set-up`);
  const path = new URL(made.url).pathname;
  const login = await post(`${path}/connect`, { how: "login" });
  const address = /href="(http[^"]+authorize[^"]+)"/.exec(login.text)?.[1]?.replace(/&#38;/g, "&") ?? "";
  const back = await get(address);
  expect([back.status, new URL(back.url).pathname]).toEqual([200, path]);
  if (workflow === "send-people") await post(`${path}/select`, { shown: "note" });
  else if (back.text.includes('name="shown"')) {
    const value = /<option value="([^"]+)"/.exec(back.text.replace('<option value="">', ""))?.[1] ?? "";
    const shown = /name="shown" value="([^"]+)"/.exec(back.text)?.[1] ?? "";
    await post(`${path}/select`, { shown, [`value.${shown}`]: value });
  }
  const source = workflow === "send-people" ? "first_name" : "name";
  const refused = await post(`${path}/map`, {
    '["name"]': `s["${source}"]`,
    '["first_name"]': `s["${source}"]`,
  });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("“Email” is required")]);
  // What was chosen is still there.
  expect(refused.text).toContain(`<option value="s[&#34;${source}&#34;]" selected>`);
  await post(`${path}/map`, { '["email"]': 's["email"]' });
  const next = await get(path);
  if (next.text.includes('name="option"')) await post(`${path}/schedule`, { option: "recurring" });
  const installation = path.replace(/\/setup$/, "");
  const active = await post(`${installation}/activate`);
  expect(active.text).toContain(">active<");
  return installation;
}

describe("E206: the API of operators on this machine", () => {
  test("what fails, failed items and queues are told, and acts are done", async () => {
    await start();
    const installation = (await setUp("import-people")).split("/").at(-1) ?? "";
    server.update(appWith((text) => text.replaceAll('"/people-by-cursor"', '"/gone"')));
    await post(`/installations/${installation}/poll`);
    const json = async (path: string) => JSON.parse((await get(`/api/${path}`)).text) as unknown;
    const act = async (name: string, body: unknown, origin = new URL(server.url).origin) => {
      const init = { method: "POST", body: JSON.stringify(body), headers: { origin } };
      const response = await fetch(new URL(`/api/acts/${name}`, server.url), init);
      return { status: response.status, value: (await response.json().catch(() => undefined)) as unknown };
    };
    expect(await json("failing")).toMatchObject({
      rows: [{ installation, what: "poll", kind: "HttpError", status: 404 }],
    });
    expect((await get("/")).text).toContain("What fails");
    expect(await json(`installations/${installation}`)).toMatchObject({
      failing: [{ place: { file: "people.app.json" } }],
    });
    expect(await json("items")).toEqual({ rows: [] });
    expect(await json("queues")).toMatchObject({ apps: [{ app: "people", active: 1, waiting: 0 }] });
    const target = { installation };
    expect(await act("retry", { target, dryRun: true })).toMatchObject({
      value: { affected: 1, dryRun: true },
    });
    expect(await act("pause", { target })).toMatchObject({ status: 200, value: { ids: [installation] } });
    expect(await json("queues")).toMatchObject({ apps: [{ active: 0, paused: 1 }] });
    expect((await act("pause", { target }, "https://evil.example")).status).toBe(403);
    for (const [name, body, status] of [
      ["none", { target }, 405],
      ["retry", {}, 400],
      ["retry", { target: {} }, 400],
      ["retry", { target: { item: "x" } }, 422],
      ["retry", { target: { customers: "x" } }, 400],
    ] as const)
      expect([name, (await act(name, body)).status]).toEqual([name, status]);
    expect((await get("/api/none")).status).toBe(404);
  });
});

describe("a workflow", () => {
  test("is set up, polls, delivers, and goes on after a restart; no token is readable", async () => {
    const told: string[] = [];
    await start({
      onRequest: ({ method, url, status }) => told.push(`${method} ${new URL(url).pathname} ${status}`),
    });
    const installation = await setUp("import-people");
    const run = await post(`${installation}/poll`);
    expect(run.text).toContain("<strong>!http</strong>");
    expect((await get(installation)).text).toContain(">delivered<");
    expect((await get("/")).text).toContain("3 delivered");
    expect(told).toContain("POST /oauth/token 200");
    await server.close();
    await start();
    expect((await get("/")).text).toContain("3 delivered");
    expect((await post(`${installation}/pause`)).text).toContain(">paused<");
    expect((await post(`${installation}/activate`)).text).toContain(">active<");
    await post(`${installation}/remove`);
    expect((await get("/")).text).toContain("Nothing is set up yet");
    expect(readFileSync(join(directory, "state.db")).includes("canary")).toBe(false);
  });

  test("takes what arrives at its webhook, from anywhere, and tells of it", async () => {
    const sent: unknown[] = [];
    await start({ onDelivery: (delivery) => sent.push(delivery) });
    const installation = await setUp("receive-people");
    const hook = /<code>(http[^<]+)<\/code>/.exec((await get(installation)).text)?.[1] ?? "";
    expect(hook).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/in\/people\/.{22,}$/);
    expect([...api.hooks.registered.values()].map(({ url }) => url)).toEqual([hook]);
    // The history comes first (D34), then what the service calls with.
    await post(`${installation}/poll`);
    expect(await api.hooks.emit("person.created", { name: "New", email: "new@example.org" })).toEqual([200]);
    expect(sent).toMatchObject([{ intake: "person.created", payload: { email: "new@example.org" } }]);
    await expect
      .poll(async () => (await get(installation)).text.match(/>delivered</g)?.length, { timeout: 20_000 })
      .toBe(4);
    expect((await get(installation)).text).toContain("webhook");
  });

  test("sends a contact, and shows each step of it", async () => {
    await start();
    const installation = await setUp("send-people");
    expect((await post(`${installation}/send`, { contact: "[1]" })).text).toContain("A contact is an object");
    const run = await post(`${installation}/send`, {
      contact: '{"email": "new@example.org", "first_name": "N"}',
    });
    expect(run.text).toContain("&#34;delivered&#34;: 1");
    expect(run.text).toMatch(/→ POST http:\/\/127\.0\.0\.1:\d+\/people/);
  });

  test("that isn't there, like a page that isn't, is not found", async () => {
    await start();
    for (const path of ["/x", "/installations/x", "/runs/1", "/deliveries/x", "/%E0%A4%A"])
      expect([path, (await get(path)).status]).toEqual([path, path.includes("%") ? 400 : 404]);
    expect((await post("/workflows/x/set-up")).status).toBe(422);
    expect((await get("/login/callback?state=x&code=y")).status).toBe(400);
  });

  test("whose account can't be described isn't connected: the failure names the place", async () => {
    await start();
    const made = await post("/workflows/import-people/set-up");
    const path = new URL(made.url).pathname;
    const refused = await post(`${path}/connect`, { access_token: "wrong" });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/people\.app\.json:\d+:\d+/);
    expect(refused.text).not.toContain("Use a connected account");
  });
});

test("a step whose choices can't be had says so, and the others can be gone to", async () => {
  const away = '"options":{"!pipe":[{"!http":{"path":"/nowhere"}}]}';
  await start({}, (text) =>
    JSON.stringify(JSON.parse(text)).replace(
      /"options":(?=\[\{"id":"email","title":"Email","required")[^\]]*\]/,
      away,
    ),
  );
  const made = await post("/workflows/send-people/set-up");
  const path = new URL(made.url).pathname;
  await post(`${path}/connect`, { access_token: api.oauth.issue().access_token });
  const page = await post(`${path}/select`, { shown: "note", "value.note": "one\r\ntwo" });
  expect(page.text).toMatch(/role="alert"><p><strong>HttpError<\/strong>: GET http\S+\/nowhere answered 404/);
  const back = await post(`${path}/go`, { step: "select" });
  expect(back.text).toContain('<textarea id="f-note" name="value.note" placeholder="">\none\ntwo</textarea>');
});

describe("a config that changes", () => {
  test("runs anew; what is under way ends with the version that it began with", async () => {
    let update = (): void => undefined;
    let requests = 0;
    await start({
      onRequest: ({ url }) => {
        requests++;
        if (url.includes("/people-by-cursor")) update();
      },
    });
    const installation = await setUp("import-people");
    const renamed = appWith((text) => text.replace("{email, name}", '{email, name: \\"the new version\\"}'));
    // The first poll is due at once, by itself: whichever comes first, none is due once both are over.
    await post(`${installation}/poll`);
    for (let before = -1; before !== requests; ) {
      before = requests;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    api.people.all.push({ id: 99, name: "N", email: "n99@example.org", version: 99 });
    update = () => server.update(renamed);
    const during = await post(`${installation}/poll`);
    expect(during.text).toContain("<strong>!resource</strong>");
    expect(during.text).not.toContain("the new version");
    // What was due is polled when the new version begins, and may be first to find who has just come.
    let version = 100;
    const poll = async (): Promise<string> => {
      api.people.all.push({ id: ++version, name: "N", email: `n${version}@example.org`, version });
      return (await post(`${installation}/poll`)).text;
    };
    await expect.poll(poll).toContain("the new version");
  });

  test("and can't be used leaves the last version running, and says so on every page", async () => {
    await start();
    server.refuse("people.app.json:3:1: <this> is wrong [a rule]");
    const page = await get("/");
    expect(page.text).toContain("The config has changed, and can't be used");
    expect(page.text).toContain("&#60;this&#62; is wrong");
    expect(page.text).toContain("People - Import people");
    server.update(appWith((text) => text.replace("Import people", "Fetch people")));
    expect((await get("/")).text).not.toContain("is wrong");
    expect((await get("/")).text).toContain("People - Fetch people");
  });
});

describe("the pages are safe", () => {
  /** `fetch` sets these headers itself. */
  const raw = (method: string, path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = rawRequest(new URL(path, server.url), { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject).end();
    });

  test("no other page can press buttons, or read them by a name of its own", async () => {
    await start();
    const { host, origin } = new URL(server.url);
    const path = "/workflows/import-people/set-up";
    expect(await raw("POST", path, { host, origin: "https://evil.example" })).toBe(403);
    expect(await raw("POST", path, { host })).toBe(403);
    expect(await raw("POST", path, { host, origin, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await raw("GET", "/", { host: "evil.example" })).toBe(421);
    expect(await raw("POST", path, { host: "evil.example", origin: "http://evil.example" })).toBe(421);
    expect(await raw("DELETE", "/", { host, origin })).toBe(405);
    expect((await get("/")).text).toContain("Nothing is set up yet");
  });

  test("nothing from a config or a service is markup, and no script runs", async () => {
    await start({}, (text) => text.replaceAll("People - ", '<script>alert(1)</script>&\\" - '));
    const response = await fetch(server.url);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self';/);
    const text = await response.text();
    expect(text).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#38;&#34; - ");
    expect(text).not.toMatch(/<script|style="| on\w+=/);
  });
});
