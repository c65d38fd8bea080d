import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";
import { byEmail, cases, get, jq, post } from "../support/steps.ts";

/** Steps that nothing takes, words that no part has, and what only another workflow saves: in other ways, and what is right although it looks alike. */

const source = "/workflows/0/data_pipeline/source";
const target = "/workflows/0/data_pipeline/target";
const inPipe = (rule: string, ...steps: unknown[]): string[] =>
  findings(rule, "outbound", { [target]: { "!pipe": steps } });

describe("jq/skipped-piece", () => {
  test.each([
    [`{first: (.name | split(" ") | .[0]), last: (.name | split(" ") | .[2:] | join(" "))}`, ".[2:]"],
    [`{first: (.name | split(" ") | first), last: (.name | split(" ") | .[2:] | join(" "))}`, ".[2:]"],
    [`(.name | split(" ")) as $p | {first: $p[0], last: ($p[2:] | join(" "))}`, "$p[2:]"],
    [
      `{first: (.name | split(" "))[0], last: ((.name | split(" "))[2:] | join(" "))}`,
      `(.name | split(" "))[2:]`,
    ],
    [
      `.n as $n | {first: ($n | split(" ") | .[:1] | join(" ")), last: ($n | split(" ") | .[3:] | join(" "))}`,
      ".[3:]",
    ],
    [`(.name / " ") as $p | {first: $p[0], last: ($p[2:] | join(" "))}`, "$p[2:]"],
    [`(.name | split(" ")) as $p | {first: $p[1], last: ($p[1:] | join(" "))}`, "$p[1]"],
    [`{words: (.name | split(" "))} | {first: .words[0], last: (.words[2:] | join(" "))}`, ".words[2:]"],
  ])("%s", (program, marked) => {
    expect(inSource("jq/skipped-piece", program)).toEqual([marked]);
  });

  test.each([
    `{first: (.name | split(" ") | .[0]), last: (.name | split(" ") | .[1:] | join(" "))}`,
    `{first: (.name | split(" ") | .[:2] | join(" ")), last: (.name | split(" ") | .[2:] | join(" "))}`,
    // The middle name has a place of its own.
    `(.name | split(" ")) as $p | {first: $p[0], middle: $p[1], last: ($p[2:] | join(" "))}`,
    // Which word the name begins with is decided.
    `(.name | split(" ")) as $p | {first: $p[0], last: (if ($p | length) > 2 then $p[2:] else $p[1:] end | join(" "))}`,
    // Two texts.
    `{first: (.name | split(" ") | .[0]), last: (.title | split(" ") | .[2:] | join(" "))}`,
    // The first words are a number and its sign.
    `{street: (.address | split(" ") | .[2:] | join(" "))}`,
    `{year: (.day | split("-") | .[0]), rest: (.day | split("-") | .[2:] | join("-"))}`,
    // A title before the name, and a number before a street.
    `(.name | split(" ")) as $p | {first: $p[1], last: ($p[2:] | join(" "))}`,
    `(.name | split(" ")) as $p | {title: $p[0], first: $p[1], name: ($p[1:] | join(" "))}`,
    // Not words.
    `{n: .ranks} | {best: .n[0], others: .n[2:]}`,
    `{n: (.name | split(" "))} | {first: .n[0], last: (.n[2:] | join(" ")), more: (.n | length > 2)}`,
  ])("%s", (program) => {
    expect(inSource("jq/skipped-piece", program)).toEqual([]);
  });

  const kept = (names: string, ...steps: readonly string[]): string[] =>
    findings("jq/skipped-piece", "inbound-webhook", {
      [source]: { "!pipe": [jq(`{email: .email, names: (${names})}`), ...steps.map(jq)] },
    });
  const words = '.name | split(" ")';
  const apart = '. + {first: .names[0], last: (.names[2:] | join(" "))} | del(.names)';

  test("of words that an earlier step keeps", () => {
    expect(kept(words, ". + {kind: 1}", apart)).toEqual([".names[2:]"]);
    expect(kept(words, "if .email then . else null end", apart)).toEqual([".names[2:]"]);
  });
  test.each([
    [words, ". + {middle: .names[1]}", apart],
    [words, `. + {first: .names[0], last: (.names[1:] | join(" "))} | del(.names)`],
    [".first_names", apart],
  ])("%s, %s", (names, ...steps) => {
    expect(kept(names, ...steps)).toEqual([]);
  });
});

