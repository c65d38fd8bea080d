import { createTracer } from "@configc/runtime";
import { expect, test } from "vitest";
import { retryAfter } from "../../src/http/retry.ts";
import { failureOf, runCommand } from "../support/app.ts";
import { testEffects } from "../support/effects.ts";
import { serve } from "../support/server.ts";

const now = Date.UTC(2026, 10, 21, 12, 0, 0);

/** D21: seconds or an HTTP date in each of its forms; what can't be read counts as absent. */
test.each([
  ["7", 7_000],
  [" 1.5 ", 1_500],
  ["0", 0],
  ["Sat, 21 Nov 2026 12:00:09 GMT", 9_000],
  ["Saturday, 21-Nov-26 12:00:09 GMT", 9_000],
  ["Sat Nov 21 12:00:09 2026", 9_000],
  ["Sat, 21 Nov 2026 13:00:09 +0100", 9_000],
  ["Sat, 21 Nov 2026 11:59:00 GMT", 0],
  ["-5", undefined],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After: %s", (value, milliseconds) => {
  const zone = process.env.TZ;
  try {
    // Dates without a zone mean GMT, wherever this runs.
    process.env.TZ = "Asia/Tokyo";
    expect(retryAfter(value, now)).toBe(milliseconds);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("D21 a wait that is longer than the run may take is told, and not waited", async () => {
  const server = await serve(() => ({ status: 429, headers: { "retry-after": "99999999" }, json: {} }));
  const effects = testEffects();
  const notes: unknown[] = [];
  const failure = await failureOf(
    runCommand(
      { "!http": { path: "/" } },
      {
        api: { base_url: server.origin },
        effects,
        trace: createTracer(effects.clock, ({ kind, data }) => {
          if (kind === "note") notes.push(data);
        }),
      },
    ),
  );
  expect(failure).toMatchObject({ kind: "HttpError", status: 429 });
  expect(server.received).toHaveLength(1);
  expect(notes).toEqual([{ retry: expect.stringContaining("99999999 s is longer than the run may take") }]);
});
