import { expect, test } from "vitest";
import { inPolling } from "../support/rule-findings.ts";

/** How comments say that a cycle goes on where the last one was cut. */

const told = (comment: string, prepared: string): string[] =>
  inPolling("polling/cut-cycle", {
    initial_setup: {
      "!jq": '{polling_state: {since: (now - 86400 | todate), until: "1970-01-01T00:00:00Z", after_id: 0}}',
    },
    pre_poll: { _comment: comment, "!jq": `\${polling_state} as $s | {polling_state: (${prepared})}` },
    request: {
      "!pipe": [
        {
          "!http": {
            path: "/customers",
            params: {
              updated_from: "${polling_state.since}",
              updated_before: "${polling_state.until}",
              after_id: "${polling_state.after_id}",
              limit: 200,
            },
          },
        },
        {
          "!jq":
            "${polling_state} as $s | (.customers | length) as $n | {results: .customers, iterate: ($n == 200), polling_state: (if $n == 200 then $s + {after_id: .customers[-1].id} else $s + {since: $s.until, after_id: 0} end)}",
        },
      ],
    },
    post_poll: undefined,
  });
const anew = "$s + {until: (now - 120 | floor | todate), after_id: 0}";
const kept = `if $s.after_id == 0 then ${anew} else $s end`;

test.each([
  ["A window that the last cycle didn't finish keeps its end and its place.", anew, 1],
  [
    "A window that the last cycle did not finish (after_id above 0) is read on; otherwise open a new one.",
    anew,
    1,
  ],
  ["What an earlier cycle could not complete goes on here.", anew, 1],
  ["A window that the last cycle didn't finish keeps its end and its place.", kept, 0],
  ["Each cycle reads a new window. Customers are few, and the last cycle finished.", anew, 0],
])("%s %s", (comment, prepared, count) => {
  expect(told(comment, prepared)).toHaveLength(count);
});
