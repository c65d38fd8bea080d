import { compile } from "@configc/compiler";
import { createRuntime, type Hook, type Runtime, type Store } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { installation, installed } from "../support/installed.ts";
import {
  create,
  inScope,
  remove,
  type ThirdParty,
  thirdParty,
  webhookConfig,
} from "../support/third-party.ts";

/** What customers have stays removable, and of use to the others, when a new version of the app has lost what it was made of. */
interface Config {
  readonly data_intake: readonly { readonly name: string }[];
  readonly workflows: readonly { readonly name: string }[];
}

interface Before {
  readonly party: ThirdParty;
  readonly store: Store;
  readonly runtime: Runtime;
  /** The app without something, on the same state. */
  without(lost: { readonly workflow?: string; readonly intake?: string }): Runtime;
}

async function active(scope: "workflow" | "connection"): Promise<Before> {
  const party = await thirdParty();
  const auth = { acme: { type: "oauth2", configuration: {} } };
  const intake = inScope(scope, { scope, create, delete: remove, account_id: { "!jq": ".account" } });
  const { workflows, ...rest } = webhookConfig(party.origin, intake) as Config;
  const both = [
    { ...workflows[0], auth: "acme" },
    { ...workflows[0], name: "other", auth: "acme" },
  ];
  const config = { ...rest, auth, workflows: both } as Config & { auth: object };
  const { runtime, store, effects } = await installed({ config, status: "paused" });
  await effects.credentials.write("c1", { access_token: "customer" });
  const settings = { customData: {}, connection: "c1", accountId: "7" };
  await store.transaction(async (t) => {
    await t.put("connections", { id: "c1", app: "app", auth: "acme" });
    await t.put("installations", installation("i1", "receive", { status: "paused", settings }));
    await t.put("installations", installation("i2", "other", { status: "paused", settings }));
  });
  return {
    party,
    store,
    runtime,
    without({ workflow, intake: name }) {
      const changed = {
        ...config,
        workflows: config.workflows.filter((each) => each.name !== workflow),
        data_intake: config.data_intake.filter((each) => each.name !== name),
      };
      return createRuntime(compile(JSON.stringify(changed)).app, effects, {
        store,
        webhookUrl: (hook) => `https://hooks.example.com/${hook}`,
      });
    },
  };
}

async function hooksOf(store: Store): Promise<readonly Hook[]> {
  return await store.transaction((t) => t.list("hooks", {}));
}

async function statusOf(store: Store, id: string) {
  return (await store.transaction((t) => t.get("installations", id)))?.status;
}

const deliver = (runtime: Runtime, hook: string) =>
  runtime.receive({
    hook,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new TextEncoder().encode('{"account": "7", "email": "a@example.com"}'),
  });

describe("a workflow that is gone from the app", () => {
  test.each(["remove", "pause"] as const)(
    "%s deletes its webhook, with the customer's credentials",
    async (action) => {
      const { party, store, runtime, without } = await active("workflow");
      await runtime.activate("i1");
      await without({ workflow: "receive" })[action]("i1");
      expect(party.received.map(({ method, headers }) => [method, headers["authorization"]])).toEqual([
        ["POST", "Bearer customer"],
        ["DELETE", "Bearer customer"],
      ]);
      expect(party.hooks.size).toBe(0);
      expect(await statusOf(store, "i1")).toBe(action === "remove" ? "removed" : "paused");
    },
  );

  test("an interrupted removal is taken up", async () => {
    const { party, store, runtime, without } = await active("workflow");
    await runtime.activate("i1");
    party.before = () => ({ status: 503 });
    const later = without({ workflow: "receive" });
    await expect(later.remove("i1")).rejects.toMatchObject({ kind: "HttpError" });
    expect(await statusOf(store, "i1")).toBe("removing");
    party.before = undefined;
    expect(await later.resume()).toEqual([]);
    expect([party.hooks.size, await statusOf(store, "i1")]).toEqual([0, "removed"]);
  });

  test("its webhook goes on serving those who share it", async () => {
    const { party, store, runtime, without } = await active("connection");
    await runtime.activate("i1");
    await runtime.activate("i2");
    const later = without({ workflow: "receive" });
    const [hook] = await hooksOf(store);
    expect((await deliver(later, hook?.id ?? "")).status).toBe(200);
    expect(await later.deliver("i2")).toMatchObject({ delivered: 1 });
    await later.remove("i1");
    expect(party.hooks.size).toBe(1);
    await later.remove("i2");
    expect(party.hooks.size).toBe(0);
  });
});

test("an intake that is gone: its URL stops answering, and what may be left behind is reported", async () => {
  const { party, store, runtime, without } = await active("workflow");
  await runtime.activate("i1");
  const later = without({ workflow: "receive", intake: "created" });
  await later.remove("i1");
  expect([party.hooks.size, await statusOf(store, "i1")]).toEqual([1, "removed"]);
  const [hook] = await hooksOf(store);
  expect(hook).toMatchObject({
    state: "retired",
    orphan: expect.stringContaining("no longer has the intake `created`"),
  });
  expect((await deliver(runtime, hook?.id ?? "")).status).toBe(410);
});
