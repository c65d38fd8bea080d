import { readFileSync } from "node:fs";
import { commandTypes, compile, type Model } from "@configc/compiler";
import { findNode } from "@configc/compiler/internal";
import { embeddedPlatform } from "@configc/host";
import { includes, printType, type Type } from "@configc/jq";
import { createRuntime, type Json, type Limits, type RunContext, type RunError } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { testEffects } from "../../packages/runtime/test/support/effects.ts";
import { type Answer, serve } from "../../packages/runtime/test/support/server.ts";

/**
 * One table for the checker and the runtime: each case runs, and what it gives must be what is written and a value of the type that
 * the checker works out. A value that isn't says that one of both is wrong.
 */
interface Case {
  readonly name: string;
  readonly at: keyof typeof places;
  readonly command?: unknown;
  /** Stands for a `!jq` that gives it, and is also expanded in a body, where it must give the same. */
  readonly expression?: string;
  readonly input?: Json;
  readonly context?: RunContext;
  readonly limits?: Partial<Limits>;
  /** What the third party answers, one after the other. */
  readonly http?: readonly (
    | "echo"
    | { readonly status?: number; readonly json?: unknown; readonly text?: string }
  )[];
  readonly result?: Json;
  readonly error?: {
    readonly kind: string;
    readonly message?: string;
    readonly status?: number;
    readonly pointer?: string;
  };
}

const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as readonly Case[];

/** Where the command of a case stands. */
const places = {
  create: "/data_intake/0/create",
  verification: "/data_intake/0/verification",
  "initial-setup": "/data_intake/1/initial_setup",
  request: "/data_intake/1/request",
  in: "/workflows/0/data_pipeline/source",
  "target-in": "/workflows/0/data_pipeline/target",
  out: "/workflows/1/data_pipeline/source",
  target: "/workflows/1/data_pipeline/target",
  options: "/workflows/1/setup/select/form_fields/4/options",
} as const;

const choices = (...values: readonly (string | number)[]) =>
  values.map((value) => ({ display: `O ${value}`, value }));

/** An app that declares all that the cases read. */
function configFor(origin: string): Record<string, unknown> {
  const described = {
    connect: { label: "C", describe_connection: { "!jq": '{account_id: "1", description: "D"}' } },
  };
  const fields = [
    { id: "name", label: "Name", type: "text", options: [] },
    { id: "form", label: "Form", type: "dropdown", options: choices(7, 8) },
    { id: "tags", label: "Tags", type: "multiselect", options: choices("a", "b") },
    { id: "note", label: "Note", type: "textarea", required: false },
    { id: "last", label: "Last", type: "dropdown", options: choices("x") },
  ];
  const saved = {
    "!pipe": [{ "!jq": "{hook_id: (now | floor), empty: null}" }, { "!save": { scope: "workflow" } }],
  };
  return {
    $version: "2",
    auth: {
      acme: {
        type: "token",
        configuration: { header_key: "x-token", verify_url: `${origin}/me` },
        defined_fields: { subdomain: { label: "Shop" } },
      },
    },
    api: {
      base_url: origin,
      pagination: {
        style: {
          type: "page",
          page_number: { param: "page", value: 1 },
          page_size: { param: "size", value: 1 },
        },
        parser: { total_pages: { "!jq": ".pages" } },
      },
    },
    data_intake: [
      { type: "webhook", name: "hook", scope: "workflow", create: saved, verification: { "!jq": "." } },
      {
        type: "polling",
        name: "poll",
        initial_setup: { "!jq": "{polling_state: {page: 1}}" },
        pre_poll: { "!jq": "{polling_state: {page: (${polling_state.page} + 1)}}" },
        request: { "!jq": "{results: [], iterate: false}" },
      },
    ],
    workflows: [
      {
        name: "in",
        label: "In",
        type: "generic",
        auth: "acme",
        data_intake: "hook",
        setup: { ...described, select: { label: "S", form_fields: fields } },
        data_pipeline: {},
      },
      {
        name: "out",
        label: "Out",
        type: "automations",
        auth: "acme",
        data_intake: "hook",
        setup: { ...described, select: { label: "S", form_fields: fields } },
        data_pipeline: {},
      },
      {
        name: "polls",
        label: "Polls",
        type: "generic",
        auth: "acme",
        data_intake: "poll",
        setup: described,
        data_pipeline: {},
      },
    ],
  };
}

