import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { cyclesOf } from "../../src/check/rules/polling/cycles.ts";
import { leavesOf } from "../../src/flow/machine/leaves.ts";
import { coursesOf, given } from "../../src/flow/machine/pipeline.ts";
import { memberOf, resolved, UNKNOWN } from "../../src/flow/machine/value.ts";

/** What a target's requests send, by the lookups that find nothing. */
function targetRuns(target: unknown) {
  const document = template("outbound");
  document.workflows[0].data_pipeline.target = target;
  const { model } = compile(JSON.stringify(document), { uri: "machine.app.json" });
  const [workflow] = model.workflows;
  const command = model.commands.find(
    ({ place, parent }) => parent === undefined && place.name === "data_pipeline.target",
  );
  return coursesOf(command!, workflow!, model, { input: given });
}

function template(name: string) {
  const url = new URL(`../../../cli/templates/${name}.app.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8"));
}

const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };

test("a lookup finds a record with an id, or none", () => {
  const courses = targetRuns({
    "!pipe": [lookup, { "!jq": "{id: .people[0].id, count: (.people | length)}" }],
  });
  expect(courses.map(({ output }) => resolved(memberOf(output, "count")))).toEqual([1, 0]);
  expect(courses.map(({ output }) => resolved(memberOf(output, "id")) === null)).toEqual([false, true]);
});

test("a `!switch` takes the case of what was found, and an `!error` ends the course", () => {
  const courses = targetRuns({
    "!pipe": [
      lookup,
      {
        "!switch": {
          jq: "if (.people | length) > 0 then 0 else 1 end",
          cases: [{ "!jq": "1" }, { "!error": "There is nobody of that address." }],
        },
      },
      { "!http": { method: "POST", path: "/notes", body: { of: "${piped_content.2}" } } },
    ],
  });
  expect(courses.map(({ cases }) => [...cases.values()])).toEqual([[0], [1]]);
  expect(courses.map(({ requests }) => requests.length)).toEqual([2, 1]);
});

test("what isn't known is followed into every case, and isn't certain there", () => {
  const [course] = targetRuns({
    "!pipe": [
      { "!switch": { jq: ".mode", cases: [{ "!http": { path: "/a" } }, { "!http": { path: "/b" } }] } },
    ],
  });
  expect(course?.requests.map(({ isCertain }) => isCertain)).toEqual([false, false]);
});

test("jq's failures are told where they are certain, and not behind `?`, `//` or an unknown condition", () => {
  const failing = (program: string): number =>
    targetRuns({ "!pipe": [lookup, { "!jq": program }] })[1]!.failures.length;
  expect(failing(".people[0].name | ascii_downcase")).toBe(1);
  expect(failing('.people[0].name // "" | ascii_downcase')).toBe(0);
  expect(failing("(.people[0].names[])?")).toBe(0);
  expect(failing("if .other then (.people[0].name | ascii_downcase) else null end")).toBe(0);
});

test("the next cycle is asked for with what the state keeps", () => {
  const document = template("inbound-polling");
  document.data_intake[0] = {
    type: "polling",
    name: "people",
    initial_setup: { "!jq": '{polling_state: {page: 1, since: "2026-01-01T00:00:00Z"}}' },
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/people",
            params: { page: "${polling_state.page}", since: "${polling_state.since}", limit: "50" },
          },
        },
        {
          "!jq":
            "{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ([.items[].updated_at] | max) end)}}",
        },
      ],
    },
  };
  const { model } = compile(JSON.stringify(document), { uri: "machine.app.json" });
  const cycle = cyclesOf(model.intakes[0]!, model)?.first;
  const pages = cycle?.pages.map((page) => leavesOf(page).map(({ value }) => value));
  expect(pages?.map(([page]) => page)).toEqual([1, 2, 3]);
  expect(new Set(pages?.map(([, since]) => since))).toEqual(new Set(["2026-01-01T00:00:00Z"]));
  const [page, since] = leavesOf(cycle!.next).map(({ value }) => value);
  expect(page).toBe(1);
  expect(since).toBe(resolved(since ?? UNKNOWN));
  expect(`${since}` > "2026-01-01T00:00:00Z").toBe(true);
});
