import { describe, expect, test } from "vitest";
import { allFindings, findings, inSource } from "../support/rule-findings.ts";

/** Kinds of what is compared, cases that deny or don't tell what was chosen, opposite options, and what is right although it looks alike. */

const source = "/workflows/0/data_pipeline/source";
const target = "/workflows/0/data_pipeline/target";
const body = "/data_intake/0/create/!pipe/0/!http/body";
const comment = "/data_intake/0/_comment";
const post = (path: string, sent: unknown) => ({ "!http": { method: "POST", path, body: sent } });
const inTarget = (rule: string, steps: readonly unknown[], changes: Record<string, unknown> = {}): string[] =>
  findings(rule, "outbound", { ...changes, [target]: { "!pipe": steps } });

describe("jq/documented-comparison", () => {
  const told = (condition: string, said: string): string[] =>
    inSource("jq/documented-comparison", `{email: .email, is: (${condition})}`, { [comment]: said });
  const words = '{email, pets: "none" | "some", weeks: 26, ends_on: "2027-02-01"}';

  test.each([
    [".pets == true", words],
    [". as $a | $a.pets != false", words],
    [".pets == true", 'answers: {"move_in": "2027-02-01", "pets": "none"|"some"}'],
    [".stage == true", "stage is open, won or lost"],
    ['.weeks == "26"', words],
    ['.weeks >= "4"', words],
    [".code == 7", '{email, code: "7"}'],
  ])("%s (%s)", (condition, said) => {
    expect(told(condition, said)).toHaveLength(1);
  });

  test.each([
    ['.pets == "some"', words],
    [".pets == null", words],
    [".pets == true", "{email, pets: true}"],
    [".pets == true", '{email, pets: true | "some"}'],
    ['.pets == true or .pets == "true"', words],
    [".weeks == 26", words],
    ['(.weeks | tostring) == "26"', words],
    ['.weeks == 26 or .weeks == "26"', words],
    ['(.weeks | type) == "number" and .weeks == "26"', words],
    ['.ends_on < (now | strftime("%Y-%m-%d"))', words],
    ['(.ends_on | strptime("%Y-%m-%d") | mktime) < now', words],
    [".closed == true", words],
    [".ends_at < now", "ends_at is in seconds"],
    [".pets == true", 'pets: "string" | "null"'],
  ])("right: %s (%s)", (condition, said) => {
    expect(told(condition, said)).toEqual([]);
  });
});

