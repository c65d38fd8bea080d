import { compile } from "@configc/compiler";
import { caseEffects } from "@configc/host/internal";
import { expect, test } from "vitest";
import { framesAt } from "../src/look/frames.ts";
import { ran } from "./support/debugged.ts";
import { forth, isTheSameThereAndBack } from "./support/there-and-back.ts";

/** A request of two pages, and the program that says how many there are. */
const paged = compile(
  JSON.stringify({
    $version: "2",
    api: {
      base_url: "https://orders.example",
      pagination: {
        style: { type: "page", page_number: { param: "page", value: 1 } },
        parser: { total_pages: { "!jq": ".meta | .pages" } },
      },
    },
    workflows: [
      {
        name: "orders",
        label: "Orders",
        type: "generic",
        setup: {},
        data_pipeline: { source: { "!http": { path: "/orders", pagination: true } } },
      },
    ],
  }),
);
const run = {
  plan: { node: "/workflows/0/data_pipeline/source", given: { input: null } },
  effects: caseEffects(
    { run: "workflows.orders" },
    {
      request: async ({ url }: { readonly url: string }) => ({
        status: 200,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode(
          JSON.stringify({ meta: { pages: 2 }, items: [new URL(url).searchParams.get("page")] }),
        ),
      }),
    },
  ),
};

test("the program that reads a page is gone into, stage by stage, between the page and the next", async () => {
  const { timeline } = await ran(paged.app, run);
  const names = forth(timeline).map((position) => framesAt(paged.app, timeline, position)[0]?.name);
  const page = (name: string): string[] => [
    name,
    `${name} → 200`,
    "total_pages: !jq",
    "jq stage 1 of 2: .meta",
    "jq stage 2 of 2: .pages",
    "jq output",
  ];
  expect(names).toEqual([
    "source: !http",
    ...page("GET /orders?page=1"),
    ...page("GET /orders?page=2, request 2"),
    "source: !http, done",
    "the end",
  ]);
  expect(await isTheSameThereAndBack(paged, run)).toBe(names.length);
});