describe("unused/step-output: only asked whether it is null", () => {
  const told = (made: string, next: string): string[] =>
    findings("unused/step-output", "inbound-webhook", {
      [source]: { "!pipe": [get("/people/${piped_content.0.id}"), jq(made), jq(next)] },
    });
  const made = ".person as $p | if $p.consent then {email: $p.email, name: $p.name} else null end";

  test.each([
    "if . == null then null else ${piped_content.1.person} + {_tags: [${piped_content.0.kind}]} end",
    "if . != null then {email: ${piped_content.1.person.email}} else null end",
    "${piped_content.1.person} as $p | if (. == null) then null else ($p + {_tags: []}) end",
    "(. == null) as $no | if $no then null else ${piped_content.1} end",
  ])("%s", (next) => {
    expect(told(made, next)).toHaveLength(1);
  });

  test.each([
    [made, "if . == null then null else . + {_tags: [${piped_content.0.kind}]} end"],
    [made, "if . == null then null else ${piped_content.2} + {_tags: []} end"],
    [made, "if . == null then null else {email, kind: ${piped_content.0.kind}} end"],
    // It says no more than whether to go on.
    [
      "if .person.consent then {ok: true} else null end",
      "if . == null then null else ${piped_content.1.person} end",
    ],
    [
      "if .person.consent then .person else null end",
      "if . == null then null else ${piped_content.1.person} end",
    ],
  ])("%s | %s", (step, next) => {
    expect(told(step, next)).toEqual([]);
  });
});

describe("value/record-at-hand: picked from any list, or made", () => {
  const told = (list: string, path: string, id: string): string[] =>
    inPipe(
      "value/record-at-hand",
      get(path, byEmail),
      cases(`if (.${list} | length) > 0 then 0 else 1 end`, jq(`.${list}[0]`), post(path, byEmail)),
      get("/hearings/${custom_data.list.value}"),
      jq(`{interpreter_id: \${piped_content.${id}}, language: .language}`),
      post("/hearings/${custom_data.list.value}/invitations", "${piped_content.4}"),
    );
  test.each([
    ["items", "/interpreters"],
    ["data", "/interpreters"],
    ["results", "/v2/interpreters"],
    ["interpreters", "/interpreters"],
  ])("%s of %s", (list, path) => {
    expect(told(list, path, "3.id")).toHaveLength(1);
    expect(told(list, path, "2.id")).toEqual([]);
  });
  test("of another list", () => {
    expect(told("items", "/offices", "3.id")).toEqual([]);
  });
});

describe("pipeline/superseded-body: a filter that may refuse", () => {
  const clean = "with_entries(select(.value != null and .value != ''))".replace("''", '""');
  const told = (program: string, sent: string, comment?: string): string[] =>
    inPipe("pipeline/superseded-body", jq(program), get("/people", { email: "${piped_content.1.email}" }), {
      _comment: comment,
      "!switch": {
        jq: "if (.people | length) > 0 then 1 else 0 end",
        cases: [
          post("/people", "${piped_content.1}"),
          { "!http": { method: "PATCH", path: "/people/${piped_content.2.people[0].id}", body: sent } },
        ],
      },
    });
  test.each([
    `${clean} | if .email == null then error("No email") else . end`,
    `${clean} | (if (.email // "") == "" then error("No email") else . end)`,
    `. as $all | ${clean} | if .email then . else error end`,
    `if .email == null then error("No email") else . end | ${clean}`,
  ])("%s", (program) => {
    expect(told(program, "${piped_content.1}")).toEqual([]);
  });
  test.each([
    `${clean} | if .email == null then error("No email") else . end`,
    `${clean} | (if (.email // "") == "" then error("No email") else . end)`,
    `. as $all | ${clean} | if .email then . else error end`,
    clean,
  ])("before: %s", (program) => {
    expect(told(program, "${piped_content.0}")).toEqual(["piped_content.0"]);
  });
  test("on purpose", () => {
    const program = `${clean} | if .email == null then error("No email") else . end`;
    expect(told(program, "${piped_content.0}", "A null clears the field there.")).toEqual([]);
    expect(told(`${clean} | if .email == null then {} else . end`, "${piped_content.0}")).toEqual([]);
  });
});

