import { readdirSync, readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { inPolling } from "../support/rule-findings.ts";

/** Names hold signs that mean something in a regular expression: `filter[`, `after(`, `a+b`. A rule looks for them in comments as they are. */

const polling = (param: string, comment: string) => ({
  _comment: comment,
  initial_setup: { "!jq": "{polling_state: {place: 0}}" },
  request: {
    "!pipe": [
      { "!http": { path: "/rows", params: { [param]: "${polling_state.place}", limit: 50 } } },
      {
        "!jq":
          "{results: .items, iterate: .has_more, polling_state: {place: ((.items[-1].id + 1) // ${polling_state.place})}}",
      },
    ],
  },
});

describe("a parameter's name", () => {
  test.each(["filter[from", "from(", "a+from", "*from", "from\\"])("%s is exclusive", (param) => {
    const comment = `${param} is exclusive.`;
    expect(inPolling("polling/skipped-record", polling(param, comment))).toHaveLength(
      inPolling("polling/skipped-record", polling("from_id", "from_id is exclusive.")).length,
    );
  });
});

const folder = new URL("../../../../test/right/configs/", import.meta.url);

/** Every name that gets an expansion or a program, with a sign behind it. */
const withSigns = (text: string, sign: string): string =>
  text.replace(/"(?!_)([A-Za-z_]+)"(?=\s*:\s*"\$)/g, (_, name: string) => `"${name}${sign}"`);

test.each(["[", "(", "*+"])("right configs whose names all end in %s are checked to their end", (sign) => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const changed = withSigns(text, sign);
    expect(changed, name).not.toBe(text);
    expect(() => compile(changed, { uri: name }), name).not.toThrow();
  }
});
