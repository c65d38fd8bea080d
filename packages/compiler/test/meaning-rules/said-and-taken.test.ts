import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** What comments, titles and samples say of people, words, nulls and places: in other words, and what is right although it looks alike. */

const said = (comment: unknown) => ({ "/data_intake/0/_comment": comment });

describe("value/main-of-list", () => {
  const told = (
    program: string,
    description = "Keeps the main guardian as a contact.",
    flag = "main: true",
  ) =>
    inSource("value/main-of-list", program, {
      ...said(`{day, guardians: [{id, ${flag}, email, name}]}`),
      "/workflows/0/description": description,
    });
  const person = "{email: $g.email, name: $g.name}";

  test.each([
    `.guardians[0] as $g | ${person}`,
    `(.guardians | first) as $g | ${person}`,
    `([.guardians[]] | .[0]) as $g | ${person}`,
    `first(.guardians[]) as $g | ${person}`,
    `.guardians | .[0] as $g | ${person}`,
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    `([.guardians[] | select(.main)] | .[0]) as $g | ${person}`,
    `(.guardians | sort_by(.main) | first) as $g | ${person}`,
    `(.guardians | max_by(.main)) as $g | ${person}`,
    "[.guardians[].email] | {email: first}",
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("unless the app speaks of another one, or nothing marks it", () => {
    const first = `.guardians[0] as $g | ${person}`;
    expect(told(first, "Keeps the first guardian as a contact.")).toEqual([]);
    expect(told(first, "Keeps the main guardian as a contact.", "age: 30")).toEqual([]);
    expect(told(first, "Keeps the primary guardian.", "is_primary: true")).toHaveLength(1);
  });
});

describe("value/mixed-people", () => {
  const told = (program: string): string[] => inSource("value/mixed-people", program);
  const mixed = (name: string) =>
    `{email: $p.email, first_name: ${name}, last_name: $p.last_name, phone: $p.phone}`;

  test.each([
    [`. as $c | (.rider.guardian // .rider) as $p | ${mixed("$c.rider.first_name")}`, "$c.rider.first_name"],
    [`.rider as $r | ($r.guardian // $r) as $p | ${mixed("$r.first_name")}`, "$r.first_name"],
    [
      `(if .rider.guardian == null then .rider else .rider.guardian end) as $p | ${mixed(".rider.first_name")}`,
      ".rider.first_name",
    ],
    [`([.guardians[] | select(.main)] | first) as $p | ${mixed(".child.first_name")}`, ".child.first_name"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test("one person under two names", () => {
    expect(told(`.rider as $p | ${mixed(".rider.first_name")}`)).toEqual([]);
    expect(told(`. as $c | .rider as $p | ${mixed("$c.rider.first_name")}`)).toEqual([]);
    expect(told(`(.rider.guardian // .rider) as $p | ${mixed("$p.first_name")}`)).toEqual([]);
  });
});

describe("the number of a record by its title", () => {
  const told = (value: string, title = "Allocation number"): string[] =>
    findings("value/record-at-hand", "inbound-webhook", {
      "/workflows/0/setup/map/describe_source/options": [
        { id: "email", title: "Email" },
        { id: "deal_id", title },
      ],
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/wines/1/allocations/${piped_content.0.allocation_id}" } },
          { "!jq": `{email: .customer.email, deal_id: ${value}}` },
        ],
      },
    });

  test("is the id of that kind of record", () => {
    expect(told(".wine.id")).toEqual([".wine.id"]);
    expect(told(".id")).toEqual([]);
    expect(told(".wine.id", "Wine number")).toEqual([]);
    expect(told(".wine.id", "Number of the bottle")).toEqual([]);
    // Of that no path says that there are such records.
    expect(told(".cellar.id")).toEqual([]);
  });
});

describe("words, nulls and conditions", () => {
  const words = (comment: string, word: string): string[] =>
    inSource(
      "value/undocumented-word",
      `if .state == "${word}" then null else {email: .email} end`,
      said(comment),
    );

  test("lists of words with one for nothing, and with “and”", () => {
    expect(words("state: present, excused, missing. left_at is in seconds.", "absent")).toEqual(['"absent"']);
    expect(words("state: present, excused, missing. left_at is in seconds.", "missing")).toEqual([]);
    expect(words("States are requested, confirmed and cancelled; each has its event.", "canceled")).toEqual([
      '"canceled"',
    ]);
    expect(words("States are requested, confirmed and cancelled; each has its event.", "confirmed")).toEqual(
      [],
    );
    expect(words("Times are local, unzoned and short.", "canceled")).toEqual([]);
    expect(words("state: text, empty or missing.", "absent")).toEqual([]);
  });

  const nulls = (condition: string, value = "$t.due_at / 1000"): string[] =>
    inSource(
      "jq/documented-null",
      `.ticket as $t | if ${condition} then null else {email: $t.email, due: (${value})} end`,
      said(
        '{"type": "ticket", "ticket": {"id": 1, "status": "ready", "due_at": null, "email": "a@b.example"}}',
      ),
    );
  const chosen = "(${custom_data.form.value} | index($t.status)) == null";

  test("a sample with null, behind what a customer chose", () => {
    expect(nulls(`($t.email // "") == "" or ${chosen}`)).toEqual(["$t.due_at / 1000"]);
    expect(nulls(chosen, "if $t.due_at == null then null else $t.due_at / 1000 end")).toEqual([]);
    expect(nulls('$t.status != "done"')).toEqual([]);
    expect(nulls("$t.due_at == null")).toEqual([]);
  });

  const either = (condition: string): string[] =>
    inSource("jq/either-guard", `if ${condition} then {email: .email, days: .days} else null end`);

  test.each([
    ".days != null or .days <= 14",
    ".days <= 14 or .days != null",
    ".days != null or .days > 3",
    ".days == null and .days < 3",
    '.at != "" or .at < "2026"',
  ])("either: %s", (condition) => {
    expect(either(condition)).toHaveLength(1);
  });

  test.each([
    ".days != null and .days <= 14",
    ".days == null or .days <= 14",
    ".days != null or .weeks <= 2",
    ".days > 3 or .days < 1",
  ])("right: %s", (condition) => {
    expect(either(condition)).toEqual([]);
  });
});

describe("a poll that reads one item of a list", () => {
  const poll = (rule: string, mark: string, read = "${piped_content.1.days[0]}", param = "after"): string[] =>
    inPolling(rule, {
      initial_setup: { "!jq": '{polling_state: {day: "2026-01-01"}}' },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/days", params: { [param]: "${polling_state.day}", limit: 2 } } },
          {
            "!switch": {
              jq: "if .days == [] then 0 else 1 end",
              cases: [{ "!jq": "{visits: []}" }, { "!http": { path: "/visits", params: { day: read } } }],
            },
          },
          {
            "!jq": `\${piped_content.1.days} as $days | {results: .visits, iterate: (($days | length) > 1), polling_state: {day: ${mark}}}`,
          },
        ],
      },
    });
  const kept = "${polling_state.day}";

  test("goes on behind that one", () => {
    expect(poll("polling/other-item", `($days[-1] // ${kept})`)).toEqual(["$days[-1]"]);
    expect(poll("polling/other-item", `($days | last // ${kept})`)).toHaveLength(1);
    expect(poll("polling/other-item", `(($days | max) // ${kept})`)).toHaveLength(1);
    expect(poll("polling/other-item", `($days[0] // ${kept})`)).toEqual([]);
    expect(poll("polling/other-item", `(($days | first) // ${kept})`)).toEqual([]);
  });

  test("and not behind today", () => {
    const today = '(now | strftime("%Y-%m-%d"))';
    expect(poll("polling/skipped-day", `($days[0] // ${today})`)).toHaveLength(1);
    expect(poll("polling/skipped-day", `($days[0] // (now | todate[0:10]))`)).toHaveLength(1);
    expect(poll("polling/skipped-day", `($days[0] // ${kept})`)).toEqual([]);
    expect(poll("polling/skipped-day", '($days[0] // (now - 86400 | strftime("%Y-%m-%d")))')).toEqual([]);
    // That day itself is asked for again.
    expect(poll("polling/skipped-day", `($days[0] // ${today})`, undefined, "from")).toEqual([]);
  });
});

describe("what is saved, and what is signed", () => {
  const saved = (steps: readonly unknown[], read = "board_id"): string[] =>
    findings("state/saved-answer", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            "!switch": {
              jq: `if \${data.workflow.${read} | default} == "" then 0 else 1 end`,
              cases: [
                { "!pipe": [{ "!http": { method: "POST", path: "/boards" } }, ...steps] },
                { "!jq": "." },
              ],
            },
          },
          { "!http": { method: "POST", path: "/cards", body: { board: `\${data.workflow.${read}}` } } },
          { "!jq": "{card: .id}" },
          { "!http": { method: "POST", path: "/cards/${piped_content.3.card}/open" } },
        ],
      },
    });
  const save = { "!save": { scope: "workflow" } };

  test("an answer is saved under its own names", () => {
    expect(saved([save])).toEqual(['"!save"']);
    expect(saved([{ "!jq": "{board_id: .id}" }, save])).toEqual([]);
    expect(saved([save], "id")).toEqual([]);
    // Whatever that is, it isn't the board's id by its name.
    expect(saved([save], "owner_id")).toEqual([]);
  });

  const verified = (comment: string): string[] =>
    findings("intake/unsigned-time", "inbound-webhook", {
      "/data_intake/0/verification": {
        _comment: comment,
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: "if .hash == ${piped_content.0.headers.x-signature} and (now - (${piped_content.0.headers.x-time} | tonumber) | fabs) < 300 then 0 else 1 end",
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });

  test("a sender may sign the body alone", () => {
    expect(verified("Deliveries are checked.")).toHaveLength(1);
    expect(verified("X-Signature is the hex HMAC-SHA256 of the raw body.")).toEqual([]);
  });
});

test("words of records of another kind", () => {
  const told = (list: string): string[] =>
    findings("value/own-word", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: `/${list}` } },
          { "!jq": `[.${list}[] | select(.state == "open") | {display: .title, value: .id}]` },
        ],
      },
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/orders/${piped_content.0.order_id}" } },
          { "!jq": '{email: .email, state: {offered: "open", confirmed: "won", released: "lost"}[.state]}' },
        ],
      },
    });
  expect(told("orders")).toEqual(['"open"']);
  expect(told("halls")).toEqual([]);
});

test("the token of the next page at the root of the answer", () => {
  const told = (token: string, kept = ".meta.next"): string[] =>
    findings("api/other-next-token", "inbound-polling", {
      "/api/pagination": { style: { type: "cursor" }, parser: { next_result_token: { "!jq": token } } },
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {cursor: null}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path: "/people", params: { cursor: "${polling_state.cursor}" } } },
          { "!jq": `{results: .items, iterate: (${kept} != null), polling_state: {cursor: ${kept}}}` },
        ],
      },
    });
  expect(told(".next")).toEqual([".next"]);
  expect(told(".meta.next")).toEqual([]);
  expect(told(".next", ".next")).toEqual([]);
});
