import { afterAll, beforeAll, expect, test } from "vitest";
import { announced, methodsOf } from "../src/announced.ts";
import { checks } from "./support/method-checks.ts";
import { Session } from "./support/session.ts";

/** Every method that is announced is answered over stdio; the other tests have its details. */
let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.dispose());

const methods = methodsOf(announced());

test("what the server announces over stdio is what the documentation is made from", () => {
  expect(session.initialized!.capabilities).toEqual(JSON.parse(JSON.stringify(announced())));
});

test("there is a check for each method, and none for others", () => {
  expect(Object.keys(checks).sort()).toEqual([...methods].sort());
});

test("a capability whose methods aren't known is told of", () => {
  expect(() => methodsOf({ ...announced(), monikerProvider: true })).toThrow("monikerProvider");
});

test.each(methods)("%s", async (method) => {
  await checks[method]!(session);
});
