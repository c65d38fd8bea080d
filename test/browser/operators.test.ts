import { Listener } from "@configc/host";
import { createVault } from "@configc/runtime";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminHandler, everybody } from "../../packages/engine-dbos/src/admin/index.ts";
import { KnownApps } from "../../packages/engine-dbos/src/answers/apps.ts";
import { Database } from "../../packages/engine-dbos/src/postgres/database.ts";
import { Runs } from "../../packages/engine-dbos/src/runs/runs.ts";
import { postgresStore } from "../../packages/engine-dbos/src/store/index.ts";
import { fleetDatabase } from "../../packages/engine-dbos/test/support/database.ts";
import { secondTry } from "../suite-config.ts";
import { launchChromium, noChromium, PAGE_PATIENCE } from "../support/chromium.ts";
import { noPostgres } from "../support/postgres.ts";

const INSTALLATIONS = 100_000;
const FAILING = 3_000;
const FAILED_ITEMS = 20_000;
const RUNS = 100_000;

/** Rows are written without blanks, as the store writes them. */
const fill = `
  INSERT INTO configc.installations (id, tenant, by_app, by_status, by_workflow, row)
    SELECT 'i' || n, 'customer-' || n, CASE WHEN n % 4 = 0 THEN 'desk' ELSE 'shop' END, 'active', 'import',
      json_build_object('id', 'i' || n, 'app', CASE WHEN n % 4 = 0 THEN 'desk' ELSE 'shop' END, 'workflow', 'import', 'status', 'active',
        'customer', 'customer-' || n, 'settings', json_build_object('customData', json_build_object()), 'createdAt', 1, 'changedAt', 1)
    FROM generate_series(1, ${INSTALLATIONS}) n;
  INSERT INTO configc.polling (id, tenant, by_installation, row)
    SELECT 'i' || n || '/orders', 'customer-' || n, 'i' || n, replace(CASE WHEN n > ${FAILING}
      THEN json_build_object('id', 'i' || n || '/orders', 'installation', 'i' || n, 'intake', 'orders', 'phase', 'idle', 'failures', 0)
      ELSE json_build_object('id', 'i' || n || '/orders', 'installation', 'i' || n, 'intake', 'orders', 'phase', 'idle', 'failures', 3, 'failingSince', 1764000000000 + n,
        'endedAt', 1763990000000, 'failure', json_build_object('kind', 'HttpError', 'status', CASE WHEN n % 3 = 0 THEN 401 ELSE 503 END, 'message', 'GET https://api.example.com/orders was answered ' || CASE WHEN n % 3 = 0 THEN 401 ELSE 503 END,
        'pointer', '/data_intake/0/request/!pipe/0', 'version', '8b05b7724231003e7b15aa9d350e68eb', 'at', 1764003600000)) END::text, ' : ', ':')
    FROM generate_series(1, ${INSTALLATIONS}) n;
  INSERT INTO configc.deliveries (id, tenant, by_installation, by_status, by_origin, by_app, row)
    SELECT 'i' || n || '/orders/1/' || n, 'customer-' || n, 'i' || n, 'failed', 'polling', 'shop', replace(json_build_object('id', 'i' || n || '/orders/1/' || n, 'app', 'shop', 'installation', 'i' || n,
      'intake', 'orders', 'origin', 'polling', 'status', 'failed', 'attempts', 1, 'receivedAt', 1764000000000, 'settledAt', 1764000001000, 'input', json_build_object('email', null),
      'failure', json_build_object('kind', 'JqError', 'message', 'the order has no address', 'pointer', '/workflows/0/data_pipeline/source', 'at', 1764000001000))::text, ' : ', ':')
    FROM generate_series(1, ${FAILED_ITEMS}) n;
  INSERT INTO dbos.workflow_status (workflow_uuid, status, name, created_at, updated_at, queue_name, queue_partition_key)
    SELECT 'poll shop/i' || n || ' r' || n, CASE WHEN n % 500 = 0 THEN 'ERROR' ELSE 'SUCCESS' END, 'configc.job', 1764000000000 + n, 1764000000000 + n, 'installations', 'shop/i' || n
    FROM generate_series(1, ${RUNS}) n;
  ANALYZE;`;

