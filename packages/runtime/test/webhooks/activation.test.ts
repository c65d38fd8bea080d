import { type Hook, memoryStore, RunError, type Runtime, type Store } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { installation, installed, type TestService } from "../support/installed.ts";
import {
  create,
  cut,
  inScope,
  remove,
  type ThirdParty,
  thirdParty,
  update,
  webhookConfig,
} from "../support/third-party.ts";

async function service(intake: object = {}, store?: Store): Promise<TestService & { party: ThirdParty }> {
  const party = await thirdParty();
  const config = webhookConfig(party.origin, intake);
  const made = await installed({ config, status: "paused", ...(store === undefined ? {} : { store }) });
  return { ...made, party };
}

async function hooksOf(store: Store): Promise<readonly Hook[]> {
  return await store.transaction((t) => t.list("hooks", {}));
}

async function statusOf(store: Store, id = "i1") {
  return (await store.transaction((t) => t.get("installations", id)))?.status;
}

/** Writes what a setup that was gone through again would. */
async function edit({ store }: TestService, customData = {}, id = "i1"): Promise<void> {
  await store.transaction(async (t) => {
    const row = (await t.get("installations", id))!;
    await t.put("installations", {
      ...row,
      draft: { step: "ready", settings: { ...row.settings, customData } },
    });
  });
}

const ask = async (runtime: Runtime, hook: string): Promise<number> =>
  (
    await runtime.receive({
      hook,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode('{"email": "a@example.com"}'),
    })
  ).status;

