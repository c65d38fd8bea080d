import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Api } from "./support/api.ts";
import { unnamed } from "./support/unnamed.ts";
import { canRun, Window } from "./support/window.ts";

const COUNT = 5_000;
const MILLION = 1_000_000;
const contacts = Array.from({ length: COUNT }, (_, id) => ({
  id,
  name: `Person ${id}`,
  address: { city: `City ${id % 7}` },
}));
/** A page of a help desk: long, with lines. */
const page = `<p>${"A long line of text. ".repeat(400)}</p>\n`.repeat(30);

/** A pipeline whose source is a pipe of these commands. */
const workflow = (name: string, ...pipe: readonly object[]) => ({
  name,
  label: name,
  description: name,
  data_pipeline: { source: { "!pipe": pipe }, target: { "!jq": "." } },
});

const config = {
  $version: "2",
  api: { base_url: "https://api.example.com" },
  workflows: [
    workflow("contacts", { "!http": { path: "/contacts" } }, { "!jq": ".items | map(.name)" }),
    workflow("million", {
      "!jq": `[range(${MILLION}) | {id: ., name: "Person \\(.)", active: (. % 2 == 0)}]`,
    }),
    workflow("sends", { "!http": { method: "POST", path: "/notes", body: { text: "it's" } } }),
    workflow("web page", { "!http": { path: "/page" } }),
  ],
};

