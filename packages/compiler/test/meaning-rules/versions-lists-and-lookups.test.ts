import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Requests and lists: versions twice in an address, lists of which a part is paged, tokens as texts and in answers, searches for nobody. */

const jq = (program: string) => ({ "!jq": program });
const get = (path: string, params?: object) => ({ "!http": { path, ...(params && { params }) } });

describe("http/repeated-base: a version twice in one address", () => {
  const told = (base: string, path: string): string[] =>
    findings("http/repeated-base", "outbound", {
      "/api/base_url": base,
      "/workflows/0/data_pipeline/target": { "!http": { method: "POST", path, body: "${piped_content.0}" } },
    });
  const [plain, versioned] = ["https://api.example.com", "https://api.example.com/v2"];
  test.each([
    [plain, "/v2/v2/people"],
    [plain, "v1/v1/people/search"],
    [versioned, "/companies/${custom_data.list.value}/v2/people"],
  ])("%s%s", (base, path) => expect(told(base, path)).toHaveLength(1));
  test.each([
    [plain, "/v2/people"],
    [plain, "/v2/v3/people"],
    [versioned, "/companies/v1/people"],
    [plain, "/companies/${custom_data.list.value}/v2/people"],
  ])("right: %s%s", (base, path) => expect(told(base, path)).toEqual([]));
});

describe("http/first-page-only: a part of a list has pages", () => {
  const style = { type: "page", page_number: { param: "page" } };
  const told = (part: object, whole: object): string[] =>
    findings("http/first-page-only", "outbound", {
      "/api/pagination": { style, parser: { total_pages: jq(".pages") } },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": part }, jq("[.items[] | {display: .name, value: .id}]")],
      },
      "/workflows/0/setup/map/describe_target/options": {
        "!pipe": [
          { "!http": whole },
          jq('[.items[] | {title: .name, id: .id}] + [{title: "Email", id: "email"}]'),
        ],
      },
    });
  const paged = { path: "/stages/${custom_data.list.value}/events", pagination: true };
  test.each<[object, object]>([
    [paged, { path: "/events" }],
    [paged, { path: "events/", pagination: false }],
    [{ ...paged, path: "/v1/stages/${custom_data.list.value}/events" }, { path: "/events" }],
  ])("%j %j", (...given) => expect(told(...given)).toHaveLength(1));
  test.each<[object, object]>([
    [paged, { path: "/events", pagination: true }],
    [paged, { path: "/events", params: { open: true } }],
    [paged, { path: "/seats" }],
    [{ path: "/stages/${custom_data.list.value}/events" }, { path: "/events" }],
    [{ path: "/stages/${custom_data.list.value}/tags", pagination: true }, { path: "/tags" }],
  ])("right: %j %j", (...given) => expect(told(...given)).toEqual([]));
});