describe("D32 when webhooks run", () => {
  test("activation registers, once; a pause deletes; the next activation has another URL", async () => {
    const { runtime, store, party } = await service();
    await runtime.activate("i1");
    await runtime.activate("i1");
    const [first] = await hooksOf(store);
    expect([...party.hooks.values()]).toEqual([`https://hooks.example.com/${first?.id}`]);
    expect(await statusOf(store)).toBe("active");
    expect(first).not.toHaveProperty("journal");
    await runtime.pause("i1");
    expect([party.hooks.size, await statusOf(store)]).toEqual([0, "paused"]);
    expect(await ask(runtime, first!.id)).toBe(410);
    await runtime.activate("i1");
    expect([...party.hooks.values()]).not.toEqual([`https://hooks.example.com/${first?.id}`]);
    await runtime.remove("i1");
    expect([party.hooks.size, await statusOf(store)]).toEqual([0, "removed"]);
    expect(await store.transaction((t) => t.list("saved", {}))).toEqual([]);
    await expect(runtime.activate("i1")).rejects.toMatchObject({ kind: "DataError" });
  });

  test.each(["connection", "application"])("the first of a %s creates, the last deletes", async (scope) => {
    const made = await service(
      inScope(scope, {
        scope,
        create,
        delete: remove,
        account_id: { "!jq": ".account" },
      }),
    );
    const { runtime, store, party } = made;
    const settings = { customData: {}, connection: "c1", accountId: "7" };
    await store.transaction(async (t) => {
      await t.put("connections", { id: "c1", app: "app", auth: "acme" });
      for (const id of ["i1", "i2", "i3"])
        await t.put("installations", installation(id, "receive", { status: "paused", settings }));
    });
    await Promise.all(["i1", "i2", "i3"].map((id) => runtime.activate(id)));
    expect(party.received.map(({ method }) => method)).toEqual(["POST"]);
    await Promise.all([runtime.pause("i1"), runtime.remove("i3")]);
    expect(party.hooks.size).toBe(1);
    await runtime.pause("i2");
    expect(party.received.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  });

  test.each([
    ["connection", "Bearer customer"],
    ["application", "Bearer app"],
  ])("a webhook of one %s has the credentials %s, and sees nobody's setup", async (scope, authorization) => {
    const party = await thirdParty();
    const config = {
      auth: { acme: { type: "oauth2", configuration: {} } },
      ...webhookConfig(
        party.origin,
        inScope(scope, {
          scope,
          create: {
            "!pipe": [
              { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
              { "!jq": "{hook_id: .hook.id}" },
              { "!save": { scope: "workflow" } },
              {
                "!switch": {
                  jq: 'if ${custom_data.form.value | default} == "" then 0 else 1 end',
                  cases: [{ "!jq": "." }, { "!error": "a setup is seen" }],
                },
              },
            ],
          },
          delete: remove,
          account_id: { "!jq": ".account" },
        }),
        { auth: "acme" },
      ),
    };
    const made = await installed({
      config,
      status: "paused",
      settings: { connection: "c1", accountId: "7", customData: { form: { value: "secret" } } },
    });
    made.effects.credentials.kept.set("c1", { access_token: "customer" });
    made.effects.credentials.kept.set("app/acme", { access_token: "app" });
    await made.runtime.activate("i1");
    expect(party.received.map(({ headers }) => headers.authorization)).toEqual([authorization]);
  });

  test("webhook.update: a changed setup is told, with the URL that is known", async () => {
    const made = await service({ update });
    const { runtime, party } = made;
    await runtime.activate("i1");
    const before = [...party.hooks];
    await edit(made, { form: { value: "2" } });
    await runtime.activate("i1");
    expect(party.received.map(({ method }) => method)).toEqual(["POST", "PUT"]);
    expect([...party.hooks]).toEqual(before);
    // A second activation has nothing to tell.
    await runtime.activate("i1");
    expect(party.received).toHaveLength(2);
  });

  test("an `update` that the surroundings end goes on where it was, for the same settings only", async () => {
    const move = {
      "!pipe": [
        { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
        remove,
        { "!jq": "{hook_id: ${piped_content.1.hook.id}}" },
        { "!save": { scope: "workflow" } },
      ],
    };
    const made = await service({ update: move });
    const { runtime, party, store } = made;
    await runtime.activate("i1");
    party.before = ({ method }) => (method === "DELETE" ? { status: 503 } : undefined);
    await edit(made, { form: { value: "2" } });
    for (let tries = 0; tries < 2; tries++)
      await expect(runtime.activate("i1")).rejects.toMatchObject({ status: 503 });
    expect([...party.hooks.keys()]).toEqual([1, 2]);
    await edit(made, { form: { value: "3" } });
    await expect(runtime.activate("i1")).rejects.toMatchObject({ status: 503 });
    expect([...party.hooks.keys()]).toEqual([1, 2, 3]);
    party.before = undefined;
    await runtime.activate("i1");
    expect([...party.hooks.keys()]).toEqual([2, 3]);
    expect((await hooksOf(store))[0]).not.toHaveProperty("updating");
    await runtime.remove("i1");
    expect([...party.hooks.keys()]).toEqual([2]);
  });

  test("without `update` the new registration is there before the old one is deleted, by its own id", async () => {
    const made = await service();
    const { runtime, store, party } = made;
    await runtime.activate("i1");
    await edit(made);
    await runtime.activate("i1");
    expect(party.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /hooks",
      "POST /hooks",
      "DELETE /hooks/1",
    ]);
    expect((await hooksOf(store)).map(({ state }) => state)).toEqual(["retired", "active"]);
    await runtime.pause("i1");
    expect(party.hooks.size).toBe(0);
  });

  test("a registration that the third party has lost is made anew", async () => {
    const made = await service({ update });
    await made.runtime.activate("i1");
    made.party.hooks.clear();
    await edit(made);
    await made.runtime.activate("i1");
    expect([...made.party.hooks.keys()]).toEqual([2]);
  });

  test("an update that fails leaves what was in force, and its id", async () => {
    const made = await service();
    const { runtime, store, party } = made;
    await runtime.activate("i1");
    await edit(made, { form: { value: "new" } });
    party.before = ({ method }) => (method === "POST" ? { status: 422 } : undefined);
    await expect(runtime.activate("i1")).rejects.toMatchObject({ status: 422 });
    expect(await store.transaction((t) => t.get("installations", "i1"))).toMatchObject({
      status: "active",
      settings: { customData: {} },
      draft: { step: "ready" },
      failure: { status: 422 },
    });
    await runtime.pause("i1");
    expect([party.hooks.size, party.received.at(-1)?.path]).toEqual([0, "/hooks/1"]);
  });

  test.each([404, 410])("%i on delete is success", async (status) => {
    const { runtime, store, party } = await service();
    await runtime.activate("i1");
    party.before = () => ({ status });
    await runtime.pause("i1");
    expect(await statusOf(store)).toBe("paused");
    expect((await hooksOf(store))[0]).not.toHaveProperty("orphan");
  });

  test("a delete that is refused is reported; one that nobody answers is tried again", async () => {
    const { runtime, store, party, effects } = await service();
    await runtime.activate("i1");
    party.before = () => cut;
    await expect(runtime.pause("i1")).rejects.toMatchObject({ kind: "NetworkError" });
    expect(await statusOf(store)).toBe("deactivating");
    expect(await runtime.resume()).toMatchObject([{ id: "i1", failure: { kind: "NetworkError" } }]);
    party.before = () => ({ status: 403 });
    expect(await runtime.resume()).toEqual([]);
    expect((await hooksOf(store))[0]).toMatchObject({
      state: "retired",
      orphan: expect.stringContaining("403"),
    });
    expect(effects.logged.at(-1)?.message).toContain("may be left behind");
    expect(await statusOf(store)).toBe("paused");
  });

  test("a create that is refused leaves nothing; the customer can try again", async () => {
    const { runtime, store, party } = await service();
    party.before = () => ({ status: 422, json: { error: "too many hooks" } });
    await expect(runtime.activate("i1")).rejects.toMatchObject({ kind: "HttpError", status: 422 });
    expect([await statusOf(store), await store.transaction((t) => t.count("members", {}))]).toEqual([
      "paused",
      0,
    ]);
    expect((await hooksOf(store))[0]).not.toHaveProperty("orphan");
    party.before = undefined;
    await runtime.activate("i1");
    expect(party.hooks.size).toBe(1);
  });

  test("a create whose answer gets lost is reported as a possible orphan", async () => {
    const { runtime, store, party } = await service();
    party.after = ({ method }) => (method === "POST" ? cut : undefined);
    await expect(runtime.activate("i1")).rejects.toMatchObject({ kind: "NetworkError" });
    party.after = undefined;
    await runtime.activate("i1");
    const hooks = await hooksOf(store);
    expect(hooks.map(({ state, orphan }) => [state, orphan !== undefined])).toEqual([
      ["retired", true],
      ["active", false],
    ]);
    expect([...party.hooks.keys()]).toEqual([1, 2]);
    expect(await ask(runtime, hooks[0]!.id)).toBe(410);
  });

  test("a create that fails after it has saved its id is deleted again", async () => {
    const { runtime, party } = await service({
      create: { "!pipe": [...create["!pipe"], { "!error": "the plan is too small" }] },
    });
    await expect(runtime.activate("i1")).rejects.toMatchObject({ kind: "AppError" });
    expect(party.hooks.size).toBe(0);
  });
});

/** Fails from the n-th transaction on, as if the process had ended there. */
function dying(store: Store, nth: number): Store {
  let calls = 0;
  return {
    transaction(work, options) {
      if (++calls >= nth) throw new RunError("StoreError", "The process is gone.", undefined);
      return store.transaction(work, options);
    },
    exclusive: (...args) => store.exclusive(...args),
    close: () => store.close(),
  };
}

describe("D32 the process ends in the middle", () => {
  /** Runs a scenario with a process that ends at each of its store calls; the next one resumes. */
  async function atEveryCall(
    intake: object,
    scenario: (runtime: Runtime) => Promise<void>,
    check: (made: TestService & { party: ThirdParty }, at: string) => Promise<void>,
    prepare?: (made: TestService) => Promise<void>,
  ): Promise<number> {
    for (let nth = 1; ; nth++) {
      const made = await service(intake, memoryStore());
      await prepare?.(made);
      let ended = false;
      await scenario(made.restart({ store: dying(made.store, nth) })).catch((error: RunError) => {
        expect(error.kind).toBe("StoreError");
        ended = true;
      });
      const next = made.restart();
      expect(await next.resume()).toEqual([]);
      await scenario(next);
      await check(made, `call ${nth}`);
      if (!ended) return nth;
      expect(nth).toBeLessThan(100);
    }
  }

  test("activation: one registration is in force, and no other is unaccounted for", async () => {
    const calls = await atEveryCall(
      {},
      (runtime) => runtime.activate("i1"),
      async ({ store, party }, at) => {
        const hooks = await hooksOf(store);
        const active = hooks.filter(({ state }) => state === "active");
        expect(active, at).toHaveLength(1);
        expect([...party.hooks.values()], at).toContain(`https://hooks.example.com/${active[0]?.id}`);
        const orphans = hooks.filter(({ orphan }) => orphan !== undefined).map(({ id }) => id);
        for (const url of party.hooks.values())
          expect([active[0]?.id, ...orphans], at).toContain(url.split("/").at(-1));
        // At most one request was made in vain: the one whose answer nobody saw.
        expect(party.received.length, at).toBeLessThanOrEqual(2);
        expect(await statusOf(store), at).toBe("active");
      },
    );
    expect(calls).toBeGreaterThan(8);
  });

  test("a change: the old registration goes when the new one is there", async () => {
    await atEveryCall(
      {},
      (runtime) => runtime.activate("i1"),
      async ({ store, party }, at) => {
        const hooks = await hooksOf(store);
        const active = hooks.filter(({ state }) => state === "active");
        expect(active, at).toHaveLength(1);
        expect(
          hooks.filter(({ state }) => state === "creating" || state === "deleting"),
          at,
        ).toEqual([]);
        const orphans = hooks.filter(({ orphan }) => orphan !== undefined).length;
        expect(party.hooks.size, at).toBeLessThanOrEqual(1 + orphans);
        expect([...party.hooks.values()], at).toContain(`https://hooks.example.com/${active[0]?.id}`);
      },
      async (made) => {
        await made.runtime.activate("i1");
        await edit(made);
      },
    );
  });

  test("a pause: nothing is left", async () => {
    await atEveryCall(
      {},
      (runtime) => runtime.pause("i1"),
      async ({ store, party }, at) => {
        expect([party.hooks.size, await statusOf(store)], at).toEqual([0, "paused"]);
        expect(await store.transaction((t) => t.count("members", {})), at).toBe(0);
      },
      (made) => made.runtime.activate("i1"),
    );
  });

  test("answers that were seen aren't asked for again", async () => {
    const many = {
      "!pipe": [
        { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
        {
          "!http": {
            method: "PUT",
            path: "/hooks/${piped_content.1.hook.id}",
            body: { url: "${webhook.url}" },
          },
        },
        { "!jq": "{hook_id: .hook.id}" },
        { "!save": { scope: "workflow" } },
      ],
    };
    await atEveryCall(
      { create: many },
      (runtime) => runtime.activate("i1"),
      async ({ store, party }, at) => {
        const orphans = (await hooksOf(store)).filter(({ orphan }) => orphan !== undefined).length;
        expect(
          party.received.filter(({ method }) => method === "POST"),
          at,
        ).toHaveLength(1 + orphans);
      },
    );
  });
});
