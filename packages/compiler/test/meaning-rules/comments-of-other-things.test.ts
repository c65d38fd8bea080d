import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Comments that speak of an old version, of another list, of a part, or of what people see: what is written here is right beside them. */

const target = "/workflows/0/data_pipeline/target";
const email = "${piped_content.0.email}";
const list = "${custom_data.list.value}";
const note = "${custom_data.note.value | default}";
const paged = {
  "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
};
const style = (said: string, given: object, parser: object) => ({
  ...paged,
  "/api/pagination": { _comment: said, style: given, parser },
});
const sizes = (said: string, value = 200) =>
  style(
    said,
    { type: "limitoffset", limit: { param: "limit", value }, offset: { param: "offset" } },
    { total_items: { "!jq": ".total" } },
  );

describe("the size of a page", () => {
  const told = (said: string): number =>
    findings("api/page-over-limit", "outbound", sizes(said)).length +
    findings("http/documented-range", "outbound", sizes(said)).length;

  test.each([
    "limit is at most 100.",
    "A limit above 100 is cut down to 100.",
    "Since v2 limit is at most 100.",
  ])("%s", (said) => {
    expect(told(said)).toBe(1);
  });

  test.each([
    "In v1 limit was at most 100; v2 takes more.",
    "With include=answers, limit is at most 50.",
    "The list of notes has pages of at most 20; lists of all else 500.",
    "Search has a page size of at most 100.",
    "A page is at most 5 MB.",
    "Writes take at most 50 records in one call; a page may have what limit says.",
  ])("%s", (said) => {
    expect(told(said)).toBe(0);
  });

  test.each([
    [200, 1],
    [3, 0],
  ])("a small page, said or not: %d", (said, count) => {
    const all = style(
      `A record has up to 2 MB; the service gives ${said} a page.`,
      { type: "page", page_number: { param: "page" }, page_size: { param: "size", value: 3 } },
      { total_pages: { "!jq": ".pages" } },
    );
    expect(findings("api/odd-page-size", "outbound", all)).toHaveLength(count);
  });
});

describe("api/unasked-count", () => {
  test.each([
    ["The count is only there when $count=true is asked for.", 1],
    ["The count of orders is only there when $count=true is asked for; contacts always have one.", 0],
    ["In v1 the total was only given if with=total was sent.", 0],
    ["The count is only there with $count=true or the header X-Count, which is always sent.", 0],
  ])("%s", (said, count) => {
    expect(findings("api/unasked-count", "outbound", sizes(said, 100))).toHaveLength(count);
  });
});

describe("api/documented-start", () => {
  test.each([
    ["Pages are counted from 0.", 1, 1],
    ["In v1 pages were counted from 0; v2 begins with 1.", 1, 0],
    ["In the app pages are numbered from 1, but the API begins with 0.", 0, 0],
    ["Report pages count from 0 in the PDF; lists are read by page, starting at 1.", 1, 0],
    ["Log pages are zero-based. All others start at 1.", 1, 0],
    ["page counts from 0; page=0 and page=1 give the same first page, so we begin with 1.", 1, 0],
  ])("%s", (said, value, count) => {
    const all = style(
      said,
      { type: "page", page_number: { param: "page", value } },
      { total_pages: { "!jq": ".pages" } },
    );
    expect(findings("api/documented-start", "outbound", all)).toHaveLength(count);
  });
});

describe("api/flag-as-token, api/other-page", () => {
  test.each([
    [".has_next", "has_next says whether there is one more.", 1],
    [".has_next", "has_next has the id of the next page, or null.", 0],
    [".page.first", "page.first leads to the beginning.", 1],
    [".page.first", "page.next leads on; page.first to the beginning.", 1],
    [".page.first", "page.first leads back and page.next leads on.", 1],
    [".page.first", "page.first is the first id of the next page.", 0],
    [".page.token", "page.token is of this page; next_token is beside it.", 1],
    [".page.token", "page.token leads on. (next_token is what exports have.)", 0],
  ])("%s: %s", (read, said, count) => {
    const all = style(
      said,
      { type: "cursor", cursor: { param: "after" } },
      { next_result_token: { "!jq": read } },
    );
    const told = ["api/flag-as-token", "api/other-page"].flatMap((rule) => findings(rule, "outbound", all));
    expect(told).toHaveLength(count);
  });
});

