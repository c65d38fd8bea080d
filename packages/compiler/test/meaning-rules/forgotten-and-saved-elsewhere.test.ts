import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";
import { jq } from "../support/steps.ts";

/** State that is forgotten, begins anew, or was saved by somebody else: in other ways, and what is right although it looks alike. */

const head = { "!http": { path: "/head" } };

describe("polling/forgotten-key", () => {
  const polled = (pre: string, kept: string, more: Record<string, unknown> = {}): string[] =>
    inPolling("polling/forgotten-key", {
      initial_setup: { "!pipe": [head, jq("{polling_state: {epoch: .epoch, seq: .seq}}")] },
      pre_poll: { "!pipe": [head, jq(pre)] },
      request: {
        "!pipe": [
          { "!http": { path: "/changes", params: { after: "${polling_state.seq}" } } },
          jq(`\${polling_state} as $s | {results: .changes, iterate: .has_more, polling_state: ${kept}}`),
        ],
      },
      post_poll: undefined,
      ...more,
    });
  const compares =
    "${polling_state} as $s | {polling_state: {epoch: .epoch, seq: (if .epoch == $s.epoch then $s.seq else 0 end)}}";
  const lost = "{seq: (.changes[-1].seq // $s.seq)}";

  test.each([
    compares,
    ". as $head | ${polling_state} | {polling_state: {epoch: $head.epoch, seq: (if $head.epoch != .epoch then 0 else .seq end)}}",
    "${polling_state} as $s | {polling_state: (if .epoch == $s.epoch then $s else {epoch: .epoch, seq: 0} end)}",
    "(${polling_state}.epoch == .epoch) as $same | {polling_state: {epoch: .epoch, seq: (if $same then ${polling_state.seq} else 0 end)}}",
  ])("%s", (pre) => {
    expect(polled(pre, lost)).toEqual([lost]);
    expect(polled(pre, "($s + {seq: (.changes[-1].seq // $s.seq)})")).toEqual([]);
    expect(polled(pre, "{epoch: $s.epoch, seq: (.changes[-1].seq // $s.seq)}")).toEqual([]);
  });

  test("what `pre_poll` begins is looked for by `post_poll`", () => {
    const begin = "${polling_state} as $s | {polling_state: {seq: $s.seq, started: .now}}";
    const after = jq("${polling_state} as $s | {polling_state: {seq: $s.seq, checked_until: $s.started}}");
    expect(polled(begin, lost, { post_poll: after })).toEqual([lost]);
    expect(polled(begin, "($s + {seq: .seq})", { post_poll: after })).toEqual([]);
  });

  test("set again behind each cycle, or there for the first one alone", () => {
    const again = { "!pipe": [head, jq("{polling_state: {seq: ${polling_state.seq}, epoch: .epoch}}")] };
    expect(polled(compares, lost, { post_poll: again })).toEqual([]);
    const first = "${polling_state} as $s | {polling_state: {seq: ($s.epoch // $s.seq)}}";
    expect(polled(first, lost)).toEqual([]);
  });
});

describe("polling/same-request: a token that runs out, in other words", () => {
  const polled = (comment: string, iterate: string): string[] =>
    findings("polling/same-request", "inbound-polling", {
      "/data_intake/0/initial_setup": jq("{polling_state: {cursor: null}}"),
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0": {
        _comment: comment,
        "!http": { path: "/changes", params: { cursor: "${polling_state.cursor}" } },
      },
      "/data_intake/0/request/!pipe/1": jq(
        `.items as $items | {results: $items, iterate: ${iterate}, polling_state: {cursor: .paging.next}}`,
      ),
    });
  test.each([
    "paging: {previous, next}; previous is null on the first page, next is null on the last.",
    "On the last, next is null",
    "Next is missing in the last",
    "next is null on the last page.",
  ])("%s", (comment) => {
    expect(polled(comment, "(($items | length) > 0)")).toHaveLength(1);
    expect(polled(comment, "(.paging.next != null)")).toEqual([]);
  });
  test.each(["next is null on the last day.", "Every page has next.", "The last may be empty."])(
    "%s",
    (comment) => {
      expect(polled(comment, "(($items | length) > 0)")).toEqual([]);
    },
  );
});

