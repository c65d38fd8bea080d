import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTracer, type TraceEvent } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { echo, reset, status } from "../api/faults.ts";
import { contacts, endToEnd } from "./end-to-end.ts";
import { startService } from "./service.ts";

endToEnd("embedded");

/** Texts of the files below a folder, as bytes. */
function contentOf(directory: string): string {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "latin1"))
    .join("\n");
}

test("D29 no secret in results, traces, logs, reports or files, also where the service echoes it", async () => {
  const said: unknown[] = [];
  const log = { write: (entry: unknown) => void said.push(entry) };
  const service = await startService({ people: 30, tokenLifetime: 1 }, { effects: { log } });
  const { api, host } = service;
  const events: TraceEvent[] = [];
  const trace = createTracer(host.effects.clock, (event) => events.push(event));
  await service.install("poll", "import-people");
  await service.install("out", "send-people");
  const runtime = host.runtime("people")!;
  service.advance(5_000);
  said.push(await runtime.poll("poll", { trace }));
  // The item fails with what the service echoes, and is kept with its trace.
  api.fault("/people", echo);
  said.push(await runtime.send("out", { email: "a@example.com" }, { trace }));
  api.fault("/people-by-cursor", echo);
  said.push(
    await runtime
      .poll("poll", { trace })
      .catch((error: Error) => [error.message, error.stack, `${error.cause}`]),
  );
  api.fault("/hooks", echo);
  said.push(await service.install("hook", "receive-people").catch((error: Error) => error.message));
  api.fault("/hooks", reset);
  said.push(await runtime.activate("hook").catch((error: Error) => error.message));
  // The app saves the secret that it is given for the signatures.
  await runtime.activate("hook");
  expect(
    await host.store.transaction((transaction) => transaction.get("saved", "workflow/hook")),
  ).toBeDefined();
  api.fault("/oauth/token", ...Array.from({ length: 3 }, () => echo));
  api.oauth.expireAll();
  said.push(await runtime.pause("hook").catch((error: Error) => error.message));
  const rows = await host.store.transaction((transaction) =>
    transaction.list("deliveries", { app: "people", status: "failed" }),
  );
  expect(rows).toHaveLength(1);
  expect(events.length).toBeGreaterThan(10);
  expect(api.oauth.refreshes).toBeGreaterThan(0);
  said.push(events, service.reports, rows, contentOf(service.directory));
  const text = JSON.stringify(said);
  for (const secret of ["canary", Buffer.from("canary-access").toString("base64").slice(0, 14)])
    expect(
      text.indexOf(secret) < 0 ? "" : text.slice(text.indexOf(secret) - 200, text.indexOf(secret) + 80),
    ).toBe("");
});

describe("each request fails once", () => {
  test.each([
    ["is cut off", reset],
    ["is refused with 500", status(500)],
    ["is refused with 401", status(401)],
  ])("one that %s: nothing is lost, nothing is delivered twice", async (_name, fault) => {
    for (let nth = 1; ; nth++) {
      const { effects, all } = contacts();
      const service = await startService({ people: 110 }, { effects, limits: { tries: 1 }, inMemory: true });
      const { api } = service;
      let count = 0;
      api.fault({ test: (path) => path !== "/me" && ++count === nth }, fault);
      const run = async (work: () => Promise<unknown>): Promise<void> => {
        for (let tries = 0; ; tries++) {
          try {
            await work();
            return;
          } catch (error) {
            if (tries > 3) throw error;
          }
        }
      };
      await service.install("hook", "receive-people").catch(() => undefined);
      const runtime = service.host.runtime("people")!;
      await run(() => runtime.activate("hook"));
      await run(() => runtime.poll("hook"));
      expect(
        all().map(({ email }) => email),
        `request ${nth}`,
      ).toEqual(api.people.all.map(({ email }) => email));
      const hooks = await service.host.store.transaction((transaction) => transaction.list("hooks", {}));
      expect(
        hooks.filter(({ state }) => state === "active"),
        `request ${nth}`,
      ).toHaveLength(1);
      expect(
        hooks.filter(({ orphan }) => orphan !== undefined).length,
        `request ${nth}`,
      ).toBeGreaterThanOrEqual(api.hooks.registered.size - 1);
      if (count < nth) break;
      expect(nth).toBeLessThan(20);
    }
  });
});
