import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failingOf, stateOf } from "@configc/host";
import { EmbeddedDay } from "../embedded-day.ts";
import type { EmbeddedFault } from "../fault.ts";

const FULL = /database or disk is full|disk I\/O error/;

export const embeddedFaults: readonly EmbeddedFault[] = [
  {
    name: "sqlite-full",
    broken: "The disk below the SQLite file of an embedded host is full",
    told: "`report`: StoreError “The database failed: database or disk is full”; webhooks are answered 503",
    named: "`stateOf`, which still answers",
    mended: 'There is room again; the service sends again what was refused. `host.retry("shop")`',
    async play() {
      // It goes on in the process that met it, and in the next one.
      for (const restarts of [false, true]) await fillUp(restarts);
    },
  },
];

async function fillUp(restarts: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "configc-disk-"));
  const day = await EmbeddedDay.begin(folder);
  try {
    day.disk.fill();
    // Some of it still fits into what the files have.
    const statuses: number[] = [];
    await day.until("a webhook is refused", async () => {
      statuses.push(...(await day.order(20)));
      return statuses.includes(503);
    });
    const refused = await day.poll().catch(String);
    if (!FULL.test(refused ?? "")) throw new Error(`\`retry\` said ${refused}.`);
    await day.until("its owner is told", () => day.reported.some((text) => FULL.test(text)));
    if (statuses.some((status) => status !== 200 && status !== 503))
      throw new Error(`Webhooks were answered ${statuses.join(", ")}.`);
    const state = await stateOf(day.host.store, "shop");
    if (state.active !== 3) throw new Error(`\`stateOf\` tells of ${JSON.stringify(state)}.`);
    if (restarts) await day.end();
    day.disk.empty();
    if (restarts) await day.start();
    await day.host.retry("shop");
    await day.poll();
    await day.tellAgain();
    await day.until("everything has arrived", () => day.missing().length === 0);
    if (day.doubled().length > 0) throw new Error(day.doubled().join("\n"));
    const failing = await failingOf(day.host.store, {});
    if (failing.length > 0) throw new Error(JSON.stringify(failing));
  } finally {
    await day.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
