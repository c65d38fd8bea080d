import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, compile, sourceOf } from "@configc/compiler";
import { type DevServer, startDev } from "@configc/host/internal";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Api } from "../api/api.ts";
import { peopleConfig } from "../api/config.ts";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE } from "../support/chromium.ts";

/** Choices that depend on an earlier field, and are searched for; a text and boxes beside them. */
const fields = [
  {
    id: "list",
    label: "List",
    type: "dropdown",
    options: [
      { display: "Friends", value: "f" },
      { display: "Others", value: "o" },
    ],
  },
  {
    id: "person",
    label: "Person",
    type: "dropdown",
    search_term: "email",
    options: {
      "!pipe": [
        { "!http": { path: "/people", params: { list: "${custom_data.list.value}" } } },
        { "!jq": '[.items[] | {display: "\\(.name) (${custom_data.list.value})", value: .id}]' },
      ],
    },
  },
  { id: "note", label: "Note", type: "textarea", required: false },
  {
    id: "days",
    label: "Days",
    type: "multiselect",
    required: false,
    options: [
      { display: "Monday", value: 1 },
      { display: "Tuesday", value: 2 },
    ],
  },
];

type PeopleConfig = {
  readonly workflows: readonly {
    readonly setup: { readonly select: object };
    readonly data_pipeline: object;
  }[];
};

/** What becomes of a person; two of the three fail for their own reasons. */
const strict = `if .name == "Person 1" then {email, name} else error("\\(.name) isn't wanted") end`;

function configOf(origin: string, source = "{email, name}"): string {
  const { workflows, ...rest } = peopleConfig(origin) as PeopleConfig;
  const [first, ...others] = workflows;
  const setup = { ...first!.setup, select: { ...first!.setup.select, form_fields: fields } };
  const made = { ...first, setup, data_pipeline: { ...first!.data_pipeline, source: { "!jq": source } } };
  return JSON.stringify({ ...rest, workflows: [made, ...others] });
}

function appOf(text: string): App {
  const { app, model } = compile(text);
  return { ...app, source: sourceOf(model, "people.app.json") };
}

