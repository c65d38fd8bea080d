import type { ObjectNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { get, itemsOf, textAt } from "../config.ts";
import { added, missing } from "../edits.ts";
import { type Kind, replaced, replacing } from "../kind.ts";

function* fields(config: Config): Generator<{ field: ObjectNode; type: string; inbound: boolean }> {
  for (const workflow of config.workflows) {
    for (const field of config.fields(workflow)) {
      yield { field, type: textAt(field, "type") ?? "", inbound: textAt(workflow, "type") === "generic" };
    }
  }
}

const hasObjects = (config: Config): boolean => itemsOf(config.root.get("objects")).length > 0;
const setups = (config: Config) => config.objects("workflows.*.setup");

export const setupKinds: readonly Kind[] = [
  {
    name: "setup/options-missing",
    what: "`dropdown` or `multiselect` without options.",
    expects: "error",
    *mutants(config) {
      for (const { field, type } of fields(config)) {
        if (type === "dropdown" || type === "multiselect") yield* missing(config, field, "options");
      }
    },
  },
  {
    name: "setup/text-without-options",
    what: "`text` without options (D41).",
    expects: "hint",
    *mutants(config) {
      for (const { field, type } of fields(config))
        if (type === "text") yield* missing(config, field, "options");
    },
  },
  {
    name: "setup/search-without-request",
    what: "`search_term` of a field whose options send no request (D43).",
    expects: "warning",
    *mutants(config) {
      for (const { field } of fields(config)) {
        const options = get(field, "options");
        if (options?.kind === "array" && field.member("search_term") === undefined)
          yield added(field, "search_term", '"q"');
      }
    },
  },
  {
    name: "setup/personalize-elsewhere",
    what: "`personalize` of a field that is no `textarea` (D38).",
    expects: "error",
    *mutants(config) {
      for (const { field, type, inbound } of fields(config)) {
        if (type !== "textarea" && !inbound) yield added(field, "personalize", '"PlatformContact"');
      }
    },
  },
  {
    name: "setup/personalize-inbound",
    what: "`personalize` in an inbound workflow (D38), where no contact is at hand yet.",
    expects: "error",
    *mutants(config) {
      for (const workflow of config.workflows) {
        const last = config.fields(workflow).at(-1);
        if (last === undefined || textAt(workflow, "type") !== "generic") continue;
        const field =
          '{ "id": "remark", "label": "Remark", "type": "textarea", "required": false, "personalize": "PlatformContact" }';
        yield replaced({ start: last.end, end: last.end }, `, ${field}`);
      }
    },
  },
  {
    name: "setup/review-without-objects",
    what: "A review step in an app without objects (D43).",
    expects: "hint",
    *mutants(config) {
      if (hasObjects(config)) return;
      for (const setup of setups(config)) {
        for (const name of ["review_events", "review_objects"]) {
          if (setup.member(name) === undefined) yield added(setup, name, '{ "label": "Review" }');
        }
      }
    },
  },
  replacing(
    "setup/option-shape",
    "error",
    "A static option without `display` or `value`.",
    function* (config) {
      for (const options of config.select("workflows.*.setup.select.form_fields.*.options")) {
        for (const item of itemsOf(options)) {
          if (item.kind !== "object") continue;
          for (const text of ['{ "label": "A", "value": "a" }', '{ "display": "A", "id": "a" }', '"a"'])
            yield [item, text];
        }
      }
    },
  ),
  replacing("setup/form-fields-object", "error", "Form fields as an object by id.", function* (config) {
    for (const node of config.select("workflows.*.setup.select.form_fields"))
      yield [node, '{ "form": { "label": "Form", "type": "textarea" } }'];
  }),
  replacing(
    "setup/connect-text",
    "error",
    "`describe_connection` with an object instead of a command.",
    function* (config) {
      for (const node of config.select("workflows.*.setup.connect.describe_connection"))
        yield [node, '{ "account_id": ".id", "description": ".name" }'];
    },
  ),
];
