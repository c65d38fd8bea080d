import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { nodeEffects, nodeHttp } from "@configc/host";
import { createRuntime } from "@configc/runtime";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { Api } from "../api/api.ts";
import type { Fault } from "../api/faults.ts";

/** D22, cursor pages: `next_result_token` if the config has it, else `previous_result_token`; with the calendar example, over HTTP. */
const text = readFileSync(new URL("../../examples/calendar/calendar.app.json", import.meta.url), "utf8");
const options = "workflows.calendly-add-invitees-to-contacts.setup.select.form_fields.event-type.options";
const http = nodeHttp({ allowPrivateNetwork: true });
afterAll(() => http.close());

/** Three pages with tokens in both directions; without a token it gives the one that was asked for. */
const pages: Readonly<Record<string, object>> = {
  a: page(["Intro", "Demo"], null, "b"),
  b: page(["Onboarding"], "a", "c"),
  c: page(["Review", "Retrospective"], "b", null),
};

function page(names: readonly string[], previous: string | null, next: string | null): object {
  return {
    collection: names.map((name) => ({
      name,
      uri: `https://api.example.com/event_types/${name.toLowerCase()}`,
    })),
    pagination: { count: names.length, next_page_token: next, previous_page_token: previous },
  };
}

/** Runs the choice of event types of the example. @returns what may be chosen, and the tokens that were sent */
async function choices(first: string, change: (config: string) => string = (config) => config) {
  const api = await Api.start();
  onTestFinished(() => api.close());
  api.requiresToken = false;
  const json =
    (value: object): Fault =>
    (_, response) =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  api.fault("/users/me", json({ resource: { uri: "https://api.example.com/users/1" } }));
  const answer: Fault = (exchange, ...rest) =>
    json(pages[exchange.query.get("page_token") ?? first] ?? {})(exchange, ...rest);
  api.fault("/event_types", ...Object.keys(pages).map(() => answer));
  const { app } = compile(change(text));
  const runtime = createRuntime(
    { ...app, api: { ...app.api, baseUrl: [api.origin] } },
    { ...nodeEffects(), http },
  );
  const output = (await runtime.run(options)) as readonly { readonly display: string }[];
  const asked = api.requests.filter(({ path }) => path === "/event_types");
  return {
    names: output.map(({ display }) => display),
    tokens: asked.map(({ query }) => query.get("page_token")),
    fixed: asked.map(({ query }) => [query.get("count"), query.get("sort"), query.get("active")]),
  };
}

const nextToken = /\s*"next_result_token": \{[^}]*\},/;

test("the example as it is follows the next token, and never the previous one", async () => {
  const { names, tokens } = await choices("b");
  expect(names).toEqual(["Onboarding", "Review", "Retrospective"]);
  expect(tokens).toEqual([null, "c"]);
});

test("without next_result_token it is read backwards, to the first page; fixed parameters go along", async () => {
  expect(text).toMatch(nextToken);
  const { names, tokens, fixed } = await choices("c", (config) => config.replace(nextToken, ""));
  expect(names).toEqual(["Review", "Retrospective", "Onboarding", "Intro", "Demo"]);
  expect(tokens).toEqual([null, "b", "a"]);
  expect(fixed).toEqual(Array(3).fill(["100", "name:asc", "true"]));
});
