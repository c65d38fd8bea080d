import { expect } from "vitest";
import { type Attack, answer, attacks, complaintsOf, HostileServer, runCommand } from "../harness/index.ts";

interface PageAttack extends Attack {
  readonly style: object;
  readonly parser: Readonly<Record<string, { readonly "!jq": string }>>;
  /** The n-th answer, from 0. */
  readonly page: (number: number) => object;
}

const numbered = { type: "page", page_number: { param: "page", value: 1 } };
const offset = {
  type: "limitoffset",
  offset: { param: "offset", value: 0 },
  limit: { param: "limit", value: 2 },
};
const cursor = { type: "cursor", token: { param: "after" } };
const items = (number: number): object[] => [{ id: number }, { id: -number }];

const cases: readonly PageAttack[] = [
  {
    name: "a total that grows with each page",
    style: numbered,
    parser: { total_pages: { "!jq": ".total" } },
    page: (number) => ({ total: number + 2, items: items(number) }),
  },
  {
    name: "a number of items that has no end",
    style: offset,
    parser: { total_items: { "!jq": ".total" } },
    page: (number) => ({ total: 1e300, items: items(number) }),
  },
  {
    name: "a cursor that is new each time",
    style: cursor,
    parser: { token: { "!jq": ".next" } },
    page: (number) => ({ next: `c${number}`, items: items(number) }),
  },
  {
    name: "two cursors in a circle",
    style: cursor,
    parser: { token: { "!jq": ".next" } },
    page: (number) => ({ next: `c${number % 2}`, items: items(number) }),
  },
  {
    name: "a link to itself",
    style: numbered,
    parser: { next_page_url: { "!jq": ".next" } },
    page: (number) => ({ next: "/items?page=1", items: items(number) }),
  },
  {
    name: "links in a circle of three",
    style: numbered,
    parser: { next_page_url: { "!jq": ".next" } },
    page: (number) => ({ next: `/items?page=${number % 3}`, items: items(number) }),
  },
  {
    name: "the same page for ever",
    style: numbered,
    parser: { total_pages: { "!jq": ".total" } },
    page: () => ({ total: null, items: items(1) }),
  },
];

/** An API that never ends its pages is asked a hundred times at most, and the run says so. */
attacks("pages", cases, async ({ style, parser, page }) => {
  const server = await HostileServer.start((_, number) => answer(JSON.stringify(page(number))));
  const config = {
    $version: "2",
    auth: { a: { type: "basic", defined_fields: { username: {}, password: {} } } },
    api: { base_url: server.origin, pagination: { style, parser } },
    data_intake: [{ type: "webhook", name: "n" }],
    workflows: [
      {
        name: "w",
        label: "W",
        type: "generic",
        auth: "a",
        data_intake: "n",
        setup: {},
        data_pipeline: {
          source: { "!http": { method: "GET", path: "/items", pagination: true } },
          target: { "!resource": "PlatformContact" },
        },
      },
    ],
  };
  try {
    const ended = await runCommand(
      { "a.app.json": JSON.stringify(config), "me.json": '{"a": {"username": "u", "password": "pw-of-u"}}' },
      [
        ...["run", "a.app.json", "workflows.w.data_pipeline.source", "--input", "{}"],
        ...["--credentials", "me.json", "--allow-private-network"],
      ],
    );
    expect(complaintsOf(ended)).toEqual([]);
    expect(server.heads.length).toBeGreaterThan(0);
    expect(server.heads.length).toBeLessThanOrEqual(100);
    return undefined;
  } finally {
    await server.close();
  }
});