describe.skipIf(noChromium !== undefined)(noChromium ?? "the pages of configc dev", secondTry, () => {
  let browser: Browser;
  let api: Api;
  let server: DevServer;
  let directory: string;
  let context: BrowserContext;
  let page: Page;
  let wrong: string[];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    api = await Api.start({ people: 3 });
    directory = mkdtempSync(join(tmpdir(), "configc-pages-"));
    server = await startDev({
      app: appOf(configOf(api.origin)),
      name: "people",
      file: "people.app.json",
      directory,
      key: new Uint8Array(32).fill(7),
      port: 0,
      allowPrivateNetwork: true,
    });
    context = await browser.newContext();
    context.setDefaultTimeout(PAGE_PATIENCE);
    wrong = [];
    // Refused forms are answered with 422, of which the console tells.
    context.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("422")) wrong.push(message.text());
    });
    page = await context.newPage();
    await page.goto(server.url);
  });
  afterEach(async () => {
    await context.close();
    await server.close();
    await api.close();
    rmSync(directory, { recursive: true });
  });

  /** Every button sends a form, and every link leads away. A click alone doesn't wait for the page that comes of it. */
  async function click(what: Locator, on = page): Promise<void> {
    await Promise.all([on.waitForNavigation(), what.click()]);
  }
  const press = (name: string, on = page) => click(on.getByRole("button", { name, exact: true }).first(), on);
  const follow = (name: string | RegExp) => click(page.getByRole("link", { name }));
  const heading = (name: string) => page.getByRole("heading", { name }).waitFor();
  const list = () => page.getByRole("combobox", { name: "List", exact: true });
  const person = () => page.getByRole("combobox", { name: "Person", exact: true });

  async function connect(): Promise<void> {
    await press("Set up");
    await press("Log in with the service");
    await follow(/^Go to/);
    await heading("Select");
  }

  test("a workflow is set up, polled, paused and removed with the keyboard alone", async () => {
    /** Goes on with Tab to what has that name. */
    async function to(name: string | RegExp): Promise<void> {
      const pattern = typeof name === "string" ? new RegExp(`^${name}$`) : name;
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab");
        const focused = page.locator(":focus");
        if ((await focused.count()) === 0) continue;
        const label = await focused.evaluate((element) => {
          const { labels } = element as { labels?: ArrayLike<{ readonly textContent: string | null }> };
          const text = labels?.[0]?.textContent ?? element.textContent;
          return (element.getAttribute("aria-label") ?? text ?? "").replace("*", "").trim();
        });
        expect(label, "whatever has the focus has a name").not.toBe("");
        if (pattern.test(label)) return;
      }
      throw new Error(`nothing named ${name} was met`);
    }
    async function enter(name: string | RegExp): Promise<void> {
      await to(name);
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    }
    const choose = async (name: string, text: string) => {
      await to(name);
      await page.keyboard.type(text);
    };

    await enter("Set up");
    await enter("Log in with the service");
    await enter(/^Go to/);
    await choose("List", "Friends");
    await enter("Save List");
    await choose("Person", "Person 1");
    await to("Monday");
    await page.keyboard.press("Space");
    await enter("Continue");
    await choose("Email", "Email");
    await enter("Continue");
    await enter("Continue");
    await enter("Activate");
    await enter("Poll now");
    expect(await page.locator("pre").first().textContent()).toContain('"delivered": 3');
    await enter("Back");
    expect(await page.getByText("delivered", { exact: true }).count()).toBe(3);
    await enter("Pause");
    await to("Remove");
    await page.keyboard.press("Enter");
    await enter("Remove it");
    expect(await page.getByText("Nothing is set up yet").count()).toBe(1);
    expect(wrong).toEqual([]);
  });

  test("E206: failed items are skipped, deleted and tried again, tokens are renewed, and a connection is cut", async () => {
    server.update(appOf(configOf(api.origin, strict)));
    await connect();
    await list().selectOption("Friends");
    await press("Continue");
    await person().selectOption({ index: 1 });
    await press("Continue");
    await page.getByLabel("Email").selectOption("Email");
    await press("Continue");
    await press("Continue");
    await press("Activate");
    const installation = page.url();
    await press("Poll now");
    const states = async () => {
      await page.goto(installation);
      return (await page.locator("table .state").allTextContents()).sort();
    };
    expect(await states()).toEqual(["delivered", "failed", "failed"]);
    expect(await page.getByText("Items that wait: 0; failed: 2.").count()).toBe(1);
    // Names stand as code, not between backticks.
    expect(await page.locator("code", { hasText: /^changed-people$/ }).count()).toBe(1);
    const row = (text: string) => page.getByRole("row").filter({ hasText: text }).getByRole("link");

    await click(row("Person 2 isn't wanted"));
    await press("Skip");
    expect(await states()).toEqual(["delivered", "failed", "skipped"]);
    await click(row("Person 3 isn't wanted"));
    const failed = page.url();
    await press("Try again");
    expect(await page.getByText("Person 3 isn't wanted").count()).toBeGreaterThan(0);
    await page.goto(failed);
    await press("Delete");
    expect(await states()).toEqual(["delivered", "skipped"]);

    const renewals = () => api.requests.filter(({ path }) => path === "/oauth/token").length;
    const before = renewals();
    await press("Renew its tokens");
    await press("Poll now");
    expect(renewals()).toBe(before + 1);
    await page.goto(installation);
    await press("Disconnect");
    expect(await page.getByText("It was disconnected: by hand").count()).toBe(1);
    await page.goto(server.url);
    const notice = page.locator(".notice").filter({ hasText: "It was disconnected: by hand" });
    expect(await notice.count()).toBe(1);
    await click(notice.getByRole("link", { name: "To its workflow" }));
    await follow("Change the setup");
    await page.getByRole("heading", { name: "Connect", exact: true }).waitFor();
    // It can't be chosen as it is; to log in with it again mends it.
    expect(await page.getByRole("radio").isDisabled()).toBe(true);
    await press("Log in with the service");
    await follow(/^Go to/);
    await heading("Select");
    for (let steps = 0; steps < 3; steps++) await press("Continue");
    await press("Activate");
    await page.goto(server.url);
    expect(await page.getByRole("heading", { name: "What fails" }).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test("nothing is lost of what was filled in: by saving another field, a search, or a changed choice", async () => {
    await connect();
    expect(await page.getByText("can be chosen after “List”").count()).toBe(1);
    await page.getByLabel("Note").fill("two\nlines");
    await list().selectOption("Friends");
    await press("Save List");
    expect(await page.getByLabel("Note").inputValue()).toBe("two\nlines");
    await page.getByLabel("Search Person").first().fill("person2@example.com");
    await page.getByLabel("Tuesday").check();
    await page.keyboard.press("Enter");
    await page.waitForURL(/search\.person=/);
    const found = await person().getByRole("option").allTextContents();
    expect(found).toEqual(["Choose …", "Person 2 (f)"]);
    await person().selectOption("Person 2 (f)");
    // Another search: what was chosen stays chosen.
    await page.getByLabel("Search Person").first().fill("nobody@example.com");
    await press("Search Person");
    await page.waitForURL(/nobody/);
    expect(await person().locator("option:checked").textContent()).toBe("Person 2 (f)");
    // The person was one of the other list.
    await list().selectOption("Others");
    await press("Continue");
    expect(await person().inputValue()).toBe("");
    expect(await page.getByLabel("Tuesday").isChecked()).toBe(true);
    await page.getByLabel("Search Person").first().fill("");
    await press("Search Person");
    await person().selectOption("Person 1 (o)");
    await press("Continue");
    await heading("Map");
    expect(wrong).toEqual([]);
  });

  test("ways back: from what is refused, by the button of the browser, and in another tab", async () => {
    await press("Set up");
    await page.getByLabel("Client id").fill("mine");
    await press("Log in with the service");
    const { host } = new URL(server.url);
    const state = new URL(page.url()).pathname.split("/").at(-1);
    await page.goto(`http://${host}/login/callback?state=${state}&error=access_denied`);
    expect(await page.getByRole("alert").textContent()).toContain("didn't give access");
    expect(await page.getByLabel("Client id").inputValue()).toBe("mine");
    // Once more with the same address, as by the back button: it is over.
    await page.goto(`http://${host}/login/callback?state=${state}&code=x`);
    await follow("Back");
    await follow("Go on with the setup");
    await press("Log in with the service");
    await follow(/^Go to/);
    await list().selectOption("Friends");
    await press("Continue");
    await person().selectOption({ index: 1 });
    await press("Continue");

    // The browser sees to required fields; the pages too.
    await page.evaluate(
      "document.querySelectorAll('[required]').forEach((each) => { each.required = false })",
    );
    await press("Continue");
    expect(await page.getByRole("alert").textContent()).toContain("“Email” is required");
    await page.getByLabel("Email").selectOption("Email");
    await press("Continue");
    await heading("Schedule");
    await page.goBack();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("First name").selectOption("Name");
    await press("Continue");
    await heading("Schedule");

    const tab = await context.newPage();
    await tab.goto(page.url());
    await press("Select", tab);
    await tab.getByRole("combobox", { name: "Person" }).waitFor();
    await press("Continue");
    await press("Activate");
    await press("Continue", tab);
    expect(await tab.getByLabel("First name").locator("option:checked").textContent()).toBe("Name");
    expect(await page.getByText("active", { exact: true }).count()).toBe(1);
    expect(wrong.filter((text) => !text.includes("400"))).toEqual([]);
  });
});
