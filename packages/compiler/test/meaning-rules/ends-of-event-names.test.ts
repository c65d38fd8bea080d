import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** An event by the end of its name, where the whole name is registered and asked for. */

describe("the end of an event's name", () => {
  const events = { url: "${webhook.url}", events: ["visit.completed", "visit.cancelled"] };
  const imported = (event: string, source: string) =>
    findings("intake/history-event", "historical-sync", {
      "/data_intake/0/create/!pipe/0/!http/body": events,
      "/data_intake/1/request/!pipe/0/!http/params": { status: ["completed", "cancelled"] },
      "/data_intake/1/request/!pipe/1/!jq": `{results: [.items[] | {event: ${event}, visit: .}], iterate: false, polling_state: \${polling_state}}`,
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });
  const long =
    '{email: .visit.email, _tags: [{"visit.completed": "Done", "visit.cancelled": "Off"}[.event]]}';

  test("an import gives it, and the pipeline looks up the whole name", () => {
    expect(imported(".status", long)).toEqual([".status"]);
    expect(imported('"visit." + .status', long)).toEqual([]);
    expect(imported(".status", long.replaceAll("visit.c", "c"))).toEqual([]);
    expect(imported(".state", long)).toEqual([]);
  });

  const offered = (program: string) =>
    findings("intake/unregistered-option", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": events,
      "/workflows/0/setup/select/form_fields/1": {
        label: "Which visits",
        id: "visits",
        type: "multiselect",
        options: [
          { display: "Completed", value: "completed" },
          { display: "Cancelled", value: "cancelled" },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });
  const chosen = "${custom_data.visits.value} as $wanted";

  test("customers choose it, and it is compared with the whole name", () => {
    const ways = '_tags: ["visit.\\(.state)"]';
    const found = offered(
      `.event as $e | ${chosen} | if any($wanted[]; . == $e) then {email: .email, ${ways}} else null end`,
    );
    expect(found).toEqual(['"completed"']);
    expect(
      offered(
        `.state as $s | ${chosen} | if any($wanted[]; . == $s) then {email: .email, ${ways}} else null end`,
      ),
    ).toEqual([]);
    expect(
      offered(
        `(.event | ltrimstr("visit.")) as $e | ${chosen} | if any($wanted[]; . == $e) then {email: .email} else null end`,
      ),
    ).toEqual([]);
  });
});
