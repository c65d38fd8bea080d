import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { createRuntime } from "@configc/runtime";
import { pollOnce } from "@configc/runtime/internal";
import { expect, test } from "vitest";
import { testEffects } from "../support/effects.ts";

/** What `configc init --template inbound-polling` writes is copied into real apps: it mustn't miss a record. */
const text = readFileSync(
  new URL("../../../cli/templates/inbound-polling.app.json", import.meta.url),
  "utf8",
);
const customers = ["01", "02", "03", "04", "05"].map((day) => ({
  id: day,
  updated_at: `2015-01-${day}T00:00:00Z`,
}));

/** A service that gives two customers a page, in the order of their dates, from the given time on. */
const http = {
  async request({ url }: { readonly url: string }) {
    const { searchParams } = new URL(url);
    const from = Number(searchParams.get("cursor") ?? 0);
    const since = searchParams.get("updated_after") ?? "";
    const newer = customers.filter(({ updated_at }) => updated_at > since);
    const next = from + 2 < newer.length ? `${from + 2}` : null;
    const answer = { items: newer.slice(from, from + 2), next_cursor: next };
    return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(answer)) };
  },
};

test.each([
  ["one cycle", 100],
  ["cycles that are cut after each request", 1],
])("every page is imported once, in %s", async (_, pollingRequests) => {
  const { app } = compile(text, { uri: "inbound-polling.app.json" });
  const runtime = createRuntime(app, { ...testEffects({ customer: { access_token: "token" } }), http });
  const custom_data = { list: { value: 7, display: "News" } };
  const imported: unknown[] = [];
  let state = {};
  for (let cycle = 0; cycle < 4; cycle++) {
    const given = await pollOnce(runtime, app.intakes[0]!, {
      connection: "customer",
      context: { custom_data, ...state },
      limits: { pollingRequests },
    });
    imported.push(...given.results);
    state = { polling_state: given.polling_state };
  }
  expect(imported).toEqual(customers);
  expect(state).toMatchObject({ polling_state: { cursor: null } });
});
