import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toFragment } from "../../packages/playground/src/share.ts";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE, type servePages } from "../support/chromium.ts";
import { servedPlayground } from "./support/served.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const desktop = { width: 1280, height: 800 };

/** The page under its service worker: the tests know Node's types, not the DOM's. */
interface Controlled {
  readonly navigator: { readonly serviceWorker: { readonly controller: { readonly state: string } | null } };
}

describe.skipIf(noChromium !== undefined)(noChromium ?? "the playground", secondTry, () => {
  let browser: Browser;
  let shared: Page | undefined;
  let pages: Awaited<ReturnType<typeof servePages>>;
  const errors: string[] = [];

  beforeAll(async () => {
    const launched = launchChromium();
    pages = await servedPlayground();
    browser = await launched;
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });
  // What the policy forbids is told to the console, and so is any request that fails.
  afterEach(() => expect(errors.splice(0)).toEqual([]));

  async function newPage(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(PAGE_PATIENCE);
    page.on("pageerror", (error) => void errors.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    return page;
  }

  /**
   * Opens what a link says: in the page that is open, if there is one, as a click on a link does.
   *
   * @param example that is shown then; none where the link has a config of its own
   */
  async function open(fragment: string, example = /^example=(.*)/.exec(fragment)?.[1] ?? ""): Promise<Page> {
    shared ??= await newPage({ serviceWorkers: "block", viewport: desktop });
    const page = shared;
    await page.goto(`${pages.url}/#${fragment}`);
    // The address is another at once, the text only then.
    await expect.poll(() => page.inputValue("#examples")).toBe(example);
    return page;
  }

  test("lists what is wrong, leads to it, explains it and mends it", async () => {
    const page = await open("example=broken");
    const problems = page.locator("#problems .problem");
    await problems.nth(8).waitFor();
    await expect.poll(() => page.locator("#problem-summary").innerText()).toBe("9 errors");
    await problems.nth(1).locator(".place").click();
    await page.locator("#editor .cm-activeLine", { hasText: "pipedrive-oauth2" }).waitFor();
    await problems.nth(1).locator(".rule").click();
    await page.locator("dialog h2", { hasText: /^reference\/unknown-auth$/ }).waitFor();
    await page.keyboard.press("Escape");
    await problems.nth(1).getByText("Change to").click();
    await problems.nth(8).waitFor({ state: "detached" });
    await page.click("#fix-all");
    await expect.poll(() => problems.count()).toBeLessThan(7);
  });

  test("completes names and tells what they are", async () => {
    const text =
      '{"$version": "2",\n"auth": {"acme": {"type": "oauth2"}},\n"workflows": [{"name": "w", "auth": "';
    const page = await open(await toFragment({ name: "mine.app.json", text }));
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "acme" }).first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#editor .cm-line", { hasText: '"auth": {' }).locator(".token-name").first().hover();
    await page.locator(".cm-lsp-hover-tooltip").waitFor();
  });

  test("colours expansions and jq inside strings", async () => {
    const page = await open("example=broken");
    await page.locator("#problems .problem .place").nth(5).click();
    await page.locator("#editor .token-namespace").first().waitFor();
  });

  test("keeps what is written through a reload, until another example is chosen", async () => {
    const page = await newPage({ serviceWorkers: "block", viewport: desktop });
    const first = page.locator("#editor .cm-line").first();
    await page.goto(`${pages.url}/#example=sms`);
    await first.filter({ hasText: "// Twilio" }).waitFor();
    await first.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// mine\n");
    const kept = () => page.evaluate<string>("sessionStorage.getItem('configc-playground-draft') ?? ''");
    await expect.poll(kept).toContain("// mine");
    await page.reload();
    await expect.poll(() => first.innerText()).toBe("// mine");
    await page.selectOption("#examples", "forms");
    await page.selectOption("#examples", "sms");
    await expect.poll(() => first.innerText()).toContain("// Twilio");
    await page.context().close();
  });

  test("says where a link names an example that isn't there", async () => {
    const page = await open("example=__proto__", "payments");
    await page.getByText("There is no example “__proto__”").waitFor();
  });

  test("puts the config into a link, and takes it from there", async () => {
    const page = await open("example=sms");
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// Grüße 👋\n");
    await page.click("#share");
    await page.waitForURL(/#config=/);
    const link = page.url();
    // Nothing is left of the page itself.
    await page.goto("about:blank");
    await page.goto(link);
    await expect.poll(() => page.locator("#editor .cm-line").first().innerText()).toBe("// Grüße 👋");
    // Comments are allowed in a `.jsonc`: the name came along.
    await page.getByText("1 hint").waitFor();
  });

  test("says so when a link was cut", async () => {
    const page = await open("config=3ZBBTsQwDEX3", "payments");
    await page.getByText("The link is incomplete").waitFor();
    await page.locator(".cm-line", { hasText: "$version" }).waitFor();
  });

  test("shows what flows through the command at the cursor", async () => {
    const page = await open("example=broken");
    await page.locator("#problems .problem .place").nth(5).click();
    await page.locator(".step.current").waitFor();
    await expect.poll(() => page.locator(".step .key").first().innerText()).toBe("!pipe");
  });

  test("takes the types of responses from recorded answers, in the panel and in the editor", async () => {
    const page = await open("example=shop");
    await page.locator("#panel-types", { hasText: "autoIncrement: number" }).waitFor();
  });

  test("runs a case on its recorded answers, with a trace", async () => {
    const page = await open("example=payments");
    await page.click("#tab-run");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("as expected").waitFor();
    await page.locator(".result .json", { hasText: "Connected to Ada's shop" }).first().waitFor();
    await page.locator(".trace summary", { hasText: "!http" }).click();
    await page.locator(".trace .exchange > summary").click();
    await page.locator(".trace .exchange", { hasText: "api.stripe.com/v1/account" }).waitFor();
    await page.locator(".trace .jump").first().click();
    await page.locator("#editor .cm-activeLine", { hasText: "!pipe" }).waitFor();
  });

  test("runs what the cursor is in, on answers that are written for it, and stops what takes long", async () => {
    // Half a second each, within the limits of a program.
    const slow = '{"!jq": "if .name then . else last(., (range(3e7) | select(. < 0))) end"}';
    const connect = `{"!pipe": [{"!http": {"path": "/me"}}, {"!jq": "{account_id: .name, name}"},\n${Array(30).fill(slow).join(",\n")}]}`;
    const text = `{"api": {"base_url": "https://api.example.com"}, "workflows": [{"name": "w", "setup": {"connect": {\n"describe_connection":\n${connect}}}}]}`;
    const page = await open(await toFragment({ name: "mine.app.json", text }));
    const run = page.getByRole("button", { name: "Run", exact: true });
    await page.click("#tab-run");
    await page.locator("#editor .token-command", { hasText: "!pipe" }).click();
    await run.click();
    await page.getByText("no request is recorded").first().waitFor();
    await page.getByText("Write its answer").click();
    await run.click();
    await page.locator("#panel-run").getByText("Stop", { exact: true }).click();
    await page.getByText("It was stopped.").waitFor();
    await page.locator(".case .cm-line", { hasText: '"body": {}' }).waitFor();
    await page.locator(".case .cm-content").focus();
    await page.keyboard.type('"name": "Ada"');
    await run.click();
    await page.locator(".result .json", { hasText: '"account_id": "Ada"' }).first().waitFor();
  });

  test("draws the app, and goes from a part of the picture to its place", async () => {
    const page = await open("example=payments");
    await page.click("#tab-graph");
    const workflow = page.locator(".picture .card.workflow").first();
    await workflow.waitFor();
    await workflow.locator(".title").click();
    await page.locator("#editor .cm-activeLine", { hasText: "{" }).first().waitFor();
  });

  test("is used with the keyboard alone", async () => {
    const page = await open("example=forms");
    await page.click("#tab-types");
    await page.keyboard.press("ArrowRight");
    await page.locator("#panel-run").waitFor();
    await page.locator("#tab-run:focus[aria-selected=true]").waitFor();
    await page.keyboard.press("End");
    await page.locator("#panel-jq").waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.locator("#panel-graph").waitFor();
  });

  test("simulates an app, shows how data gets lost, and leads to the place", async () => {
    const right = readFileSync(join(root, "packages/simulate/test/polling/right.app.json"), "utf8");
    const text = right.replace("now - 300", "now");
    const page = await open(await toFragment({ name: "mine.app.json", text }));
    await page.setViewportSize(desktop);
    await page.click("#tab-simulate");
    const panel = page.locator("#panel-simulate");
    await panel.getByText("Simulate", { exact: true }).click();
    await panel.getByText("Stop").click();
    await panel.getByText("It was stopped.").waitFor();
    await panel.getByText("Simulate", { exact: true }).click();
    await panel.locator("article", { hasText: "everything-arrives" }).first().waitFor();
    expect(await panel.locator("[role=status]").innerText()).toMatch(/in which a law breaks/);
    expect(await panel.innerText()).toMatch(
      /lists show a change: up to 55 s late – everything-arrives in \d+ of/,
    );
    expect(await panel.innerText()).toMatch(/\d+ of \d+ commands/);
    await panel.locator("article").first().getByText("Go to its place").click();
    await page.locator("#editor .cm-activeLine", { hasText: "!http" }).waitFor();
  });

  test("runs jq alone at each key, with what it takes and gives, and what is wrong with it", async () => {
    const page = await open("example=forms");
    await page.setViewportSize(desktop);
    await page.click("#tab-jq");
    const panel = page.locator("#panel-jq");
    await panel.locator(".result .json", { hasText: '"Edsger"' }).waitFor();
    expect(await page.locator("#editor").isVisible()).toBe(false);
    await expect
      .poll(() => panel.locator(".shown-types .type").last().innerText())
      .toBe("{id: number, name: string, total: number}[]");
    await write(page, "Program", ".orders | map(.totla)");
    await panel.locator(".findings .warning", { hasText: 'Did you mean "total"?' }).waitFor();
    await write(page, "Program", ".orders[] | .customer.na");
    await page.keyboard.press("Control+Space");
    await panel.locator(".cm-tooltip-autocomplete li", { hasText: "name" }).first().click();
    await expect
      .poll(() => panel.locator(".result .json").allInnerTexts())
      .toEqual(['"Ada"', '"Grace"', '"Edsger"']);
    // Several inputs, numbers as they are written, and a failure with its place.
    await write(page, "Input", "100000000000000000000.0 [1]");
    await write(page, "Program", ". as $x|if type==" + '"array" then $x.a else . end');
    await panel.locator(".findings .error", { hasText: "Cannot index array with" }).first().waitFor();
    expect(await panel.locator(".result .json").allInnerTexts()).toEqual(["100000000000000000000.0"]);
    await page.click("#format");
    await panel
      .locator(".field-program .cm-line", { hasText: '. as $x | if type == "array" then' })
      .waitFor();
    await page.click("#tab-types");
    await page.locator("#editor .cm-line", { hasText: "$version" }).waitFor();
  });

  test("puts a program of jq with its input and their type into a link, and takes it from there", async () => {
    const page = await open("example=forms");
    await page.goto("about:blank");
    await page.goto(`${pages.url}/#jq`);
    await page.locator("#panel-jq .result .json").first().waitFor();
    await write(page, "Program", '."größe" // .name');
    await write(page, "Input", '{"name": "<b>x</b>"}');
    await page.locator("#panel-jq .of-input").click();
    await write(page, "Type of an input", "{ name: string; size?: number }");
    await page.locator("#panel-jq .shown-types .type", { hasText: "size?: number" }).waitFor();
    await page.click("#share");
    await page.waitForURL(/#jq=/);
    const link = page.url();
    await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.goto(link);
    await page.locator("#panel-jq .result .json", { hasText: '"<b>x</b>"' }).waitFor();
    await page.locator("#panel-jq .shown-types .type", { hasText: "size?: number" }).waitFor();
    expect(await page.locator("main b").count()).toBe(0);
    // A link to a config brings its editor back.
    await page.goto(`${pages.url}/#example=sms`);
    await page.locator("#editor .cm-line", { hasText: "// Twilio" }).first().waitFor();
  });

  /** Writes a text into one of the editors of the tab of jq. */
  async function write(page: Page, name: string, text: string): Promise<void> {
    await page.getByLabel(name, { exact: true }).click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  }

  test("shows text of a shared config as text", async () => {
    const text =
      '{"auth": {"a": {"type": "oauth2"}}, "workflows": [{"name": "<img src=x onerror=alert(1)>", "auth": "<b>x</b>"}]}';
    const page = await open(await toFragment({ name: "mine.app.json", text }));
    await page.locator("#problems .problem", { hasText: "<b>x</b>" }).first().waitFor();
    await page.locator("#editor .token-string", { hasText: "<img src" }).waitFor();
    expect(await page.locator("main img, main b").count()).toBe(0);
  });

  test("lets nothing act that a label of a shared config brings into a hover", async () => {
    const label =
      "<img src=x> <form action=//x><input></form> [link](javascript:alert(1)) <b onclick=x>bold</b>";
    const field = { id: "f", label, type: "text" };
    const connect = '{"describe_connection": {"!jq":\n"${custom_data.f.value}"}}';
    const text = `{"workflows": [{"setup": {"select": {"form_fields": [\n${JSON.stringify(field)}]},\n"connect": ${connect}}}]}`;
    const page = await open(await toFragment({ name: "mine.app.json", text }));
    await page.locator("#editor .cm-line", { hasText: "<form action" }).waitFor();
    await page.locator("#editor .token-property").first().hover();
    const hover = page.locator(".cm-lsp-hover-tooltip");
    await hover.waitFor();
    expect(await hover.locator("img, form, input, [onclick], [href]").count()).toBe(0);
    expect(await hover.locator("b").innerText()).toBe("bold");
    // Chromium tells of handlers in documents that are only parsed too, where nothing can run.
    const others = errors.splice(0).filter((text) => !text.startsWith("Executing inline event handler"));
    expect(others).toEqual([]);
  });

  test("works without a network once it was loaded", async () => {
    const page = await newPage({});
    await page.goto(`${pages.url}/#example=forms`);
    // Not before it has all files.
    await expect
      .poll(() =>
        page.evaluate(() => (globalThis as unknown as Controlled).navigator.serviceWorker.controller?.state),
      )
      .toBe("activated");
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText("Nothing to complain about.").waitFor();
  });
});