describe("api.pagination", () => {
  const lists = {
    "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
  };
  const alone = { "/data_intake/0/pre_poll": undefined, "/data_intake/0/post_poll": undefined };

  const asText = (comment: string, parser: string): string[] =>
    findings("api/null-as-text", "inbound-polling", {
      ...lists,
      "/api/pagination": {
        _comment: comment,
        style: { type: "cursor", cursor: { param: "after" } },
        parser: { next_result_token: jq(parser) },
      },
    });
  test.each([
    ["page.after is the cursor of the next page, null on the last one.", ".page.after | tostring"],
    ["paging.after is the token of the next page.", ".paging.after | tostring"],
    ["next leads on.", "(.next | tojson)"],
  ])("a token as a text: %s", (...given) => expect(asText(...given)).toHaveLength(1));
  test.each([
    ["page.after is the cursor of the next page, null on the last one.", ".page.after"],
    ["has_next has the id of the next page.", ".has_next"],
    ["next leads on.", ".next | if . == null then null else tostring end"],
  ])("a token as it is: %s", (...given) => expect(asText(...given)).toEqual([]));

  const starts = (comment: string, value: number, param = "start"): string[] =>
    findings("api/documented-start", "inbound-polling", {
      ...lists,
      "/api/pagination": {
        _comment: comment,
        style: { type: "limitoffset", offset: { param, value } },
        parser: { total_items: jq(".total") },
      },
    });
  test.each<[string, number]>([
    ["Lists count from 1 and answer {total, NAME: [...]}.", 0],
    ["Ordinary lists are numbered from 1: start=1 is the first entry.", 0],
    ["start=0 gives the first record.", 1],
  ])("another start: %s", (...given) => expect(starts(...given)).toHaveLength(1));
  test.each<[string, number]>([
    ["Lists count from 1 and answer {total, NAME: [...]}.", 1],
    ["start=1 is the first entry of the day's log.", 1],
    ["Price lists count from 1 to 9.", 0],
  ])("that start: %s", (...given) => expect(starts(...given)).toEqual([]));

  const elsewhere = (parser: string, program: string): string[] =>
    findings("api/other-next-token", "inbound-polling", {
      ...lists,
      ...alone,
      "/api/pagination": { style: { type: "cursor" }, parser: { next_result_token: jq(parser) } },
      "/data_intake/0/initial_setup": jq("{polling_state: {after: null}}"),
      "/data_intake/0/request": {
        "!pipe": [
          get("/sites", { cursor: "${polling_state.after}" }),
          jq("[.items[].id]"),
          get("/people", { site: "${piped_content.2}" }),
          jq(program),
        ],
      },
    });
  const named =
    "${piped_content.1} as $page | $page.next_cursor as $next | {results: .items, iterate: ($next != null), polling_state: {after: $next}}";
  const plain =
    "${piped_content.1} as $page | {results: .items, iterate: ($page.next_cursor != null), polling_state: {after: $page.next_cursor}}";
  test.each([
    [".meta.next_cursor", named],
    [".meta.next_cursor", plain],
    [".paging.next_token", named],
  ])("in another place: %s", (...given) => expect(elsewhere(...given)).toHaveLength(1));
  test.each([
    [".next_cursor", named],
    [".next_cursor", plain],
    [".meta.next_cursor", named.replace("$page.next_cursor", "$page.meta.next_cursor")],
  ])("in that place: %s", (...given) => expect(elsewhere(...given)).toEqual([]));
});

describe("http/unaimed-person: how it is searched says nothing of whom", () => {
  const told = (params: object): string[] =>
    findings("http/unaimed-person", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          get("/people/search", params),
          {
            "!http": {
              method: "PATCH",
              path: "/people/${piped_content.1.people[0].id}",
              body: "${piped_content.0}",
            },
          },
        ],
      },
    });
  test.each([{ match: "exact" }, { mode: "strict", limit: 1 }, { case_sensitive: "no" }])("%j", (params) =>
    expect(told(params)).toHaveLength(1),
  );
  test.each([
    { email: "${piped_content.0.email}", match: "exact" },
    { code: "WALK-IN", match: "exact", number: "1" },
    { role: "owner" },
  ])("right: %j", (params) => expect(told(params)).toEqual([]));
});

describe("http/graphql-url-as-id: a member that is called an id", () => {
  const told = (member: string, value: string, saved = "{hook_id: (.result.id | tostring)}"): string[] =>
    findings("http/graphql-url-as-id", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hook.add", body: { url: "${webhook.url}" } } },
          jq(saved),
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/delete": { "!http": { method: "POST", path: "/hook.drop", body: { [member]: value } } },
    });
  test.each(["id", "hook_id", "webhook_id"])("%s", (member) =>
    expect(told(member, "${webhook.url}")).toHaveLength(1),
  );
  test("right", () => {
    expect(told("id", "${data.workflow.hook_id}")).toEqual([]);
    expect(told("url", "${webhook.url}")).toEqual([]);
    expect(told("id", "${webhook.url}", "{secret: .secret}")).toEqual([]);
  });
});
