import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** An intake that reads pages of a list and keeps a key of the state, without other steps of a cycle. */
const polling = (
  rule: string,
  {
    start = "{polling_state: {after: null}}",
    params = { after: "${polling_state.after}" } as Record<string, unknown>,
    program,
    comment,
    more = {},
  }: {
    start?: string;
    params?: Record<string, unknown>;
    program: string;
    comment?: string | undefined;
    more?: Record<string, unknown>;
  },
): string[] =>
  findings(rule, "inbound-polling", {
    "/data_intake/0/_comment": comment,
    "/data_intake/0/initial_setup": { "!jq": start },
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params": params,
    "/data_intake/0/request/!pipe/1/!jq": program,
    ...more,
  });

describe("polling/echoed-page", () => {
  const page = (iterate: string, next: string): string[] =>
    polling("polling/echoed-page", {
      start: "{polling_state: {page: 1}}",
      params: { page: "${polling_state.page}" },
      program: `{results: .items, iterate: (${iterate}), polling_state: {page: ${next}}}`,
    });
  test.each([
    [".paging.number < .paging.last", ".paging.number", 1],
    [".paging.last > .paging.number", ".paging.number", 1],
    [".paging.number < .paging.last", "(.paging.number + 1)", 0],
    // What is compared with another one is the next page.
    [".paging.next <= .paging.last", ".paging.next", 0],
    [".paging.number <= .paging.last", ".paging.number", 0],
    [".paging.more", ".paging.number", 0],
  ])("%s, %s", (iterate, next, count) => {
    expect(page(iterate, next)).toHaveLength(count);
  });
});

describe("polling/cursor-of-empty-page", () => {
  const program = (value: string): string =>
    `{results: .items, iterate: .more, polling_state: {after: ${value}}}`;
  test.each([
    ["end is null if the page is empty.", ".page.end", 1],
    ["An empty page has no end.", ".page.end", 1],
    ["end is null if the page is empty.", "(.page.end // ${polling_state.after})", 0],
    ["end is null on the last page.", ".page.end", 0],
    ["The list may be empty; end is a text.", ".page.end", 0],
    [undefined, ".page.end", 0],
  ])("%s %s", (comment, value, count) => {
    const found = polling("polling/cursor-of-empty-page", { program: program(value), comment });
    expect(found).toHaveLength(count);
  });

  test("where each cycle begins anew", () => {
    const found = polling("polling/cursor-of-empty-page", {
      program: program(".page.end"),
      comment: "end is null if the page is empty.",
      more: { "/data_intake/0/pre_poll": { "!jq": "{polling_state: {after: null}}" } },
    });
    expect(found).toEqual([]);
  });
});

describe("polling/offset-past-end", () => {
  const offset = (next: string, more: Record<string, unknown> = {}): string[] =>
    polling("polling/offset-past-end", {
      start: "{polling_state: {offset: 0}}",
      params: { offset: "${polling_state.offset}", limit: 100 },
      program: `(${next}) as $next | {results: .items, iterate: .more, polling_state: {offset: $next}}`,
      more,
    });
  test.each([
    ["${polling_state.offset} + 100", 1],
    ["${polling_state.offset} + (.items | length)", 0],
    ["${polling_state.offset} + 50", 0],
    ["if .more then ${polling_state.offset} + 100 else 0 end", 0],
  ])("%s", (next, count) => {
    expect(offset(next)).toHaveLength(count);
  });

  test("where each cycle begins anew, or history is read once", () => {
    const anew = { "/data_intake/0/post_poll": { "!jq": "{polling_state: {offset: 0}}" } };
    expect(offset("${polling_state.offset} + 100", anew)).toEqual([]);
  });
});

describe("polling/old-first", () => {
  const both = (at: string, id: string): string[] =>
    polling("polling/old-first", {
      start: "{polling_state: {after: 0, id: 0}}",
      params: { after: "${polling_state.after}", after_id: "${polling_state.id}", sort: "changed_at,id" },
      program: `(.items | last) as $last | {results: .items, iterate: .more, polling_state: {after: ${at}, id: ${id}}}`,
    });
  const newFirst = "($last.id // ${polling_state.id})";
  test.each([
    ["(${polling_state.after} // $last.changed_at)", newFirst, 1],
    ["($last.changed_at // ${polling_state.after})", newFirst, 0],
    // A snapshot is set once.
    ["(${polling_state.after} // .snapshot)", "${polling_state.id}", 0],
    ["${polling_state.after}", newFirst, 0],
  ])("%s, %s", (at, id, count) => {
    expect(both(at, id)).toHaveLength(count);
  });
});

