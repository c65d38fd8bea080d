import { createRuntime, type Effects, portableClock } from "@configc/runtime";
import { onAbort } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { appWith, failureOf, node, runCommand } from "./support/app.ts";
import { testEffects } from "./support/effects.ts";

const never = (): Promise<never> => new Promise(() => undefined);
const get = { "!http": { url: "https://api.example.com/" } };
const entry = { type: "oauth2", configuration: {} };
const api = { base_url: "https://api.example.com" };

/** Effects of a host's own that don't look at the signal. */
const stuck: readonly (readonly [name: string, command: object, effects: Partial<Effects>])[] = [
  ["http", get, { http: { request: never } }],
  ["credentials", get, { credentials: { ...testEffects().credentials, read: never } }],
  [
    "platform",
    { "!resource": "PlatformContact.fields" },
    { platform: { fields: never, upsert: never, sync: never } },
  ],
  [
    "clock",
    get,
    {
      clock: { now: () => 0, sleep: never },
      http: {
        request: async () => ({ status: 429, headers: { "retry-after": "0" }, body: new Uint8Array() }),
      },
    },
  ],
];

describe.concurrent("an effect that never ends keeps no run", () => {
  test.each(stuck)("%s", async (_name, command, more) => {
    const effects = { ...testEffects({ me: { access_token: "t" } }), ...more };
    const parts = { api, entry, effects, connection: "me" };
    const [limited, cancelled] = await Promise.all([
      failureOf(runCommand(command, { ...parts, limits: { time: 20 } })),
      failureOf(runCommand(command, { ...parts, signal: AbortSignal.timeout(20) })),
    ]);
    expect([limited.kind, cancelled.kind]).toEqual(["LimitError", "Cancelled"]);
  });
});

test("hundreds of runs wait for one signal, and Node has nothing to warn of", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warn);
  const controller = new AbortController();
  const http = { request: async () => ({ status: 429, headers: {}, body: new Uint8Array() }) };
  const runtime = createRuntime(appWith(get), { ...testEffects(), clock: portableClock, http });
  const runs = Array.from({ length: 100 }, () => failureOf(runtime.run(node, { signal: controller.signal })));
  setTimeout(() => controller.abort(), 50);
  expect(new Set((await Promise.all(runs)).map(({ kind }) => kind))).toEqual(new Set(["Cancelled"]));
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("warning", warn);
  expect(warnings).toEqual([]);
});

test("a callback that was taken away isn't called", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const off = onAbort(controller.signal, () => called.push("a"));
  onAbort(controller.signal, () => called.push("b"));
  off();
  controller.abort();
  expect(called).toEqual(["b"]);
});