describe("intake/delete-unnamed: whose list it is", () => {
  const told = (create: string, path: string, made = "{site_id: .site, hook_id: .id}"): string[] =>
    findings("intake/delete-unnamed", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: create, body: { url: "${webhook.url}" } } },
          jq(made),
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path } },
    });
  const site = "${data.workflow.site_id}";
  test.each([
    ["/sites/${custom_data.form.value}/hooks", `/sites/${site}/hooks`],
    ["/sites/${custom_data.form.value}/hooks", `sites/${site}/hooks/`],
    ["/sites/${custom_data.form.value}/subscriptions", `/sites/${site}/subscriptions`],
    ["/v1/sites/${data.connection.site}/hooks", `/v1/sites/${site}/hooks`],
  ])("%s %s", (create, path) => {
    expect(told(create, path)).toHaveLength(1);
    expect(told(create, `${path.replace(/\/$/, "")}/\${data.workflow.hook_id}`)).toEqual([]);
  });
  test.each([
    // The list is of one alone: the saved value is the registration's own.
    ["/sites/${custom_data.form.value}/hooks", "/sites/${data.workflow.hook_id}/hooks", "{hook_id: .id}"],
    ["/sites/${custom_data.form.value}/hooks", `/sites/${site}/hook`, undefined],
  ])("%s %s", (create, path, made) => {
    expect(told(create, path, made)).toEqual([]);
  });
});

describe("state/saved-answer: below a name of no kind", () => {
  const told = (kept: unknown[], other: string, hook = "hook_id"): string[] =>
    findings("state/saved-answer", "inbound-webhook", {
      // Records of a list would say it, too.
      "/workflows/0/setup/select/form_fields/0/options": [{ display: "All", value: "all" }],
      "/workflows/0/setup/map/describe_source/options": [{ title: "E-mail", id: "email" }],
      "/data_intake/0/update": undefined,
      "/data_intake/0/verification": undefined,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/webhooks", body: { url: "${webhook.url}" } } },
          ...kept,
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/delete": {
        "!http": { method: "DELETE", path: `/webhooks/\${data.workflow.${hook}}` },
      },
      "/workflows/0/setup/connect/describe_connection": {
        "!pipe": [{ "!http": { path: "/me" } }, jq(other)],
      },
    });
  test.each([
    "{account_id: .data.id, description: .data.name}",
    ".data as $me | {account_id: .data.id, description: $me.name}",
    "{account_id: (.result.id | tostring), description: .result.name}",
    "{account_id: .id, description: .name}",
  ])("%s", (other) => {
    expect(told([], other)).toHaveLength(1);
    expect(told([jq("{hook_id: .data.id}")], other)).toEqual([]);
    expect(told([], other, "id")).toEqual([]);
  });
  test("nothing says how answers name ids", () => {
    expect(told([], "{account_id: .data.account_no, description: .data.name}")).toEqual([]);
  });
});