describe("pipeline/unchosen-record: the chosen one is sent elsewhere", () => {
  const chosen = "{slot: ([.slots[] | select(.open)] | min_by(.starts_at))}";
  const told = (hold: string, ...more: unknown[]): string[] =>
    inPipe(
      "pipeline/unchosen-record",
      get("/slots"),
      jq(chosen),
      jq("{slot_id: .slot.id}"),
      post(`/slots/\${${hold}}/hold`, { minutes: 10 }),
      ...more,
    );
  const booking = post("/bookings", {
    slot_id: "${piped_content.3.slot_id}",
    email: "${piped_content.0.email}",
  });
  test.each([
    booking,
    post("/bookings", { slot: { slot_id: "${piped_content.3.slot_id}" } }),
    post("/bookings", { slotId: "${piped_content.2.slot.id}" }),
    post("/slots/${piped_content.3.slot_id}/bookings", byEmail),
  ])("%j", (other) => {
    expect(told("piped_content.1.slots[0].id", other)).toEqual(["piped_content.1.slots[0]"]);
    expect(told("piped_content.3.slot_id", other)).toEqual([]);
  });
  test("nothing else names a slot", () => {
    expect(told("piped_content.1.slots[0].id", post("/log", { text: "${piped_content.3.slot_id}" }))).toEqual(
      [],
    );
  });
});

describe("pipeline/compared-raw", () => {
  const born = '(.child_born[0:10] | strptime("%Y-%m-%d") | strftime("%d.%m.%Y"))';
  const told = (made: string, asked: string, before: unknown = get("/entries", byEmail)): string[] =>
    inPipe(
      "pipeline/compared-raw",
      jq(made),
      before,
      cases(asked, { "!print_c": "Known" }, post("/entries", "${piped_content.1}")),
    );
  test.each([
    [
      `{child: {born: ${born}}}`,
      "${piped_content.0.child_born} as $b | if any(.items[]; .child.born == $b) then 0 else 1 end",
    ],
    [`{born: ${born}}`, "if any(.items[]; ${piped_content.0.child_born} == .born) then 0 else 1 end"],
    [
      `if .child_born then {born: ${born}} else error("No birthday") end`,
      "if [.items[] | select(.born == ${piped_content.0.child_born})] | length > 0 then 0 else 1 end",
    ],
    [
      `{plate: (.plate_no | gsub("[ -]"; ""))}`,
      "if any(.items[]; .plate == ${piped_content.0.plate_no}) then 0 else 1 end",
    ],
  ])("%s: %s", (made, asked) => {
    expect(told(made, asked)).toHaveLength(1);
    expect(
      told(made, asked.replace(/piped_content\.0\.(?:child_born|plate_no)/, "piped_content.1.born")),
    ).toEqual([]);
  });
  test.each([
    // Another member of the answer.
    [`{born: ${born}}`, "if any(.items[]; .birthday == ${piped_content.0.child_born}) then 0 else 1 end"],
    // It is only read with a default.
    [
      `{born: (.child_born // "")}`,
      "if any(.items[]; .born == ${piped_content.0.child_born}) then 0 else 1 end",
    ],
  ])("%s: %s", (made, asked) => {
    expect(told(made, asked)).toEqual([]);
  });
  test("what a step made is compared with what it was made of", () => {
    expect(
      told(
        `{born: ${born}}`,
        "if .born == ${piped_content.0.child_born} then 0 else 1 end",
        jq(". + {new: true}"),
      ),
    ).toEqual([]);
  });
});

describe("reference/response-for-payload: by a comment", () => {
  const told = (comment: string, read: string): string[] =>
    findings("reference/response-for-payload", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      [source]: {
        "!pipe": [
          get("/cases/${piped_content.0.case_id}"),
          jq(`.case as $c | {email: $c.email, step: ({"case.new": "New"}[\${piped_content.${read}}])}`),
        ],
      },
    });
  test.each([
    "Payload: {event, case_id}.",
    "A delivery carries ids only: {delivery, event, case_id}.",
    'The webhook sends {"event": "case.new", "case_id": 12}.',
    "Deliveries are {case_id, event?}",
  ])("%s", (comment) => {
    expect(told(comment, "1.event")).toEqual(["1"]);
    expect(told(comment, "0.event")).toEqual([]);
  });
  test.each([
    "Payload: {kind, case_id}.",
    "The case answers {case, event}.",
    "Payload: {event, case_id}. A case is answered as {case, event}.",
  ])("%s", (comment) => {
    expect(told(comment, "1.event")).toEqual([]);
  });
});

