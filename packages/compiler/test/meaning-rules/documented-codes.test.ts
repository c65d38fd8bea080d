import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings } from "../support/rule-findings.ts";

/** Codes that comments list, tables of names, groups and events that contradict what the app says of them elsewhere. */

const source = "/workflows/0/data_pipeline/source";
const comment = "/workflows/0/data_pipeline/_comment";
const field = "/workflows/0/setup/select/form_fields/1";

describe("value/undocumented-code", () => {
  const told = (said: string, program: string): string[] =>
    findings("value/undocumented-code", "inbound-webhook", {
      [comment]: said,
      [source]: { "!jq": program },
    });
  const list = "severity: 1 notice, 2 warning, 3 alarm.";

  test.each([
    [list, '{email, alarm: (.severity == "4")}', ['"4"']],
    [list, "{email, alarm: ((.severity | tonumber) == 4)}", ["4"]],
    [list, "{email, alarm: ((.severity // 1) > 3)}", ["3"]],
    [list, "{email, alarm: (.event.severity >= 4)}", []],
    [
      "An event: severity is 1 (notice), 2 (warning) or 3 (alarm)",
      "{email, alarm: (.event.severity >= 4)}",
      ["4"],
    ],
    ["severity 10 = low, 20 = high", "{email, alarm: (.severity == 30)}", []],
    ["severity: 10 = low, 20 = high", "{email, alarm: (.severity == 30)}", ["30"]],
    [list, '{email, name: {"1": "Notice", "2": "Warning", "4": "Alarm"}[.severity | tostring]}', ['"4"']],
    ["kinds (0: guest, 1: staff; 2: owner)", "{email, owner: (.kind | IN(1, 3))}", ["3"]],
  ])("%s %s", (said, program, marked) => {
    expect(told(said, program)).toEqual(marked);
  });

  test.each([
    [list, "{email, alarm: (.severity == 3)}"],
    [list, "{email, alarm: (.severity > 2)}"],
    [list, "{email, alarm: (.severity <= 3)}"],
    // Of something else.
    [list, "{email, alarm: (.priority == 4)}"],
    // The list goes on.
    ["severity: 1 notice, 2 warning, 3 alarm, and so on", "{email, alarm: (.severity == 4)}"],
    ["severity: 1 notice, 2 warning, 3 alarm, more to come", "{email, alarm: (.severity == 4)}"],
    // The comment speaks of it.
    [`${list} 9 is for tests.`, "{email, alarm: (.severity == 9)}"],
    // Codes with gaps may have more.
    ["severity: 1 notice, 2 warning, 5 alarm", "{email, alarm: (.severity == 4)}"],
    // Numbers of things.
    ["nights: 1 night, 2 nights", "{email, long: (.night == 3)}"],
    ["limit is 100 rows, 40 columns", "{email, long: (.limit == 3)}"],
    // A count.
    ["severity has 3 levels, 2 of them rare", "{email, alarm: (.severity == 4)}"],
  ])("%s %s is right", (said, program) => {
    expect(told(said, program)).toEqual([]);
  });

  test("another line of the comment speaks of it", () => {
    const lines = (line: string): string[] =>
      findings("value/undocumented-code", "inbound-webhook", {
        [source]: { _comment: [list, line], "!jq": "{email, alarm: (.severity == 4)}" },
      });
    expect(lines("Since spring there is severity 4, too.")).toEqual([]);
    expect(lines("4 (loss) only comes from the newest devices.")).toEqual([]);
    expect(lines("level goes up to 4.")).toEqual(["4"]);
  });

  test.each([
    [{ "2": "Warnings and alarms", "4": "Alarms only" }, 1],
    [{ "2": "Warnings and alarms", "3": "Alarms only" }, 0],
    // The app's own.
    [{ "2": "Warnings and alarms", "0": "Everything" }, 0],
    // Another vocabulary.
    [{ "10": "Ten at most", "20": "Twenty at most" }, 0],
  ])("options %j", (options, count) => {
    const found = findings("value/undocumented-code", "inbound-webhook", {
      [comment]: list,
      [field]: dropdown("min-severity", options),
    });
    expect(found).toHaveLength(count);
  });

  test("in a request, and as a fixed value", () => {
    const target = "/workflows/0/data_pipeline/target";
    const sent = (priority: number): string[] =>
      findings("value/undocumented-code", "outbound", {
        [target]: {
          _comment: "priority: 1 urgent, 2 normal, 3 low.",
          "!http": {
            method: "POST",
            path: "/tickets",
            body: { email: "${piped_content.0.email}", priority },
          },
        },
      });
    expect(sent(4)).toEqual(["4"]);
    expect(sent(2)).toEqual([]);
  });
});

