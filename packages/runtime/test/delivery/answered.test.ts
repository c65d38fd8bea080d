import type { Delivery } from "@configc/runtime";
import { createVault } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { installed, pollingConfig } from "../support/installed.ts";
import { serve } from "../support/server.ts";

/** E20: a pipeline that the surroundings ended goes on with the answers that it got. */

const request = (method: string, path: string, body?: object) => ({
  "!http": { method, path, ...(body === undefined ? {} : { body }) },
});

/** A workflow whose target sends these requests; each path answers with its statuses one after the other, then with 200. */
async function sending(
  target: readonly object[],
  statuses: Readonly<Record<string, number[]>>,
  {
    items = ["Ada"],
    long,
    nothing,
  }: { readonly items?: readonly string[]; readonly long?: string; readonly nothing?: string } = {},
) {
  const server = await serve(({ path }, count) => {
    const status = statuses[path]?.shift() ?? 200;
    if (path === nothing) return { status, json: null };
    return {
      status,
      json: status === 200 ? { id: count, secret: "canary-answer", ...(path === long ? { text } : {}) } : {},
    };
  });
  const config = {
    api: { base_url: server.origin },
    ...pollingConfig(
      { request: `{results: ${JSON.stringify(items.map((name) => ({ name })))}, iterate: false}` },
      { workflow: { data_pipeline: { source: { "!jq": "." }, target: { "!pipe": target } } } },
    ),
  };
  const options = { limits: { tries: 1 }, vault: createVault(new Uint8Array(32)) };
  const service = await installed({ config, options });
  const asked = () => server.received.map(({ method, path, body }) => `${method} ${path} ${body}`.trim());
  const rows = async (): Promise<readonly Delivery[]> =>
    await service.store.transaction((transaction) => transaction.list("deliveries", {}));
  return { service, asked, rows };
}

/** More than is kept of an item. */
const text = "x".repeat(1024 * 1024);

const two = [
  request("GET", "/look"),
  request("POST", "/person", {}),
  request("GET", "/again"),
  request("POST", "/deal", { person: "${piped_content.2.id}", same: "${piped_content.2.body.id}" }),
];

describe("E20 what a pipeline had changed before the surroundings ended it", () => {
  test("isn't changed again: requests up to there keep their answers, later ones are asked anew", async () => {
    const { service, asked, rows } = await sending(two, { "/deal": [503, 502] });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 503 });
    expect(JSON.stringify(await rows())).not.toContain("canary");
    await expect(service.runtime.deliver("i1")).rejects.toMatchObject({ status: 502 });
    expect(await service.runtime.deliver("i1")).toMatchObject({ delivered: 1 });
    const deal = 'POST /deal {"person":2,"same":2}';
    expect(asked()).toEqual([
      "GET /look",
      "POST /person {}",
      ...["GET /again", deal],
      ...["GET /again", deal],
      ...["GET /again", deal],
    ]);
    expect((await rows())[0]).not.toHaveProperty("answered");
  });

  test("isn't changed again where the answer was `null`", async () => {
    const target = [request("POST", "/note", {}), request("POST", "/deal", {})];
    const { service, asked } = await sending(target, { "/deal": [503] }, { nothing: "/note" });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 503 });
    await service.runtime.deliver("i1");
    expect(asked()).toEqual(["POST /note {}", "POST /deal {}", "POST /deal {}"]);
  });

  test("nothing: all is asked anew", async () => {
    const { service, asked } = await sending(two.slice(0, 2), { "/person": [503] });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 503 });
    await service.runtime.deliver("i1");
    expect(asked()).toEqual(["GET /look", "POST /person {}", "GET /look", "POST /person {}"]);
  });

  test("is changed again where the item failed for its own reasons: what it read then may be the reason", async () => {
    const { service, asked, rows } = await sending(two, { "/deal": [422] });
    expect(await service.runtime.poll("i1")).toMatchObject({ failed: 1 });
    const [row] = await rows();
    expect(row).not.toHaveProperty("answered");
    expect(await service.runtime.retry(row?.id ?? "")).toMatchObject({ delivered: 1 });
    expect(asked().filter((each) => each.startsWith("POST /person"))).toHaveLength(2);
  });

  test("isn't changed again by the retry of an item that was set aside", async () => {
    const refusals = Array.from({ length: 5 }, () => 503);
    const { service, asked, rows } = await sending(two, { "/deal": refusals }, { items: ["Ada", "Grace"] });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 503 });
    for (let tries = 2; tries < 5; tries++)
      await expect(service.runtime.deliver("i1")).rejects.toMatchObject({ status: 503 });
    expect(await service.runtime.deliver("i1")).toMatchObject({ delivered: 1, failed: 1 });
    expect(await service.runtime.retry((await rows())[0]?.id ?? "")).toMatchObject({ delivered: 1 });
    expect(asked().filter((each) => each.startsWith("POST /person"))).toHaveLength(2);
  });

  test("isn't changed again after the run was cancelled in its middle; that was no try", async () => {
    const { service, asked, rows } = await sending(two, {});
    const cancel = new AbortController();
    const { http } = service.effects;
    const until = (request: Parameters<typeof http.request>[0]) => {
      if (request.url.endsWith("/deal")) cancel.abort();
      return http.request(request);
    };
    Object.assign(service.effects, { http: { request: until } });
    const runtime = service.restart();
    await expect(runtime.poll("i1", cancel)).rejects.toMatchObject({ kind: "Cancelled" });
    expect(await rows()).toMatchObject([{ status: "waiting", attempts: 0 }]);
    expect(await runtime.deliver("i1")).toMatchObject({ delivered: 1 });
    expect(asked().filter((each) => each.startsWith("POST /person"))).toHaveLength(1);
  });

  test("what was read is asked anew if it is too large to be kept", async () => {
    const { service, asked, rows } = await sending(two, { "/deal": [503] }, { long: "/look" });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 503 });
    expect(JSON.stringify(await rows()).length).toBeLessThan(5_000);
    expect(await service.runtime.deliver("i1")).toMatchObject({ delivered: 1 });
    const from = ["GET /again", 'POST /deal {"person":2,"same":2}'];
    expect(asked()).toEqual(["GET /look", "POST /person {}", ...from, "GET /look", ...from]);
  });

  test("isn't changed again where its own answer is too large: the item fails, and says why", async () => {
    const { service, asked, rows } = await sending(two, { "/deal": [503] }, { long: "/person" });
    await expect(service.runtime.poll("i1")).rejects.toMatchObject({ status: 503 });
    expect(await service.runtime.deliver("i1")).toMatchObject({ failed: 1 });
    expect(asked().filter((each) => each.startsWith("POST /person"))).toHaveLength(1);
    const [row] = await rows();
    expect(row).toMatchObject({
      status: "failed",
      failure: { kind: "DataError", pointer: "/workflows/0/data_pipeline/target/!pipe/1" },
    });
    expect(row?.failure?.message).toContain("too large to keep");
    expect(await service.runtime.retry(row?.id ?? "")).toMatchObject({ delivered: 1 });
  });
});