describe("reference/event-of-answer", () => {
  const rules = ["reference/event-of-answer", "reference/response-for-payload"];
  const told = (path: string, program: string, { comment = "Cases.", method = "GET" } = {}): string[] =>
    rules.flatMap((rule) =>
      findings(rule, "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": {
          url: "${webhook.url}",
          events: ["case.new", "case.done"],
        },
        [source]: {
          _comment: comment,
          "!pipe": [{ "!http": { path, method } }, get("/teams/${piped_content.1.team_id}"), jq(program)],
        },
      }),
    );
  const path = "/cases/${piped_content.0.case_id}";
  const table = '{"case.new": "New", "case.done": "Done"}';

  test.each([
    [`{email: .email, step: (${table}[\${piped_content.1.event}])}`, "${piped_content.1.event}"],
    [`{email: .email, step: (${table}[\${piped_content.2.event}])}`, "2"],
    [`{email: .email, step: ${table}[.event]}`, ".event"],
    [`.event as $event | {email: .email, step: ${table}[$event]}`, ".event"],
    [
      '{email: .email, step: {"case.new": "New", "case.done": "Done", "case.imported": "Old"}[.event]}',
      ".event",
    ],
    ['{email: .email, step: (if .event == "case.new" then "New" else "Done" end)}', ".event"],
  ])("%s", (program, marked) => {
    expect(told(path, program)).toEqual([marked]);
  });

  test.each([
    [path, `{email: .email, step: (${table}[\${piped_content.0.event}])}`, {}],
    [path, '{email: .email, step: {"case.new": "New", "new": "New", "done": "Done"}[.event]}', {}],
    // The state of the case, by other words.
    [path, '{email: .email, step: ({"new": "New", "done": "Done"}[${piped_content.1.event}])}', {}],
    [path, `{email: .email, step: (${table}[\${piped_content.1.last_change}])}`, {}],
    // The event itself is asked for.
    ["/events/${piped_content.0.id}", `{email: .email, step: (${table}[\${piped_content.1.event}])}`, {}],
    ["/cases/1/touch", `{email: .email, step: (${table}[\${piped_content.1.event}])}`, { method: "POST" }],
    [
      path,
      `{email: .email, step: (${table}[\${piped_content.1.event}])}`,
      { comment: "A case answers {event, team_id}." },
    ],
  ])("%s: %s %j", (asked, program, more) => {
    expect(told(asked, program, more)).toEqual([]);
  });
  test("a record with a kind of its own", () => {
    const found = (kinds: readonly string[]): string[] =>
      findings("reference/event-of-answer", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", kinds },
        [source]: {
          "!pipe": [
            get(path),
            jq(`{email: .email, tag: (if .kind == "${kinds[0]}" then "New" else "Other" end)}`),
          ],
        },
      });
    expect(found(["call", "visit"])).toEqual([]);
    expect(found(["case.new", "case.done"])).toEqual([".kind"]);
  });
});

describe("jq/nothing-gathered", () => {
  test.each([
    ["{email, sum: (reduce .bills[] as $b (0; $b.cents))}", "$b.cents"],
    [
      "{email, sum: (reduce .bills[] as $b (0; if $b.paid then $b.cents else 0 end))}",
      "if $b.paid then $b.cents else 0 end",
    ],
    ["{email, names: (reduce .tags[] as $t ({}; {($t.id): $t.name}))}", "{($t.id): $t.name}"],
    ["{email, words: (reduce .texts[] as $t (0; $t | length))}", "$t | length"],
  ])("%s", (program, marked) => {
    expect(inSource("jq/nothing-gathered", program)).toEqual([marked]);
  });

  test.each([
    "{email, sum: (reduce .bills[] as $b (0; . + $b.cents))}",
    "{email, last: (reduce .bills[] as $b (null; $b))}",
    "{email, most: (reduce .bills[] as $b (0; [., $b.cents] | max))}",
    "{email, names: (reduce .tags[] as $t ({}; .[$t.id] = $t.name))}",
    "{email, sum: (reduce .bills[] as $b ({n: 0}; {n: (.n + 1), last: $b.at}))}",
    "{email, sum: (reduce .bills[] as $b (0; $b.cents as $c | . + $c))}",
    "def add($c): . + $c; {email, sum: (reduce .bills[] as $b (0; add($b.cents)))}",
    '{email, texts: (reduce .tags[] as $t (""; "\\(.)\\($t)"))}',
  ])("%s", (program) => {
    expect(inSource("jq/nothing-gathered", program)).toEqual([]);
  });
});
