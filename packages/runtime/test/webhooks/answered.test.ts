import { describe, expect, test } from "vitest";
import { installed, type TestService } from "../support/installed.ts";
import { thirdParty, webhookConfig } from "../support/third-party.ts";

/** D32: a delivery isn't doubled where its sender never saw the answer and calls again, though nothing numbers it. */
type Made = TestService & { readonly hook: string };

async function service(): Promise<Made> {
  const party = await thirdParty();
  const made = await installed({ config: webhookConfig(party.origin, {}), status: "paused" });
  await made.runtime.activate("i1");
  const [hook] = await made.store.transaction((t) => t.list("hooks", { state: "active" }));
  return { ...made, hook: hook?.id ?? "" };
}

function send({ runtime, hook }: Made, email: string, headers: Record<string, string> = {}) {
  const body = new TextEncoder().encode(JSON.stringify({ email }));
  const request = { hook, method: "POST", headers: { "content-type": "application/json", ...headers }, body };
  return runtime.receive(request, { answers: true });
}

async function statuses({ store }: TestService) {
  return (await store.transaction((t) => t.list("deliveries", {}))).map(({ status }) => status);
}

const none = { delivered: 0, skipped: 0, failed: 0 };
const one = { ...none, delivered: 1 };
const SECOND = 1_000;

describe("an answer that went out", () => {
  test("lets it be delivered at once, and the same text is another event after that", async () => {
    const made = await service();
    for (const count of [1, 2]) {
      const { status, answered } = await send(made, "a@example.com");
      expect([status, await made.runtime.deliver("i1")]).toEqual([200, none]);
      await answered?.();
      expect(await made.runtime.deliver("i1")).toEqual(one);
      expect(await statuses(made)).toEqual(Array(count).fill("delivered"));
    }
  });

  test("isn't waited for where a number tells deliveries apart, or where nobody will tell of it", async () => {
    const made = await service();
    expect((await send(made, "a@example.com", { "webhook-id": "1" })).answered).toBeUndefined();
    expect(await made.runtime.deliver("i1")).toEqual(one);
    const body = new TextEncoder().encode('{"email": "b@example.com"}');
    const headers = { "content-type": "application/json" };
    const given = await made.runtime.receive({ hook: made.hook, method: "POST", headers, body });
    expect(given.answered).toBeUndefined();
    expect(await made.runtime.deliver("i1")).toEqual(one);
  });
});

describe("a process that ended before the answer", () => {
  test("the third party calls again: both are one delivery", async () => {
    const made = await service();
    await send(made, "a@example.com");
    const later = { ...made, runtime: made.restart() };
    made.effects.advance(60 * SECOND);
    expect(await later.runtime.deliver("i1")).toEqual(none);
    const { status, answered } = await send(later, "a@example.com");
    expect(status).toBe(200);
    await answered?.();
    expect(await later.runtime.deliver("i1")).toEqual(one);
    expect(await statuses(made)).toEqual(["delivered"]);
  });

  test("it doesn't: after a while it is delivered, with what came behind it, in order", async () => {
    const made = await service();
    await send(made, "a@example.com");
    const later = { ...made, runtime: made.restart() };
    const behind = await send(later, "b@example.com");
    await behind.answered?.();
    expect(await later.runtime.deliver("i1")).toEqual(none);
    made.effects.advance(120 * SECOND);
    expect(await later.runtime.deliver("i1")).toEqual({ ...none, delivered: 2 });
  });
});