describe("http/documented-range", () => {
  test.each([
    ["priority is 1 to 5.", 1],
    ["priority is 1 to 5 for all customers.", 1],
    ["priority is 1 to 5 for customers; partners like us may send up to 9.", 0],
    ["In the app priority is 1 to 5. The API has it in percent.", 0],
    ["Courses: priority is 1 to 5. Subscribers: priority is the shoe size.", 0],
    ["priority is 2 to 6 most of the time.", 0],
  ])("%s", (said, count) => {
    const all = {
      "/workflows/0/_comment": said,
      [target]: {
        "!http": { method: "POST", path: `/lists/${list}/subscribers`, body: { email, note, priority: 9 } },
      },
    };
    expect(findings("http/documented-range", "outbound", all)).toHaveLength(count);
  });
});

describe("http/first-of-search", () => {
  test.each([
    ["email", "GET /people?email=: everybody whose address contains the text.", 1],
    ["email", "GET /people?email= never matches a part of an address.", 0],
    ["email", "GET /people?email= gives {people} that contain id, email and name.", 0],
    ["email", "GET /people?email= used to match names that begin with the text, and no longer does.", 0],
    ["email", "GET /people?email=: everybody whose address contains the text, the same address first.", 0],
    ["email_like", "email_like takes a pattern.", 1],
    ["email_like", "email_like without * is equality.", 0],
    ["email_contains", "People, by their address.", 1],
    ["emails_contains", "emails_contains: people of whose addresses one is this.", 0],
  ])("%s: %s", (param, said, count) => {
    const all = {
      "/workflows/0/data_pipeline/_comment": said,
      [target]: {
        "!pipe": [
          { "!http": { path: "/people", params: { [param]: email } } },
          { "!jq": "{id: .people[0].id}" },
          { "!http": { method: "POST", path: `/lists/${list}/\${piped_content.2.id}`, body: { note } } },
        ],
      },
    };
    expect(findings("http/first-of-search", "outbound", all)).toHaveLength(count);
  });
});

describe("http/list-form-field", () => {
  test.each([
    ["The body is a form; lists are joined by commas.", 1],
    ["Lists in answers are joined by commas; in the form, several fields of one name are taken.", 0],
    ["The CSV export has comma-separated lists. The form repeats its fields.", 0],
    ["In the query, arrays are sent as text; the body is a form with fields that repeat.", 0],
    ["Until v2 lists were one text with commas, as a,b; now the field is repeated.", 0],
  ])("%s", (said, count) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const all = {
      "/workflows/0/data_pipeline/_comment": said,
      "/workflows/0/setup/select/form_fields/0/type": "multiselect",
      [target]: { "!http": { method: "POST", path: "/people", headers, body: { lists: list, email, note } } },
    };
    expect(findings("http/list-form-field", "outbound", all)).toHaveLength(count);
  });
});

describe("http/documented-null-segment", () => {
  test.each([
    ["guest_id is null for walk-ins.", 1],
    ["In orders guest_id is null for walk-ins; visits always have one.", 0],
    ["guest_id is null for walk-ins, for whom no event is sent.", 0],
    ["guest_id is null for walk-ins. The hook has guests_only, so none of them comes.", 0],
  ])("%s", (said, count) => {
    const all = {
      "/data_intake/0/_comment": said,
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/guests/${piped_content.0.visit.guest_id}" } },
          { "!jq": "{email: .email, name: .name}" },
        ],
      },
    };
    expect(findings("http/documented-null-segment", "inbound-webhook", all)).toHaveLength(count);
  });
});

describe("jq/keeps-empty", () => {
  test.each([
    ["Empty members are left out.", 1],
    ["Empty members are left out by the service, so they may be sent.", 0],
  ])("%s", (_comment, count) => {
    const all = {
      [target]: {
        "!pipe": [
          { _comment, "!jq": "{email, name: .name}" },
          {
            "!http": {
              method: "POST",
              path: `/lists/${list}/subscribers`,
              body: { person: "${piped_content.1}", note },
            },
          },
        ],
      },
    };
    expect(findings("jq/keeps-empty", "outbound", all)).toHaveLength(count);
  });
});