describe("value/crossed-codes by lists and comments", () => {
  const told = (program: string, more: Readonly<Record<string, unknown>>): string[] =>
    findings("value/crossed-codes", "inbound-webhook", { ...more, [source]: { "!jq": program } });
  const roles = { [comment]: "role: 0 attendee, 1 panelist, 2 host." };
  const priorities = { [field]: dropdown("priority", { "1": "Urgent", "2": "High", "3": "Low" }) };

  test.each([
    ['{email, role: ["Host", "Panelist", "Attendee"][.role]}', roles, 1],
    ['{email, role: (["Host", "Panelist", "Attendee"][.role] // "Guest")}', roles, 1],
    ['["Host", "Panelist", "Attendee"] as $names | {email, role: $names[.role]}', roles, 1],
    ['{email, role: ["Attendee", "Panelist", "Host"][.role]}', roles, 0],
    [
      '{email, role: ["Host", "Panelist", "Attendee"][.rank]}',
      { [comment]: "kind: 0 attendee, 1 panelist, 2 host." },
      0,
    ],
    ['{email, priority: ["urgent", "high", "low", "none"][.priority // 3]}', priorities, 1],
    ['{email, priority: ["none", "urgent", "high", "low"][.priority // 0]}', priorities, 0],
    // In German nothing is known.
    ['{email, priority: ["keine", "dringend", "hoch", "niedrig"][.priority]}', priorities, 0],
    ["{email, priority: [.a, .b, .c][.priority]}", priorities, 0],
  ])("%s", (program, more, count) => {
    expect(told(program, more)).toHaveLength(count);
  });

  test.each([
    [{ "3": "Emergency", "2": "Next visit", "1": "Routine" }, 1],
    [{ "1": "Emergency", "2": "Next visit", "3": "Routine" }, 0],
    [{ "1": "Notfall", "2": "Besuch", "3": "Egal" }, 0],
  ])("options %j against a comment", (options, count) => {
    const more = {
      [comment]: "Priority: 1 emergency, 2 next visit, 3 routine. Names are texts.",
      [field]: dropdown("priority", options),
    };
    expect(told("{email}", more)).toHaveLength(count);
  });
});

describe("value/other-code", () => {
  const stages = dropdown("stage", { NEW: "New", SCREEN: "Screening", OFFER: "Offer made" });
  const told = (table: string, name = "stage"): string[] =>
    findings("value/other-code", "inbound-webhook", {
      [field]: stages,
      [source]: { "!jq": `{email, ${name}: (${table}[.stage.code] // .stage.code)}` },
    });

  test.each([
    ['{NEW: "New", SCREENING: "Screening", OFFER: "Offer made"}', 1],
    ['{"NEW": "New", "SCREENED": "Screening", "OFFER": "Offer made"}', 1],
    ['{NEW: "New", SCREEN: "Screening", OFFER: "Offer made"}', 0],
    // Another name: another stage.
    ['{NEW: "New", HIRED: "Hired", OFFER: "Offer made"}', 0],
    // A vocabulary of its own.
    ['{NEU: "New", SICHTUNG: "Screening", ANGEBOT: "Offer made"}', 0],
    // Some of them alone.
    ['{NEW: "New", SCREENING: "Screening"}', 0],
  ])("%s", (table, count) => {
    expect(told(table)).toHaveLength(count);
  });
});

describe("mapping/other-group", () => {
  const told = (group: string, options: readonly object[]): string[] =>
    findings("mapping/other-group", "outbound", {
      "/workflows/0/setup/map/default_group": group,
      "/workflows/0/setup/map/describe_target/options": options,
    });
  const titled = (title: string, id: string, group: string): object => ({ title, id, group });
  const answers = [titled("Answer: size", "size", "answers"), titled("Answer: colour", "colour", "answers")];
  test.each([
    [[titled("Email", "email", "person"), ...answers, titled("Answer: job", "job", "person")], 1],
    [[titled("Email", "email", "person"), ...answers, titled("Answer: job", "job", "answers")], 0],
    [[titled("Email", "email", "person"), ...answers, titled("Job", "job", "person")], 0],
    // Two and two.
    [[...answers, titled("Answer: job", "job", "person"), titled("Answer: age", "age", "person")], 0],
  ])("%j", (options, count) => {
    expect(told("person", options)).toHaveLength(count);
  });
});

describe("intake/other-event", () => {
  const told = (name: string, events: unknown, given = "task.completed"): string[] =>
    findings("intake/other-event", "historical-sync", {
      "/data_intake/0/name": name,
      "/workflows/0/data_intake": name,
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/1/request/!pipe/1/!jq": `{results: [.items[] | . + {event: "${given}"}], iterate: false, polling_state: \${polling_state}}`,
    });

  test.each([
    ["task.completed", ["task.inspected"], 1],
    ["task.completed", "task.inspected", 1],
    ["task.completed", ["task.completed"], 0],
    ["task.completed", ["task.completed", "task.inspected"], 0],
    ["task.completed", ["task.*"], 0],
    ["task.completed", ["TaskInspected"], 0],
    ["tasks", ["task.inspected"], 0],
  ])("%s registers %j", (name, events, count) => {
    expect(told(name, events)).toHaveLength(count);
  });

  test("what the programs know is registered", () => {
    expect(told("task.completed", ["task.inspected"], "task.inspected")).toEqual([]);
  });
});