const reason = noChromium ?? (noPostgres === undefined ? undefined : `skipped: ${noPostgres}`);

describe.skipIf(reason !== undefined)(reason ?? "E147: the pages of operators", secondTry, () => {
  let browser: Browser;
  let origin = "";
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const url = await fleetDatabase();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(fill);
    await client.end();
    const database = new Database({ url, connections: 3 });
    const store = await postgresStore({ url, connections: 2 });
    const runs = await Runs.open(url, database);
    const vault = createVault(new Uint8Array(32));
    const apps = new KnownApps(database, vault);
    const context = { database, store, runs, vault, apps, savedRuns: undefined, now: () => Date.now() };
    const failed = (error: unknown): never => {
      throw error;
    };
    const listener = new Listener({
      answer: adminHandler({ context, access: everybody("eve"), local: true, failed }),
      failed,
    });
    await listener.listen(0, "127.0.0.1");
    origin = `http://127.0.0.1:${listener.port}`;
    browser = await launchChromium();
    closing.push(
      () => browser.close(),
      () => listener.close(0),
      () => store.close(),
      () => runs.close(),
    );
    closing.push(() => database.close());
  }, 120_000);
  afterAll(async () => {
    for (const close of closing) await close();
  });

  async function opened(colours: "light" | "dark" = "light"): Promise<Page> {
    const page = await browser.newPage({ colorScheme: colours, viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(PAGE_PATIENCE);
    return page;
  }

  /** Milliseconds from the request to the first text; said, not judged: the machine may be busy. */
  async function firstPaint(page: Page): Promise<number> {
    return await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    );
  }

  test.each(["light", "dark"] as const)(
    "100,000 installations: overview, failing, one, items, runs and search, in %s",
    async (colours) => {
      const page = await opened(colours);
      const paints: string[] = [];
      const shot = async (name: string): Promise<void> => {
        paints.push(`${name} ${Math.round(await firstPaint(page))} ms`);
        const folder = process.env["SCREENSHOTS"];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/operators-${name}-${colours}.png` });
      };
      await page.goto(origin);
      await expect.poll(() => page.getByRole("region", { name: "shop" }).innerText()).toMatch(/75,000/);
      await shot("overview");
      await page.getByRole("link", { name: "List" }).first().click();
      await expect.poll(() => page.locator("tbody tr").count()).toBe(50);
      await shot("failing");
      const [first] = await page.locator("tbody tr td:nth-child(2) a").allInnerTexts();
      await page.getByRole("link", { name: "More" }).click();
      await expect.poll(() => page.locator("tbody tr td:nth-child(2) a").first().innerText()).not.toBe(first);
      await page.getByRole("searchbox").fill("customer-42");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "i42", exact: true }).click();
      await expect.poll(() => page.getByRole("main").innerText()).toMatch(/HttpError 401/);
      await shot("installation");
      await page.getByRole("link", { name: "Hold" }).click();
      await expect
        .poll(() => page.getByRole("main").innerText())
        .toMatch(/1 installation of installation i42 would be changed/);
      await shot("act");
      await page.goto(`${origin}/items?fingerprint=none`);
      await page.goto(`${origin}/items`);
      await page.locator("tbody a").first().click();
      await expect.poll(() => page.getByRole("main").innerText()).toMatch(/the order has no address/);
      await shot("item");
      await page.goto(`${origin}/runs?status=failed`);
      await expect.poll(() => page.locator("tbody tr").count()).toBe(50);
      await shot("runs");
      process.stderr.write(`first paint: ${paints.join(", ")}\n`);
      await page.close();
    },
    120_000,
  );

  test("an act is done from its page, once, and stands in the record", async () => {
    const page = await opened();
    await page.goto(`${origin}/items/${encodeURIComponent("i7/orders/1/7")}`);
    await page.getByRole("link", { name: "Skip" }).click();
    await page.getByLabel("Why, for the record").fill("no address");
    await page.getByRole("button", { name: "skip-items" }).click();
    await expect.poll(() => page.getByRole("status").innerText()).toMatch(/skip-items: 1 changed/);
    await page.getByRole("link", { name: "All acts" }).click();
    await expect.poll(() => page.locator("tbody").innerText()).toMatch(/skip-items item i7[\s\S]*no address/);
    await page.close();
  }, 120_000);
});
