import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { type PartReport, simulate } from "../../src/index.ts";

/* E60: what is derived wrongly is no mistake of the app. */

async function partOf(path: string, from: string, to: string): Promise<PartReport> {
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  expect(text).toContain(from);
  const { parts } = await simulate(compile(text.replaceAll(from, () => to)).app, {
    seeds: 0,
    days: 0,
    world: { intakes: { staff: { records: 900 } } },
  });
  return parts[0]!;
}

describe("a service that doesn't fit its app", () => {
  test("another reading of a member is taken where it passes", async () => {
    const { failures, roles } = await partOf(
      "../right/whole-staff.app.json",
      ".result.total",
      ".result.size",
    );
    expect(failures).toEqual([]);
    expect(roles).toContain("`.result.size` of the answer counts the records");
  });

  test("nothing is tried where no cycle can succeed", async () => {
    const { untried, worlds } = await partOf(
      "../polling/right.app.json",
      "results: .items,",
      'results: (if (.stamp + \\"#\\" | tonumber) > 0 then .items else .items end),',
    );
    expect(worlds).toBe(0);
    expect(untried).toMatch(
      /doesn't fit the app\. Where nothing is special, cycle 1 fails: .*cannot be parsed as a number/,
    );
  });

  test("a cycle that fails before it asks for anything breaks a law, whatever the service is like", async () => {
    const { failures, worlds, notTried, laws } = await partOf(
      "../polling/right.app.json",
      '"initial_setup": { "!jq": "{polling_state: {cursor: null, since: \\"2000-01-01T00:00:00Z\\", next_since: null}}" },',
      "",
    );
    expect(worlds).toBe(1);
    expect(failures).toMatchObject([{ law: "runs-succeed", pointer: "/data_intake/0/pre_poll", needs: [] }]);
    expect(failures[0]!.cure).toContain("initial_setup");
    expect(laws.map(({ name }) => name)).toEqual(["runs-succeed"]);
    expect(notTried).toHaveLength(1);
  });

  test("a webhook that can't be registered before anything is asked for can't run with any service", async () => {
    const text = readFileSync(new URL("../right/signed-leads.app.json", import.meta.url), "utf8");
    const config = JSON.parse(text);
    config.data_intake[0].create = {
      "!pipe": [{ "!jq": ".data | tonumber" }, config.data_intake[0].create],
    };
    const { parts } = await simulate(compile(JSON.stringify(config)).app, { seeds: 0, days: 0 });
    expect(parts[0]).toMatchObject({ failsAnyway: true, worlds: 0, failures: [] });
    expect(parts[0]!.untried).toMatch(/^the webhook can't be registered, for `create` fails before it sends/);
  });

  test("a program of the pipeline that fails on derived values is told, not judged", async () => {
    const { failures, notTried } = await partOf(
      "../polling/right.app.json",
      "city: .address.city",
      'price: (.price + \\"#\\" | tonumber), city: .address.city',
    );
    expect(failures).toEqual([]);
    expect(notTried[0]).toMatch(/^whether items pass the pipeline, .*cannot be parsed as a number/);
  });

  test("an app that selects rarely is no app that takes nothing", async () => {
    const { failures } = await partOf(
      "../polling/right.app.json",
      "results: .items,",
      'results: [.items[] | select(.score > 10 and .kind == \\"customer\\" and .state == \\"open\\")],',
    );
    expect(failures).toEqual([]);
  });
});