describe("jq/number-as-text", () => {
  const told = (program: string): string[] => inSource("jq/number-as-text", program);

  test.each([
    '.hire as $h | {email: .email, out: ($h.state == "20"), back: ($h.state == 40)}',
    '{email: .email, out: (.hire.state == "20"), back: (.hire.state > 30)}',
  ])("of one record in one program: %s", (program) => {
    expect(told(program)).toEqual(['"20"']);
  });

  test.each([
    ".hire as $h | {email: .email, out: ($h.state == 20), back: ($h.state == 40)}",
    '.hire as $h | .bill as $b | {email: .email, out: ($h.state == "20"), paid: ($b.state == 40)}',
    '.hire as $h | {email: .email, out: ($h.state == "20" or $h.state == 20)}',
    '.hire as $h | {email: .email, out: (($h.state | tostring) == "20"), back: ($h.state == 40)}',
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("value/undocumented-word", () => {
  const events = ["subscription.started", "subscription.paused", "subscription.ended"];
  const told = (condition: string, list: Record<string, unknown> = { events }): string[] =>
    inSource("value/undocumented-word", `.subscription as $s | {email: .email, held: (${condition})}`, {
      [comment]: "status is active, paused or ended.",
      [body]: { url: "${webhook.url}", ...list },
    });

  test("a word that only a list of something else has", () => {
    expect(told('$s.status == "subscription.paused"')).toEqual(['"subscription.paused"']);
    expect(told('$s.status == "paused"')).toEqual([]);
    expect(told('$s.status == "lapsed"', { events, statuses: ["active", "lapsed"] })).toEqual([]);
    expect(told('$s.status == "lapsed"', { events, values: ["active", "lapsed"] })).toEqual([]);
  });
});

describe("jq/same-in-each-case", () => {
  const told = (condition: string, ...made: readonly string[]): string[] =>
    inTarget("jq/same-in-each-case", [
      { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
      {
        "!switch": {
          jq: "if .people == [] then 0 else 1 end",
          cases: made.map((program) => (program === "" ? { "!error": "None" } : { "!jq": program })),
        },
      },
      { "!jq": `{id, reason: (if ${condition} then "welcome" else "loyalty" end)}` },
      post("/credits", "${piped_content.3}"),
    ]);
  const [found, made] = ["{id: .people[0].id, created: false}", "{id: .id, created: true}"];

  test.each([
    [".created", found, found],
    [".created | not", made, made],
    [".created == true", found, found],
    ["${piped_content.2.created}", found, found],
    ['.way == "new"', '{id: 1, way: "old"}', '{id: 2, way: "old"}'],
  ])("%s: %s, %s", (condition, ...cases) => {
    expect(told(condition, ...cases)).toHaveLength(1);
  });

  test.each([
    [".created", found, made],
    [".created", found, "{id: .id, created: .isNew}"],
    [".created", found, "{id: .id}"],
    // The other one goes no further, and the one that is left may be a setting.
    [".created", found, ""],
    [".created == null", found, found],
    [".other", found, found],
  ])("right: %s: %s, %s", (condition, ...cases) => {
    expect(told(condition, ...cases)).toEqual([]);
  });
});

describe("jq/documented-null: members that may have none", () => {
  const told = (said: string, test: string): string[] =>
    inSource("jq/documented-null", `if ${test} then null else {email: (.email | ascii_downcase)} end`, {
      [comment]: said,
    });

  test.each([
    "Members may have no email.",
    "Walk-ins are skipped and members often have no email; both are skipped.",
    "Guests don't always have an email.",
  ])("%s", (said) => {
    expect(told(said, '.email == ""')).toHaveLength(1);
    expect(told(said, '(.email // "") == ""')).toEqual([]);
  });

  test("but not what they have", () => {
    expect(told("Members may have an email.", '.email == ""')).toEqual([]);
    expect(told("Members may have no more than one phone.", '.email == ""')).toEqual([]);
  });
});

describe("setup/exchanged-values: opposite options of a form field", () => {
  const told = (...pairs: readonly (readonly [string, string])[]): string[] =>
    findings("setup/exchanged-values", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": pairs.map(([display, value]) => ({
        display,
        value,
      })),
    });

  test("each has the other's end", () => {
    expect(told(["Inward", "out"], ["Outward", "in"], ["Within the port", "shift"])).toHaveLength(1);
    expect(told(["Incoming calls", "outbound"], ["Outgoing calls", "inbound"])).toHaveLength(1);
    expect(told(["Net", "gross"], ["Gross", "net"])).toHaveLength(1);
  });

  test("unless it is its own, or depends on what it is of", () => {
    expect(told(["Inward", "in"], ["Outward", "out"])).toEqual([]);
    expect(told(["Arrival", "start"], ["Departure", "end"])).toEqual([]);
    expect(told(["Inward", "a"], ["Outward", "in"])).toEqual([]);
  });
});

describe("intake/left-out-event", () => {
  const listed =
    "Payload: {event, stage}; events are enquiry.created, enquiry.updated, place.offered and place.accepted.";
  const told = (events: readonly string[], said = listed, asked = '.stage == "accepted"'): string[] =>
    findings("intake/left-out-event", "inbound-webhook", {
      [comment]: said,
      [body]: { url: "${webhook.url}", events },
      [source]: { "!jq": `{email: .email, family: (${asked})}` },
    });
  const three = ["enquiry.created", "enquiry.updated", "place.offered"];

  test("that the pipeline asks for", () => {
    expect(told(three)).toHaveLength(1);
    expect(told(three, listed, '{offered: "Offered", accepted: "Accepted"}[.stage]')).toHaveLength(1);
  });

  test("unless nothing asks for it, another one tells it, or it is left on purpose", () => {
    expect(told([...three, "place.accepted"])).toEqual([]);
    expect(told(three, listed, '.stage == "offered"')).toEqual([]);
    expect(told(["enquiry.created", "enquiry.updated"])).toEqual([]);
    expect(told(three, `${listed} We don't need the last one.`)).toEqual([]);
    const updated = listed.replace("enquiry.updated", "place.updated");
    expect(told(["enquiry.created", "place.updated", "place.offered"], updated)).toEqual([]);
  });
});

describe("value/main-of-list: one of them is the main one", () => {
  const told = (said: string, list = "parents"): string[] =>
    findings("value/main-of-list", "inbound-webhook", {
      [comment]: [`{id, ${list}: [{main, email}]}`, said],
      [source]: { "!jq": `.${list}[0] as $p | {email: $p.email}` },
    });

  test("that alone is meant", () => {
    expect(told("One of the parents is the main one; only that one is imported.")).toHaveLength(1);
    expect(told("Of the parents one is marked as main, and just that one is written.")).toHaveLength(1);
    expect(told("One of the guests is the main one, and it counts.", "guests")).toHaveLength(1);
    expect(told("One of the parents is the main one.")).toEqual([]);
    expect(told("Only parents with an email are imported.")).toEqual([]);
  });
});

describe("command/exchanged-cases: a case that denies what was chosen", () => {
  const kinds = (...values: readonly string[]) => ({
    "/workflows/0/setup/select/form_fields/1": {
      label: "Kind",
      id: "kind",
      type: "dropdown",
      options: values.map((value) => ({ display: `Kind ${value}`, value })),
    },
  });
  const told = (jq: string, ...cases: readonly unknown[]): string[] =>
    inTarget("command/exchanged-cases", [{ "!switch": { jq, cases } }], kinds("plain", "certified", "sworn"));
  const chosen = "${custom_data.kind.value}";
  const piped = `${chosen} | if . == "plain" then 0 elif . == "certified" then 1 else 2 end`;
  const job = (certified: boolean) => post("/jobs", { certified });

  test.each([
    piped,
    `if ${chosen} == "plain" then 0 elif ${chosen} == "certified" then 1 else 2 end`,
    `{plain: 0, certified: 1, sworn: 2}[${chosen}]`,
  ])("%s", (jq) => {
    const sworn = post("/jobs", { sworn: true });
    expect(told(jq, job(true), job(false), sworn)).toHaveLength(1);
    expect(
      told(jq, { "!jq": ". + {certified: true}" }, { "!jq": ". + {certified: false}" }, sworn),
    ).toHaveLength(1);
    expect(told(jq, job(false), job(true), sworn)).toEqual([]);
    // Nobody says that it is, or no customer chooses it.
    expect(told(jq, job(false), job(false), sworn)).toEqual([]);
    expect(told(jq.replaceAll(chosen, ".kind"), job(true), job(false), sworn)).toEqual([]);
  });
});

test("a comparison that is told for any value is told once", () => {
  const rules = allFindings("inbound-webhook", {
    [comment]: "{email, weeks: 26}",
    [source]: { "!jq": '{email: .email, is: ((.weeks | length) == "26")}' },
  }).map(({ rule }) => rule);
  expect(rules).not.toContain("jq/documented-comparison");
});