describe.skipIf(!canRun)("the results of a run", () => {
  let window: Window;
  let api: Api;
  beforeAll(async () => {
    api = await Api.start(({ url }) =>
      url === "/contacts" ? [200, { items: contacts, total: COUNT, page }] : [200, { ok: true }],
    );
    window = await Window.open({
      "crm.app.json": JSON.stringify(config, undefined, 2),
      "crm.apprun.json": JSON.stringify({ contexts: [{ name: "sandbox", base_url: api.url }] }),
    });
    await window.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await window.openFile("crm.app.json");
    await window.theme("light");
  });
  afterEach(({ task }) => window?.screenshotIfFailed(task));
  afterAll(async () => {
    await window?.close();
    api?.stop();
  });

  const passed = () => window.panel().locator(".state.passed").waitFor({ timeout: 60_000 });
  const tree = () => window.panel().getByRole("tree");
  const clipboard = () => window.page.evaluate<string>("navigator.clipboard.readText()");

  test("5,000 items are 5,000 items, and the last one is a key away", async () => {
    await window.pressLens("Run pipe to here", ".items | map(.name)", tree().getByText("5,000 items"));
    const panel = window.panel();
    await window.screenshot("30-results-5000");
    await tree().focus();
    await window.page.keyboard.press("End");
    await tree().getByText('"Person 4999"').waitFor();
    // The answer, as JSON.
    await panel.getByRole("option").nth(1).click();
    await panel.getByRole("tab", { name: "Requests" }).click();
    await tree().getByText("Response body").click();
    await tree().getByText("items:").waitFor();
    expect(await tree().getByText("5,000 items").count()).toBe(1);
    await window.screenshot("31-requests-5000");
    // A text of many lines opens into them.
    await tree().getByText("page:").click();
    await tree().getByText("A long line of text.").first().waitFor();
    expect(unnamed(await panel.locator("main").ariaSnapshot())).toEqual([]);
  });

  test("all of it is looked through, and copied whole", async () => {
    const panel = window.panel();
    await panel.getByRole("option").nth(1).click();
    await panel.getByRole("tab", { name: "Output" }).click();
    await panel.getByRole("searchbox").fill("person 432");
    await tree().getByText("11 matches").waitFor();
    await tree().getByText(".items[4321].name").waitFor();
    await window.screenshot("32-results-filter");
    await panel.getByRole("searchbox").fill("");
    await tree().getByText("3 members").waitFor();
    // There was no room for it in what came with the result.
    await tree().getByText("total: 5000").waitFor();
    await panel.getByRole("button", { name: "Copy", exact: true }).click();
    await expect
      .poll(async () => (await clipboard()).length, { timeout: 60_000 })
      .toBeGreaterThan(COUNT * 50);
    expect(JSON.parse(await clipboard())).toEqual({ items: contacts, total: COUNT, page });
  });

  test("a request that writes is asked about, and tried dry", async () => {
    const { page } = window;
    const dialog = page.locator(".monaco-dialog-box");
    await window.goBehind('"method": "POST"');
    await window.command("configc: Run Step");
    await dialog.getByText("POST /notes").waitFor();
    await window.screenshot("36-confirm-writes");
    await dialog.getByRole("button", { name: "Dry Run" }).click();
    await window
      .panel()
      .getByText(/^Dry run: sends/)
      .waitFor();
    await passed();
    expect(api.requests.map(({ method }) => method)).not.toContain("POST");
    await window.panel().getByRole("tab", { name: "Requests" }).click();
    await tree().getByText("not sent").waitFor();
    await window.command("configc: Run Step");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(() => api.requests.map(({ method }) => method), { timeout: 60_000 }).toContain("POST");
  });

  test("a request is copied as cURL", async () => {
    await passed();
    const panel = window.panel();
    await panel.getByRole("tab", { name: "Requests" }).click();
    await tree().getByRole("button", { name: "cURL" }).click();
    await expect.poll(clipboard, { timeout: 60_000 }).toContain("curl ");
    const command = await clipboard();
    expect(command).toContain(`curl '${api.url}/notes'`);
    expect(command).toContain(`--data-raw '{"text":"it'\\''s"}'`);
  });

  test("a million items: counted exactly, first seen within a second, in the memory of a few rows", async () => {
    const before = await heapOf(window);
    const panel = window.panel();
    await window.pressLens(
      "Run step",
      "range(1000000)",
      panel.locator("body:not(:has(#step-1)) .state.passed"),
    );
    await panel.getByRole("tab", { name: "Output" }).click();
    await tree().getByText("1,000,000 items").waitFor();
    // From the choice of the step to its rows on screen.
    const milliseconds = await panel.locator("body").evaluate<number, never>(
      `new Promise((resolve) => {
        const began = performance.now();
        document.querySelector("#step-0").click();
        const look = () => {
          if (document.querySelectorAll("[role=treeitem]").length > 3) resolve(performance.now() - began);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      })`,
    );
    await tree().focus();
    await window.page.keyboard.press("End");
    await tree().getByText("999999: {").waitFor();
    await window.screenshot("33-results-million");
    const rows = await panel.locator("[role=treeitem]").count();
    const heap = (await heapOf(window)) - before;
    console.log(
      `a million items: ${Math.round(milliseconds)} ms to the first rows, ${rows} rows, ${Math.round(heap / 1e6)} MB more in the page, run ${runMemory()} MB`,
    );
    expect(milliseconds).toBeLessThan(1_000);
    expect(rows).toBeLessThan(100);
    expect(heap).toBeLessThan(60e6);
    await panel.getByRole("searchbox").fill("person 99999");
    await tree().getByText("11 matches").waitFor({ timeout: 60_000 });
  });

  test("it looks as well in the dark, and in high contrast", async () => {
    await window.theme("dark");
    await window.screenshot("34-results-dark");
    window.write(".vscode/settings.json", '{"workbench.colorTheme": "Default High Contrast"}');
    await window.page.locator(".monaco-workbench.hc-black").waitFor();
    await window.screenshot("35-results-contrast");
  });
});

/** Bytes of the page: the window and its panels share one heap. */
function heapOf({ page }: Window): Promise<number> {
  return page.evaluate<number>("performance.memory.usedJSHeapSize");
}

/** MB of the server that keeps the run: the largest one of the extension's. */
function runMemory(): number {
  const sizes = readdirSync("/proc").flatMap((id) => {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("dist/server.cjs")) return [];
      const [, kilobytes = "0"] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
      return [Number(kilobytes) / 1_000];
    } catch {
      // No process, or one that has ended.
      return [];
    }
  });
  return Math.round(Math.max(0, ...sizes));
}