describe("state/saved-elsewhere", () => {
  const save = [{ "!save": { scope: "connection" } }];
  const make = jq("{firm_id: .firm.id, name: .firm.name}");
  const give = jq("{account_id: .firm_id, description: .name}");
  const firm = { "!http": { path: "/firm" } };
  const workflow = (connect: unknown[], pipe: unknown[], fields: unknown[] = []) => ({
    name: "acme-add-a-person",
    label: "Acme - Add a person",
    type: "automations",
    auth: "acme",
    setup: {
      connect: { label: "Connect", describe_connection: { "!pipe": connect } },
      select: { label: "Choose", form_fields: fields },
    },
    data_pipeline: { source: { "!resource": "PlatformContact" }, target: { "!pipe": pipe } },
  });
  const told = (second: unknown, first: unknown[] = [firm, make, ...save, give]): string[] =>
    findings("state/saved-elsewhere", "inbound-webhook", {
      "/workflows/0/setup/connect/describe_connection": { "!pipe": first },
      "/workflows/1": second,
    });
  const people = (headers: unknown, path = "/people") => ({
    "!http": { method: "POST", path, headers, body: "${piped_content.0}" },
  });
  const read = people({ "x-firm": "${data.connection.firm_id}" });
  const without = [firm, make, give];

  test.each([
    workflow(without, [read]),
    workflow([firm, jq("{account_id: .firm.id, description: .firm.name}")], [read]),
    workflow(without, [people({}, "/firms/${data.connection.firm_id}/people")]),
    workflow(without, [jq("{firm: ${data.connection.firm_id}, email: .email}"), people({})]),
    workflow(
      without,
      [people({ "x-adviser": "${custom_data.adviser.value}" })],
      [
        {
          label: "Adviser",
          id: "adviser",
          type: "dropdown",
          options: {
            "!pipe": [
              { "!http": { path: "/firms/${data.connection.firm_id}/advisers" } },
              jq("[.advisers[] | {display: .name, value: .id}]"),
            ],
          },
        },
      ],
    ),
  ])("%j", (second) => {
    expect(told(second)).toEqual(['"describe_connection"']);
  });

  test.each([
    workflow([firm, make, ...save, give], [read]),
    // It goes without.
    workflow(without, [people({ "x-firm": "${data.connection.firm_id | default}" })]),
    workflow(without, [
      {
        "!switch": {
          jq: 'if (${data.connection.firm_id | default}) == "" then 0 else 1 end',
          cases: [{ "!error": "Set up the clients first." }, read],
        },
      },
    ]),
    // It asks something else, and may not be for the same.
    workflow([{ "!http": { path: "/me" } }, jq("{account_id: .id, description: .name}")], [read]),
    workflow(without, [people({})]),
  ])("%j", (second) => {
    expect(told(second)).toEqual([]);
  });
});

describe("polling/restarted-job", () => {
  const told = (
    comment: string,
    going: string,
    { job = "export", place = "page", begin = "1" } = {},
  ): string[] =>
    inPolling("polling/restarted-job", {
      initial_setup: jq(`{polling_state: {${job}: null, ${place}: ${begin}}}`),
      pre_poll: {
        _comment: comment,
        "!switch": {
          jq: `if .polling_state.${job} == null then 0 else 1 end`,
          cases: [
            {
              "!pipe": [
                { "!http": { method: "POST", path: "/exports", body: { kind: "people" } } },
                jq(`{polling_state: {${job}: .id, ${place}: ${begin}}}`),
              ],
            },
            jq(going),
          ],
        },
      },
      request: {
        "!pipe": [
          {
            "!http": {
              path: `/exports/\${polling_state.${job}}/rows`,
              params: { [place]: `\${polling_state.${place}}` },
            },
          },
          jq(
            `\${polling_state} as $s | {results: .rows, iterate: .more, polling_state: {${job}: (if .more then $s.${job} else null end), ${place}: ($s.${place} + 1)}}`,
          ),
        ],
      },
      post_poll: undefined,
    });
  const says = "Goes on with an export that the last cycle left unfinished.";

  test.each([
    [says, "{polling_state: (.polling_state + {page: 1})}", {}],
    [
      "Continues the export of the last cycle.",
      "{polling_state: {export: ${polling_state.export}, page: 1}}",
      {},
    ],
    [
      "An unfinished list: the next cycle picks up that list.",
      "${polling_state} as $s | {polling_state: ($s | .page = 1)}",
      {},
    ],
    [
      "Resumes a job that is not done.",
      "{polling_state: (.polling_state + {offset: 0})}",
      { job: "jobId", place: "offset", begin: "0" },
    ],
  ])("%s %s", (comment, going, names) => {
    expect(told(comment, going, names)).toEqual(["begin" in names ? names.begin : "1"]);
    expect(told(comment, "{polling_state}", names)).toEqual([]);
  });

  test.each([
    ["Reads an unfinished export once more.", "{polling_state: (.polling_state + {page: 1})}"],
    [
      "Goes on with the export, from the beginning since rows move.",
      "{polling_state: (.polling_state + {page: 1})}",
    ],
    [says, "{polling_state: {export: ${polling_state.export}, page: (${polling_state.page} + 1)}}"],
  ])("%s %s", (comment, going) => {
    expect(told(comment, going)).toEqual([]);
  });
});