/** Puts a command at its place. */
function configWith(origin: string, place: string, command: unknown): string {
  const config = configFor(origin);
  const path = place.split("/").slice(1);
  const last = path.pop() ?? "";
  let at: Record<string, unknown> = config;
  for (const name of path) at = at[name] as Record<string, unknown>;
  at[last] = command;
  return JSON.stringify(config);
}

function outputType(model: Model, pointer: string): Type {
  const found = findNode(model, pointer);
  if (!("node" in found)) throw new Error(`There is nothing at ${pointer}.`);
  const [type] = commandTypes(model, found.node);
  if (type === undefined) throw new Error(`There is no command at ${pointer}.`);
  return type.output;
}

async function thirdParty({ http = [] }: Case): Promise<string> {
  const server = await serve(({ body }, count): Answer => {
    const answer = http[count - 1];
    if (answer === "echo") return { json: JSON.parse(body) };
    if (answer === undefined) return { status: 418 };
    const { status = 200, json, text } = answer;
    return {
      status,
      ...(json === undefined ? {} : { json }),
      ...(text === undefined ? {} : { raw: text, headers: { "content-type": "text/plain" } }),
    };
  });
  return server.origin;
}

/** Types that were as wide as they can be would include any value: so many say more. */
let told = 0;

describe.each(cases)("$name", (one) => {
  const commands: [string, unknown, Case][] =
    one.expression === undefined
      ? [["runs", one.command, one]]
      : [
          ["in a program", { "!jq": inProgram(one.expression) }, one],
          [
            "in a body",
            {
              "!pipe": [
                { "!http": { method: "POST", path: "/echo", body: { it: one.expression } } },
                { "!jq": ".it" },
              ],
            },
            { ...one, http: ["echo"] },
          ],
        ];
  test.each(commands)(
    "%s",
    async (_how, command, { at, input, context = {}, limits = {}, result, error, http }) => {
      const origin = await thirdParty({ ...one, ...(http === undefined ? {} : { http }) });
      const { app, model } = compile(configWith(origin, places[at], command));
      const effects = { ...testEffects(), platform: embeddedPlatform() };
      const run = createRuntime(app, effects).run(places[at], {
        context,
        limits,
        ...(input === undefined ? {} : { input }),
      });
      if (error !== undefined) {
        const failed = (await run.then(
          (value) => ({ kind: `none: ${JSON.stringify(value)}` }),
          (reason: unknown) => reason,
        )) as RunError;
        expect(failed.kind).toBe(error.kind);
        expect(failed.message).toContain(error.message ?? "");
        expect(failed.pointer).toContain(places[at] + (error.pointer ?? ""));
        if (error.status !== undefined) expect(failed.status).toBe(error.status);
        return;
      }
      const value = await run;
      expect(value).toEqual(result);
      const type = outputType(model, places[at]);
      expect(includes(type, value), `${JSON.stringify(value)} is no ${printType(type)}`).toBe(true);
      if (type.kind !== "unknown") told++;
    },
  );
});

/** Text around an expansion makes a string of it, in a program too. */
function inProgram(expression: string): string {
  return /^\$[{<][^}>]*[}>]$/.test(expression) ? expression : JSON.stringify(expression);
}

test("the checker knows more than nothing of most of them", () => {
  const values = cases.filter(({ error }) => error === undefined).length;
  expect(told).toBeGreaterThan(values * 0.6);
});
