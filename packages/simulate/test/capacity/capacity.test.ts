import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type App, compile } from "@configc/compiler";
import { capacity } from "@configc/simulate";
import { describe, expect, test } from "vitest";
import { requestsIn, worldOf } from "../../src/capacity/measure.ts";
import { sum, totalOf } from "../../src/capacity/requests.ts";
import { runWorld, type Subject } from "../../src/polling/run.ts";
import { subjectOf } from "../../src/subject.ts";

/** What is reckoned from a few pages, beside what the runtime sends when a simulated service really has so many records. */

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Polls a list for each item of another one: nothing of it arrives in a simulation. */
const underived: ReadonlySet<string> = new Set(["calendly-tag-attendees-after-the-meeting"]);

/** Workflows of the examples and templates that poll, as far as a simulation derives how. */
function polling(): (readonly [string, App, string])[] {
  const folders = [
    ...readdirSync(`${root}examples`)
      .filter((name) => !name.includes(".") && name !== "broken")
      .map((name) => `examples/${name}`),
    "packages/cli/templates",
  ];
  return folders
    .flatMap((folder) => readdirSync(root + folder).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith(".app.json"))
    .flatMap((path) => {
      const { app } = compile(readFileSync(root + path, "utf8"), { uri: path });
      return app.workflows.flatMap((workflow) => {
        const subject = subjectOf(app, workflow);
        const isDerived = !("reason" in subject) && !underived.has(workflow.name);
        return isDerived ? [[`${path} ${workflow.name}`, app, workflow.name] as const] : [];
      });
    });
}

/** Requests until all of so many records have come, of which the app was told by nobody before. */
async function sent(
  subject: Subject,
  items: number,
  page: number,
): Promise<{ items: number; requests: number }> {
  for (const isFirst of [true, false]) {
    const { cycles } = await runWorld(
      subject,
      isFirst
        ? worldOf({ first: items, page })
        : worldOf({
            page,
            cycles: 2,
            happenings: [
              { cycle: 2, request: 0, before: 900, what: "create", record: 0, times: items, isLate: false },
            ],
          }),
    );
    const busy = cycles.filter(({ arrivals }) => arrivals.length > 0);
    const arrived = new Set(busy.flatMap(({ arrivals }) => arrivals.map(({ record }) => record))).size;
    if (arrived > 0)
      return { items: arrived, requests: totalOf(sum(busy.map((cycle) => requestsIn(subject, cycle)))) };
  }
  return { items: 0, requests: 0 };
}

describe("what is reckoned is within 20 % of what the runtime sends", () => {
  test.each(polling())("%s", async (_, app, name) => {
    const workflow = app.workflows.find((each) => each.name === name)!;
    const subject = subjectOf(app, workflow) as Subject;
    for (const items of [730, 2_350]) {
      const { size } = subject.protocol.size;
      const page = Math.max(size, 100);
      const actual = await sent(subject, items, page);
      const found = await capacity(app, { items, page });
      const own = found.workflows.find((each) => each.workflow === name)!;
      const reckoned = totalOf(own.first.requests);
      expect(actual.items).toBe(items);
      expect(Math.abs(reckoned - actual.requests) / actual.requests).toBeLessThanOrEqual(0.2);
    }
  });
});

test("a quota of 60 a minute makes 10,000 contacts last 2 h 47 min, and is enough for so many customers", async () => {
  const text = readFileSync(`${root}packages/cli/templates/outbound.app.json`, "utf8");
  const document = JSON.parse(text) as { api: Record<string, unknown> };
  const quota = { requests: 60, period: 60 };
  document.api["rate_limit"] = { app: { read: quota, write: quota } };
  const { workflows } = await capacity(compile(JSON.stringify(document)).app, { changes: 100 });
  // One write for each contact: 10,000 minutes sixtieths, and 86,400 writes a day.
  expect(workflows.map(({ first, customers }) => [first.seconds, customers])).toEqual([[10_000, 864]]);
});

test("an import ends after 100 requests, whatever it has read until then", async () => {
  const text = readFileSync(`${root}packages/cli/templates/historical-sync.app.json`, "utf8");
  const { workflows } = await capacity(compile(text).app, { items: 10_000, page: 50 });
  expect(workflows[0]?.first).toMatchObject({ items: 5_000, cycles: 1, requests: { read: 100, write: 0 } });
});

test("a cycle that takes longer than its period doesn't fit", async () => {
  const text = readFileSync(`${root}examples/crm/crm.app.json`, "utf8");
  const document = JSON.parse(text) as { api: Record<string, unknown> };
  const of = async (requests: number) => {
    document.api["rate_limit"] = { user: { read: { requests, period: 60 } } };
    const { workflows } = await capacity(compile(JSON.stringify(document)).app);
    return workflows.find(({ kind }) => kind === "polling")?.fits;
  };
  // 1,111 reads in half an hour are 37 a minute.
  expect([await of(36), await of(38)]).toEqual([false, true]);
});
