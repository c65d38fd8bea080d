import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/index.ts";
import { runWorld } from "../../src/polling/run.ts";
import { latest } from "../../src/service/collection.ts";
import { subjectOf } from "../../src/subject.ts";
import { faultTold, plannedFaults } from "../../src/world/fault.ts";
import { kindest } from "../../src/world/hypotheses.ts";

const right = readFileSync(new URL("../polling/right.app.json", import.meta.url), "utf8");
const { app } = compile(right);
const subject = subjectOf(app, app.workflows[0]!);
if ("reason" in subject) throw new Error(subject.reason);

/** Commits of the first cycle of this app: a process can't end before more of them. */
const COMMITS = 6;

describe("what goes wrong happens, and nothing is lost by it (D21, D30, D33, D35)", () => {
  const faults = plannedFaults(false).filter(({ what, at }) => what !== "death" || at <= COMMITS);
  test.each(faults.map((fault) => [`${faultTold(fault)}, ${fault.at}`, fault] as const))(
    "%s",
    async (_, fault) => {
      const world = {
        kind: "polling",
        seed: 0,
        hypotheses: kindest,
        first: 5,
        sameTime: false,
        cycles: 3,
        page: 2,
        requests: 100,
        happenings: [
          { cycle: 2, request: 0, before: 900, what: "create", record: 0, times: 1, isLate: false },
        ],
        faults: [fault],
        form: "",
      } as const;
      const { collection, cycles, exchanges, deaths } = await runWorld(subject, world);
      const arrived = cycles.flatMap(({ arrivals }) => arrivals);
      for (const record of collection.live)
        expect(arrived).toContainEqual(
          expect.objectContaining({ record: record.number, version: latest(record).number }),
        );
      if (fault.what === "death") expect(deaths).toBe(1);
      else expect(exchanges.some((each) => each.fault === fault.what)).toBe(true);
    },
  );
});

const answered = "{results: .items";
const fails = `if .error != null then error("refused") else ${answered}`.replaceAll('"', String.raw`\"`);
const atEnd = 'next_since: ${polling_state.next_since}}}"';

test("an error with status 200 that fails loses nothing", async () => {
  expect(right).toContain(atEnd);
  const text = right.replace(answered, () => fails).replace(atEnd, () => `${atEnd.slice(0, -1)} end"`);
  const { parts } = await simulate(compile(text).app, { seeds: 0, days: 1 });
  expect(parts.flatMap(({ failures }) => failures)).toEqual([]);
}, 30_000);
