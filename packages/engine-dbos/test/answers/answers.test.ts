import type { Why } from "@configc/host";
import { describe, expect, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import type { FailedItem } from "../../src/answers/failed-items.ts";
import type { Failing } from "../../src/answers/failing.ts";
import type { Page } from "../../src/answers/page.ts";
import type { AppQueue } from "../../src/answers/queues.ts";
import type { Reason } from "../../src/answers/reasons.ts";
import type { Run } from "../../src/runs/runs.ts";
import { answered, operated, order } from "./operated.ts";

describe.skipIf(noPostgres !== undefined)("E145: what an operator asks", () => {
  test("who fails, since when, why, and what comes next", async () => {
    const { install, work, host, hostJson, service } = await operated();
    await install("i1", "ada");
    await install("i2", "bob");
    service.answer = answered(order(1));
    await work();
    expect(await host("failing")).toBe("No installation fails.\n");

    service.answer = { status: 403, json: { error: "suspended" } };
    await work();
    const { reasons } = await hostJson<{ reasons: readonly (Reason & { place: object })[] }>("failing");
    const [reason] = reasons;
    expect(reasons).toEqual([
      expect.objectContaining({
        app: "shop",
        installations: 2,
        place: expect.objectContaining({ line: 25 }),
      }),
    ]);
    expect(reason?.example).toMatchObject({
      what: "poll",
      kind: "HttpError",
      status: 403,
      pointer: "/data_intake/0/request/!pipe/0",
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      lastSuccess: expect.any(Number),
      mustConnect: false,
      held: false,
    });
    expect(await host("failing")).toMatch(
      /^2 installations of shop, since .*: HttpError 403 at \/data_intake\/0\/request\/!pipe\/0 \(shop\.app\.json:25:\d+\)\n/,
    );

    // A page at a time, and of one customer.
    const fingerprint = reason?.fingerprint ?? "";
    const first = await hostJson<Page<Failing>>("failing", "--fingerprint", fingerprint, "--limit", "1");
    const rest = await hostJson<Page<Failing>>(
      "failing",
      "--list",
      "--limit",
      "1",
      "--after",
      first.next ?? "",
    );
    expect([...first.rows, ...rest.rows].map(({ installation }) => installation).sort()).toEqual([
      "i1",
      "i2",
    ]);
    expect(rest.next).toBeUndefined();
    const bobs = await hostJson<Page<Failing>>("failing", "--list", "--customer", "bob");
    expect(bobs.rows.map(({ installation }) => installation)).toEqual(["i2"]);

    const since = bobs.rows[0]?.since;
    await work();
    const again = await hostJson<Page<Failing>>("failing", "--list", "--customer", "bob");
    // The first failure counts, also when an operator has had it tried again.
    expect(again.rows[0]).toMatchObject({ since });
    expect(again.rows[0]?.at).toBeGreaterThan(since ?? 0);

    const why = await hostJson<Why>("why", "i1");
    expect(why).toMatchObject({
      customer: "ada",
      failing: [
        {
          what: "poll",
          since: expect.any(Number),
          config: {
            written: '{ "!http": { "path": "/orders", "params": { "since": "${polling_state.since}" } } }',
          },
        },
      ],
      items: { waiting: 0, failed: 0 },
      next: [
        {
          what: "poll",
          does: expect.stringMatching(/^begins cycle 4 of `orders`, after a try that failed$/),
        },
      ],
    });
    const told = await host("why", "i1");
    expect(told).toMatch(/^shop\/i1: import-orders, active, customer ada\n/);
    expect(told).toMatch(/fails since .*, 1 try, the last one .* ago, version [0-9a-f]{32}\n {2}25 \| \{/);
    expect(told).toMatch(/In \d+ \w+, .*, it begins cycle 4 of `orders`/);

    const { rows: failed } = await hostJson<Page<Run>>("runs", "--status", "failed", "--app", "shop");
    expect(failed.length).toBeGreaterThanOrEqual(2);
    expect(failed[0]).toMatchObject({ status: "failed", app: "shop", job: "poll" });
    const page = await hostJson<Page<Run>>("runs", "--limit", "1");
    const next = await hostJson<Page<Run>>("runs", "--limit", "1", "--after", page.next ?? "");
    expect(next.rows[0]?.id).not.toBe(page.rows[0]?.id);

    service.answer = answered();
    await work();
    expect(await host("failing")).toBe("No installation fails.\n");
    expect(await host("why", "i1")).toContain("Nothing fails.\n");
  }, 60_000);

  test("items that failed, and how much waits", async () => {
    const { install, work, host, hostJson, service } = await operated();
    await install("i1", "ada");
    service.answer = answered(order(1), { id: 2, email: null }, { id: 3, email: null });
    await work();
    const page = await hostJson<Page<FailedItem>>("items", "--failed", "--limit", "1");
    expect(page.rows).toEqual([
      expect.objectContaining({
        app: "shop",
        installation: "i1",
        customer: "ada",
        kind: "JqError",
        pointer: "/workflows/0/data_pipeline/source",
        tries: 1,
      }),
    ]);
    expect(await host("items", "--failed", "--after", page.next ?? "")).toMatch(
      /1 try: JqError at .* \(shop\.app\.json:\d+:\d+\)\n {2}.*no address/,
    );
    const { apps } = await hostJson<{ apps: readonly AppQueue[] }>("queues");
    expect(apps).toEqual([
      { app: "shop", active: 1, paused: 0, waiting: 0, failed: 2, jobs: 0, jobsPutOff: 0 },
    ]);
    expect(await host("failing")).toBe("No installation fails.\n");
    expect(await host("why", "i1")).toContain("0 items wait; 2 failed.");
    const told = await hostJson<Why>("why", "i1");
    expect(told.items).toEqual({ waiting: 0, failed: 2 });
  }, 60_000);
});
