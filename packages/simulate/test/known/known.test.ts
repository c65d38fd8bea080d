import { readFileSync } from "node:fs";
import { compile, type IntakeWorld, type Samples } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { expect, test } from "vitest";
import { knownApi, type PartReport, simulate, withKnown } from "../../src/index.ts";

/*
 * What a document or samples say of a service counts before what is derived. Each case edits one right app, and says what is told of it
 * without them and with them.
 */

interface Told {
  readonly laws: readonly string[];
  readonly untried?: string;
  readonly notTried?: string;
  readonly roles?: string;
}

interface Case {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
  readonly samples?: readonly Json[];
  /** Of an OpenAPI document: the schema of a record, other members of the answer, the operation's own. */
  readonly record?: object;
  readonly answer?: object;
  readonly operation?: object;
  readonly parameters?: readonly object[];
  readonly world?: IntakeWorld;
  readonly without?: Told;
  readonly with: Told;
}

const here = new URL(".", import.meta.url);
const right = readFileSync(new URL("../polling/right.app.json", here), "utf8");
const cases = JSON.parse(readFileSync(new URL("cases.json", here), "utf8")) as readonly Case[];

function samplesOf({ samples = [], record, answer, operation, parameters = [] }: Case): Partial<Samples> {
  const responses = samples.map((body, index) => ({
    name: `customers-${index}.json`,
    method: "GET",
    url: "/lists/l1/customers",
    status: 200,
    body,
  }));
  if (record === undefined && answer === undefined && operation === undefined && parameters.length === 0)
    return { responses };
  const properties = { items: { type: "array", items: { type: "object", ...record } }, ...answer };
  const content = {
    openapi: "3.1.0",
    servers: [{ url: "https://api.example.com/v1" }],
    paths: {
      "/lists/{list}/customers": {
        get: {
          ...operation,
          parameters,
          responses: { 200: { content: { "application/json": { schema: { type: "object", properties } } } } },
        },
      },
    },
  };
  return { responses, documents: [{ name: "acme.openapi.json", content }] };
}

async function simulated(text: string, given: Case, samples: Partial<Samples>): Promise<PartReport> {
  const { app, model } = compile(text, { samples });
  const { world } = given;
  const { parts } = await simulate(withKnown(app, knownApi(model)), {
    seeds: 0,
    days: 0,
    ...(world === undefined ? {} : { world: { intakes: { customers: world } } }),
  });
  return parts[0]!;
}

function check({ failures, untried, notTried, roles }: PartReport, told: Told): void {
  const laws = [...new Set(failures.map(({ law }) => law))];
  expect({ laws, untried: untried ?? "" }).toEqual({
    laws: told.laws,
    untried: told.untried === undefined ? "" : expect.stringContaining(told.untried),
  });
  if (told.notTried !== undefined) expect(notTried.join()).toContain(told.notTried);
  if (told.roles !== undefined) expect(roles).toContain(told.roles);
}

test.each(cases)(
  "$name",
  async (given) => {
    const text = given.edits.reduce((before, [from, to]) => {
      expect(before).toContain(from);
      return before.replace(from, () => to);
    }, right);
    if (given.without !== undefined) check(await simulated(text, given, {}), given.without);
    const known = await simulated(text, given, samplesOf(given));
    check(known, given.with);
    expect(known.roles.join()).toMatch(/what it answers is known from (?:acme\.openapi\.json|a sample)/);
  },
  120_000,
);
