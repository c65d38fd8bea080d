import { compile } from "@configc/compiler";
import { createHost } from "@configc/host";
import { expect, test } from "vitest";

test("a host runs a command of an app with Node's clock", async () => {
  const { app } = compile('{"workflows": [{"data_pipeline": {"source": {"!jq": "{at: now, email}"}}}]}');
  const host = createHost({ apps: { acme: app } });
  const before = Date.now() / 1000;
  const output = await host
    .runtime("acme")
    ?.run("/workflows/0/data_pipeline/source", { input: { email: "a@example.com" } });
  expect(output).toMatchObject({ email: "a@example.com" });
  expect((output as { at: number }).at).toBeGreaterThanOrEqual(before - 1);
  expect(host.runtime("other")).toBeUndefined();
});
