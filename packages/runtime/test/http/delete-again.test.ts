import { describe, expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { type Answer, serve } from "../support/server.ts";

/** E21: what a try is answered that comes after others. */
const cut: Answer = { by: (response) => void response.destroy() };

async function asked(method: string, answers: readonly Answer[]) {
  const { origin, received } = await serve((_, count) => answers[count - 1]);
  const command = { "!http": { path: "/hooks/1", method } };
  return { command, more: { api: { base_url: origin } }, received };
}

describe("E21 a DELETE that is sent again", () => {
  test.each([
    ["its answer was cut off", cut, 404],
    ["the service failed", { status: 502 }, 410],
    ["its answer broke off", { raw: '{"ok":', headers: { "content-type": "application/json" } }, 404],
  ])("is done where it is there no more and %s", async (_name, first: Answer, status) => {
    const { command, more, received } = await asked("DELETE", [first, { status, json: { error: "gone" } }]);
    expect(await runCommand(command, more)).toEqual({ body: null });
    expect(received).toHaveLength(2);
  });

  test.each([
    ["the first try", "DELETE", []],
    ["the try after a 429, which did nothing", "DELETE", [{ status: 429, headers: { "retry-after": "0" } }]],
    ["a GET", "GET", [cut]],
    ["a PUT", "PUT", [cut]],
  ])("a 404 to %s is a failure", async (_name, method, before: readonly Answer[]) => {
    const { command, more } = await asked(method, [...before, { status: 404 }]);
    expect(await failureOf(runCommand(command, more))).toMatchObject({ kind: "HttpError", status: 404 });
  });
});
