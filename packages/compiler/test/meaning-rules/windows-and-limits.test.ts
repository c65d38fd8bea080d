import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Windows that are closed too early or in another unit, and limits that nothing asks for. */

const jq = (program: string) => ({ "!jq": program });

const windows = (
  post: string,
  pre = "(if $s.done then {from: $s.from, to: (((now | floor) - 120) * 1000), after_id: 0, done: false} else $s end)",
) => ({
  initial_setup: jq(
    "{polling_state: {from: ((now - 86400 | floor) * 1000), to: 0, after_id: 0, done: true}}",
  ),
  pre_poll: jq(`\${polling_state} as $s | {polling_state: ${pre}}`),
  request: {
    "!pipe": [
      {
        "!http": {
          path: "/prescriptions",
          params: {
            changed_from: "${polling_state.from}",
            changed_to: "${polling_state.to}",
            after_id: "${polling_state.after_id}",
            sort: "id",
            limit: 100,
          },
        },
      },
      jq(
        "${polling_state} as $s | {results: .items, iterate: .has_more, polling_state: {from: $s.from, to: $s.to, after_id: (.items[-1].id // $s.after_id), done: (.has_more | not)}}",
      ),
    ],
  },
  post_poll: jq(`\${polling_state} as $s | {polling_state: ${post}}`),
});

describe("polling/cut-cycle", () => {
  test.each([
    ["{from: $s.to, to: $s.to, after_id: 0, done: true}", ["$s.to"]],
    ["($s + {from: $s.to, after_id: 0, done: true})", ["$s.to"]],
    ["(if $s.done then {from: $s.to, to: $s.to, after_id: 0, done: true} else $s end)", []],
    ["($s | if .done then .from = .to else . end)", []],
    ["$s", []],
  ])("%s", (post, at) => {
    expect(inPolling("polling/cut-cycle", windows(post))).toEqual(at);
  });
});

describe("polling/mixed-kinds", () => {
  const post = "(if $s.done then {from: $s.to, to: $s.to, after_id: 0, done: true} else $s end)";
  const opened = (end: string): string =>
    `(if $s.done then {from: $s.from, to: ${end}, after_id: 0, done: false} else $s end)`;

  test("told where the value is made that another key takes over", () => {
    const told = (end: string): string[] => inPolling("polling/mixed-kinds", windows(post, opened(end)));
    expect(told("(now - 120 | todate)")).toEqual(["(now - 120 | todate)"]);
    expect(told("(now - 120)")).toEqual(["(now - 120)"]);
    expect(told("((now - 120) * 1000)")).toEqual([]);
  });
});

describe("jq/forgotten-limit", () => {
  const told = (program: string): string[] => inSource("jq/forgotten-limit", program);

  test.each([
    [
      ". as $e | .seats as $seats | {email: ([.slots[] | select(.seats_left >= 0)][0].email)}",
      [".seats_left >= 0"],
    ],
    [".minAmount as $amount | if .order.amount > 0 then {email} else null end", [".order.amount > 0"]],
    [".party as $seats | {email, free: any(.slots[]; 1 <= .free_seats)}", ["1 <= .free_seats"]],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual(at);
  });

  test.each([
    ".seats as $seats | {email: ([.slots[] | select(.seats_left >= $seats)][0].email)}",
    ".seats as $seats | {email: ([.slots[] | select(.seats_left > 0)][0].email), seats: $seats}",
    // About something else.
    ".party as $party | {email: ([.slots[] | select(.seats_left > 0)][0].email)}",
    // Compared with a word, not with a limit.
    '.seats as $seats | if .seats_kind == "front" then {email} else null end',
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("a step before has what was chosen", () => {
    const program =
      "${piped_content.1.seats} as $seats | [.slots[] | select(.seats_left >= 0)] | first | {slot: .id}";
    expect(
      findings("jq/forgotten-limit", "outbound", {
        "/workflows/0/data_pipeline/target": {
          "!pipe": [
            jq("{seats: (.seats | tonumber)}"),
            { "!http": { path: "/slots", params: { seats: "${piped_content.1.seats}" } } },
            jq(program),
            {
              "!http": {
                method: "POST",
                path: "/slots/${piped_content.3.slot}/people",
                body: { list: "${custom_data.list.value}" },
              },
            },
          ],
        },
      }),
    ).toEqual([".seats_left >= 0"]);
  });
});