describe("polling/mixed-forms", () => {
  const forms = (start: string, later: string): string[] =>
    findings("polling/mixed-forms", "inbound-polling", {
      "/data_intake/0/initial_setup": { "!jq": `{polling_state: {page: 1, since: ${start}}}` },
      "/data_intake/0/pre_poll": {
        "!jq": `{polling_state: (\${polling_state} + {page: 1, since: ${later}})}`,
      },
      "/data_intake/0/request/!pipe/0/!http/params": {
        page: "${polling_state.page}",
        since: "${polling_state.since}",
      },
    });
  const blank = '(now - 600 | strftime("%Y-%m-%d %H:%M:%S"))';
  test.each([
    [blank, "(now - 600 | todate)", 1],
    [blank, '(now - 600 | strftime("%F %T"))', 0],
    ["(now - 600 | todate)", '(now - 600 | strftime("%Y-%m-%dT%H:%M:%S.000Z"))', 0],
    // A day is no form of a time.
    [blank, '(now - 600 | strftime("%F"))', 0],
    [blank, ".since", 0],
  ])("%s, %s", (start, later, count) => {
    expect(forms(start, later)).toHaveLength(count);
  });
});

describe("intake/unsaved-secret", () => {
  const told = (saved: string, comment: string | undefined, secret = "hook_secret"): string[] => {
    const save = (program: string, method: string) => ({
      "!pipe": [
        { "!http": { method, path: "/hooks", body: { url: "${webhook.url}" } } },
        { "!jq": program },
        { "!save": { scope: "workflow" } },
      ],
    });
    return findings("intake/unsaved-secret", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/create": save("{hook_id: .hook.id, hook_secret: .hook.secret}", "POST"),
      "/data_intake/0/update": save(saved, "PUT"),
      "/data_intake/0/verification": {
        "!switch": {
          jq: `if .headers["x-key"] == \${data.workflow.${secret}} then 0 else 1 end`,
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    });
  };
  const anew = "Each PUT gives the hook a new secret.";
  test.each([
    ["{hook_id: .hook.id}", anew, 1],
    ["{secret: .hook.secret}", undefined, 1],
    ["{hook_id: .hook.id, hook_secret: .hook.secret}", anew, 0],
    // Many services keep it.
    ["{hook_id: .hook.id}", undefined, 0],
    ["{hook_id: .hook.id}", "A change keeps the secret.", 0],
    ["{changed_at: .hook.changed_at}", anew, 0],
  ])("%s %s", (saved, comment, count) => {
    expect(told(saved, comment)).toHaveLength(count);
  });
  test("a secret that verification doesn't read", () => {
    expect(told("{hook_id: .hook.id}", anew, "hook_id")).toEqual([]);
  });
});

describe("api/documented-start", () => {
  const told = (comment: string, style: Record<string, unknown>): string[] =>
    findings("api/documented-start", "outbound", {
      "/api/_comment": comment,
      "/api/pagination": {
        style,
        parser: { total_items: { "!jq": ".total" } },
      },
    });
  const page = (value?: number) => ({ type: "page", page_number: { param: "page", value } });
  const offset = (value?: number) => ({ type: "offset", offset: { param: "from", value } });
  test.each([
    ["Pages are counted from 0.", page(), 1],
    ["Pages are counted from 0.", page(0), 0],
    ["Lists take page (from 1) and per_page (1 to 100).", page(0), 1],
    ["Lists take limit (1 to 50), offset and page (from 1).", offset(0), 0],
    ["from is the number of the first item, counted from 1.", offset(0), 1],
    ["from is the number of the first item, counted from 1.", offset(1), 0],
    ["A score runs from 0 to 1.", page(1), 0],
    ["Pages have 50 records.", page(0), 0],
  ])("%s %j", (comment, style, count) => {
    expect(told(comment, style)).toHaveLength(count);
  });
});

describe("value/other-field", () => {
  const told = (body: Record<string, unknown>): string[] =>
    findings("value/other-field", "outbound", {
      "/workflows/0/setup/select/form_fields/-": {
        id: "till",
        label: "Till",
        type: "dropdown",
        options: [{ display: "One", value: "1" }],
      },
      "/workflows/0/data_pipeline/target/!http/body": body,
    });
  test.each([
    [{ till_id: "${custom_data.list.value}" }, 1],
    [{ till: "${custom_data.list.value}" }, 1],
    [{ till_id: "${custom_data.till.value}" }, 0],
    // It is read elsewhere.
    [{ till_id: "${custom_data.list.value}", other: "${custom_data.till.value}" }, 0],
    [{ list_id: "${custom_data.list.value}" }, 0],
    [{ till_id: "${custom_data.list.value}-1" }, 0],
  ])("%j", (body, count) => {
    expect(told(body)).toHaveLength(count);
  });
});
