import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a request leaves out that a later step counts on, beside right ones that look like it. */

describe("http/unaimed-person", () => {
  const told = (...steps: object[]): string[] =>
    findings("http/unaimed-person", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const list = { list: "${custom_data.list.value}" };
  const get = (path: string, params?: object) => ({ "!http": { path, ...(params && { params }) } });
  const first = { "!jq": "{id: .data[0].id, email: ${piped_content.0.email}}" };
  const post = {
    "!http": {
      method: "POST",
      path: "/notes/${piped_content.2.id}",
      body: { to: "${piped_content.2.email}" },
    },
  };
  const patch = {
    "!http": {
      method: "PATCH",
      path: "/guests/${piped_content.1.data.0.id}",
      body: { email: "${piped_content.0.email}" },
    },
  };

  test.each([
    ["no parameters", [get("/customers"), first, post]],
    ["only the list", [get("/customers", list), first, post]],
    ["paging and order", [get("/guests", { ...list, limit: 1, sort: "-id" }), first, post]],
    ["below something", [get("/lists/${custom_data.list.value}/members", { status: "active" }), first, post]],
    ["a search", [get("/people/search", list), first, post]],
    ["read in a path", [get("/guests", list), patch]],
    ["first(…)", [get("/owners", list), { "!jq": "first(.data[]) | {id, email}" }, post]],
  ])("%s", (_, steps) => {
    expect(told(...steps)).toHaveLength(1);
  });

  test.each([
    ["by email", [get("/customers", { ...list, email: "${piped_content.0.email}" }), first, post]],
    ["in the path", [get("/lists/${piped_content.0.list}/members", list), first, post]],
    ["one that is written there", [get("/customers", { number: "WALK-IN" }), first, post]],
    ["another kind", [get("/lists", list), first, post]],
    ["staff", [get("/users", list), first, post]],
    ["searched afterwards", [get("/guests"), { "!jq": "[.data[] | select(.open)][0] | {id, email}" }, post]],
    ["one account", [get("/customer"), first, post]],
  ])("right: %s", (_, steps) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("polling/unasked-size", () => {
  const state = "polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})";
  const told = (
    params: object,
    iterate: string,
    more: Record<string, unknown> = {},
    comment?: string,
  ): string[] =>
    findings("polling/unasked-size", "inbound-polling", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/lists", params: { per_page: 50 } } },
          { "!jq": "[.lists[] | {display: .title, value: .id}]" },
        ],
      },
      "/data_intake/0/request": {
        "!pipe": [
          { ...(comment && { _comment: comment }), "!http": { path: "/people", params } },
          { "!jq": `{results: .people, iterate: (${iterate}), ${state}}` },
        ],
      },
      ...more,
    });
  const page = { page: "${polling_state.page}" };
  const full = "(.people | length) == 100";

  test.each([
    ["a full page", full],
    ["at least", "(.people | length) >= 100"],
    ["a short page is the last", "if (.people | length) < 100 then false else true end"],
  ])("%s", (_, iterate) => {
    expect(told(page, iterate)).toHaveLength(1);
  });

  test("a comment that says what is possible", () => {
    expect(told(page, full, {}, "per_page may be 1 to 100.")).toHaveLength(1);
  });

  test.each([
    ["asked for", { ...page, per_page: 100 }, full],
    ["asked for by another name", { ...page, max: "100" }, full],
    ["by a state", { ...page, limit: "${polling_state.size}" }, full],
    ["any", page, "(.people | length) > 0"],
    ["a flag of the answer", page, ".more"],
  ])("right: %s", (_, params, iterate) => {
    expect(told(params, iterate)).toEqual([]);
  });

  test("right: what the service gives", () => {
    expect(told(page, full, {}, "Sorted by id, in pages of 100.")).toEqual([]);
    expect(told(page, full, {}, "There are always 100 per page.")).toEqual([]);
    const options = {
      "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.l[] | {display: .t, value: .id}]" }],
    };
    const at = "/workflows/0/setup/select/form_fields/0/options";
    expect(told(page, full, { [at]: options })).toEqual([]);
  });
});

describe("http/id-at-hand", () => {
  const made =
    "{guest_id: .data[0].id, starts_on: .data[0].starts_on, email: ${piped_content.0.email}, slug: .data[0].slug}";
  const told = (path: string, program = made): string[] =>
    findings("http/id-at-hand", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/search", params: { email: "${piped_content.0.email}" } } },
          { "!jq": program },
          { "!http": { method: "POST", path, body: { list: "${custom_data.list.value}" } } },
        ],
      },
    });

  test.each([
    ["/guests/${piped_content.2.email}", "email"],
    ["/lists/7/guests/${piped_content.2.starts_on}/stamps", "starts_on"],
    ["/guests/$<piped_content.2.email>?full=1", "email"],
  ])("%s", (path, read) => {
    expect(told(path)).toEqual([read]);
  });

  test("camelCase", () => {
    expect(told("/guests/${piped_content.2.email}", "{guestId: .data[0].id, email: .data[0].email}")).toEqual(
      ["email"],
    );
  });

  test.each([
    "/guests/${piped_content.2.guest_id}",
    "/guests/${piped_content.2.slug}",
    "/days/${piped_content.2.starts_on}",
    "/lists/${piped_content.2.guest_id}",
    "/guest/${piped_content.2.email}",
    "/guests/by-${piped_content.2.email}",
    "/guests/${piped_content.0.email}",
  ])("right: %s", (path) => {
    expect(told(path)).toEqual([]);
  });

  test("a state", () => {
    const polled = (key: string): string[] =>
      findings("http/id-at-hand", "inbound-polling", {
        "/data_intake/0/request": {
          "!pipe": [
            { "!http": { path: `/exports/\${polling_state.${key}}` } },
            {
              "!jq":
                "{results: .rows, iterate: false, polling_state: {export_id: ${polling_state.export_id}, since: .until, part: 1}}",
            },
          ],
        },
      });
    expect(polled("since")).toEqual(["since"]);
    expect(polled("export_id")).toEqual([]);
  });
});
