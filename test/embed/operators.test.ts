import { compile } from "@configc/compiler";
import {
  addConnection,
  createHost,
  failedItemsOf,
  failingOf,
  hostActs,
  operate,
  stateOf,
} from "@configc/host";
import { expect, onTestFinished, test } from "vitest";
import { answered, order, shopConfig } from "../../packages/engine-dbos/test/answers/operated.ts";
import { type Answer, serve } from "../../packages/runtime/test/support/server.ts";

test("E206: an embedded host is asked and acted on as a fleet is", async () => {
  let answer: Answer = answered(
    order(1),
    { id: 2, email: null },
    { id: 3, email: null },
    { id: 4, email: null },
  );
  let tokens = 0;
  const server = await serve(({ path }) => {
    if (path !== "/token") return answer;
    tokens++;
    return { json: { access_token: `new ${tokens}`, refresh_token: "r", expires_in: 3600 } };
  });
  const host = await createHost({
    apps: { shop: compile(shopConfig(server.origin)).app },
    allowPrivateNetwork: true,
    schedule: { interval: 3_600 },
    report: () => undefined,
  });
  onTestFinished(() => host.close(0));
  const install = async (id: string, customer: string) => {
    const credential = { access_token: `canary ${id}`, refresh_token: "r" };
    const connection = await addConnection(host, { app: "shop", auth: "acme", credential, customer });
    await host.store.transaction((transaction) =>
      transaction.put("installations", {
        id,
        app: "shop",
        workflow: "import-orders",
        status: "active",
        settings: { customData: {}, connection },
        connection,
        customer,
        createdAt: 1,
        changedAt: 1,
      }),
    );
  };
  const run = async (installation: string) => {
    // One that was never polled has nothing to try again: it is due by itself.
    await operate(host, "retry", { target: { installation } });
    await host.retry("shop");
    await host.idle();
  };
  await install("i1", "ada");
  await host.start();
  await host.idle();
  answer = { status: 403, json: {} };
  await install("i2", "bob");
  await run("i2");
  const failing = await failingOf(host.store, { app: "shop" });
  expect(failing).toMatchObject([
    { installation: "i2", customer: "bob", what: "poll", kind: "HttpError", status: 403 },
  ]);
  expect(await failingOf(host.store, { customer: "ada" })).toEqual([]);
  const items = await failedItemsOf(host.store, { customer: "ada" });
  expect(items).toMatchObject([
    { installation: "i1", tries: 1, failure: { kind: "JqError" } },
    { failure: { kind: "JqError" } },
    { failure: { kind: "JqError" } },
  ]);
  expect(JSON.stringify(items)).not.toContain("null");
  expect(await stateOf(host.store, "shop")).toMatchObject({ active: 2, failed: 3, waiting: 0 });

  // Each changes what it says, and nothing the second time.
  const [one, two, three] = items.map(({ item }) => item);
  const fingerprint = failing[0]?.fingerprint ?? "";
  const acted = new Set<string>();
  const done = async (
    ...[act, given]: Parameters<typeof operate> extends [unknown, ...infer R] ? R : never
  ) => {
    acted.add(act);
    return (await operate(host, act, given)).ids;
  };
  expect(await done("skip-items", { target: { item: one ?? "" }, dryRun: true })).toEqual([one]);
  expect(await done("skip-items", { target: { item: one ?? "" } })).toEqual([one]);
  expect(await done("skip-items", { target: { item: one ?? "" } })).toEqual([]);
  expect(await done("purge-items", { target: { item: two ?? "" } })).toEqual([two]);
  expect(await done("retry-items", { target: { customer: "bob" } })).toEqual([]);
  expect(await done("retry-items", { target: { customer: "ada" } })).toEqual([three]);
  await host.idle();
  // It fails as before, for its own reasons.
  expect(await stateOf(host.store, "shop")).toMatchObject({ failed: 1, waiting: 0 });
  expect(await done("purge-items", { target: { app: "shop" } })).toEqual([three]);

  answer = answered(order(5));
  expect(await done("retry", { target: { fingerprint } })).toEqual(["i2"]);
  await host.idle();
  expect(await failingOf(host.store, {})).toEqual([]);
  expect(await done("pause", { target: { customer: "ada" } })).toEqual(["i1"]);
  expect(await done("retry", { target: { installation: "i1" } })).toEqual([]);
  expect(await stateOf(host.store, "shop")).toMatchObject({ active: 1, paused: 1 });
  expect(await done("activate", { target: { customer: "ada" } })).toEqual(["i1"]);
  expect(await done("refresh", { target: { installation: "i1" } })).toHaveLength(1);
  await run("i1");
  expect(tokens).toBe(1);
  expect(await done("disconnect", { target: { customer: "ada" }, why: "he asked" })).toHaveLength(1);
  expect(await done("disconnect", { target: { customer: "ada" } })).toEqual([]);
  expect(await failingOf(host.store, {})).toMatchObject([
    { installation: "i1", what: "connect", message: "It was disconnected: he asked" },
  ]);
  // One that is added needs a line above.
  expect([...acted].sort()).toEqual([...hostActs].sort());
  await expect(operate(host, "retry", { target: {} })).rejects.toThrow("Say whom “retry” is about");
  await expect(operate(host, "pause", { target: { item: "x" } })).rejects.toThrow("isn't about items");
});
