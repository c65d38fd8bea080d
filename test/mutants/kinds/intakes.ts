import type { Config } from "../config.ts";
import { get, textAt } from "../config.ts";
import { added, missing, replacement, without } from "../edits.ts";
import { type Kind, type Mutant, replaced, replacing } from "../kind.ts";

const ofType = (config: Config, type: string) =>
  config.intakes.filter((intake) => textAt(intake, "type") === type);
const webhooks = (config: Config) => ofType(config, "webhook");
const pollings = (config: Config) => ofType(config, "polling");

function missingIn(name: string, expects: Kind["expects"], what: string, type: string, member: string): Kind {
  return {
    name: `intake/${name}`,
    what,
    expects,
    *mutants(config) {
      for (const intake of ofType(config, type)) yield* missing(config, intake, member);
    },
  };
}

/** Adds a member of the other type. */
function foreign(type: string, member: string, json: string): Kind {
  return {
    name: `intake/${member.replaceAll("_", "-")}-of-${type}`,
    what: `\`${member}\` in an intake of type \`${type}\`.`,
    expects: "error",
    *mutants(config) {
      for (const intake of ofType(config, type)) yield added(intake, member, json);
    },
  };
}

/** Whether some map of the app has a group with `schemaId` (D42). */
const hasCustomObjects = (config: Config): boolean => config.text.includes('"schemaId"');

export const intakeKinds: readonly Kind[] = [
  {
    name: "intake/delete-without-method",
    what: "A `delete` that doesn't say how.",
    expects: "warning",
    *mutants(config) {
      for (const intake of webhooks(config)) {
        const remove = get(intake, "delete");
        const request = remove?.kind === "object" ? remove.member("!http") : undefined;
        if (request?.value?.kind !== "object" || request.value.member("body") !== undefined) continue;
        const method = request.value.member("method");
        if (method !== undefined) yield { edits: [without(config, method)], at: [request.key] };
      }
    },
  },
  missingIn("without-create", "error", "A webhook without `create`.", "webhook", "create"),
  missingIn("without-delete", "warning", "A webhook without `delete` (D41).", "webhook", "delete"),
  missingIn("without-scope", "error", "A webhook without `scope`.", "webhook", "scope"),
  missingIn("without-request", "error", "A polling intake without `request`.", "polling", "request"),
  {
    name: "intake/application-without-account",
    what: "A webhook for all customers without `account_id` (D31).",
    expects: "error",
    *mutants(config) {
      for (const intake of webhooks(config)) {
        if (textAt(intake, "scope") === "application") yield* missing(config, intake, "account_id");
      }
    },
  },
  foreign("polling", "create", '{ "!http": { "path": "/hooks" } }'),
  foreign("polling", "scope", '"workflow"'),
  foreign("polling", "verification", '{ "!respond": { "code": 200 } }'),
  foreign("webhook", "request", '{ "!http": { "path": "/items" } }'),
  foreign("webhook", "initial_setup", '{ "!jq": "{polling_state: {}}" }'),
  foreign("webhook", "frequency", "1800"),
  {
    name: "intake/frequency-ignored",
    what: "`frequency` and `import_option` in an app without custom objects (D42).",
    expects: "hint",
    *mutants(config) {
      if (hasCustomObjects(config)) return;
      for (const intake of pollings(config)) {
        if (get(intake, "frequency") === undefined) yield added(intake, "frequency", "1800");
        if (get(intake, "import_option") === undefined) yield added(intake, "import_option", '"recurring"');
      }
    },
  },
  replacing("intake/frequency-too-short", "error", "A `frequency` below 60.", function* (config) {
    for (const node of config.select("data_intake.*.frequency"))
      for (const text of ["59", "0"]) yield [node, text];
  }),
  {
    name: "intake/other-save-scope",
    what: "`!save` with another scope than its webhook intake's (D24). `application` is a kind of its own.",
    expects: "warning",
    *mutants(config) {
      for (const site of config.commands) {
        const scope = get(site.argument, "scope");
        if (site.key !== "!save" || scope?.kind !== "string" || textAt(site.unit, "type") !== "webhook")
          continue;
        const other =
          scope.value === "workflow" ? "connection" : scope.value === "connection" ? "workflow" : undefined;
        if (other !== undefined) yield replaced(scope, `"${other}"`);
      }
    },
  },
  replacing(
    "intake/application-save",
    "error",
    "`!save` for all customers outside an `application` intake (D24).",
    function* (config) {
      for (const site of config.commands) {
        const scope = get(site.argument, "scope");
        if (site.key === "!save" && scope !== undefined && textAt(site.unit, "scope") !== "application")
          yield [scope, '"application"'];
      }
    },
  ),
  {
    name: "intake/shared-with-fields",
    what: "The scope of an intake that reads form fields is widened: the reads, or the scope, are wrong (D31).",
    expects: "error",
    *mutants(config) {
      for (const intake of webhooks(config)) {
        const scope = get(intake, "scope");
        const reads = [...config.expansions("custom_data")].filter(({ site }) => site.unit === intake);
        if (scope === undefined || textAt(intake, "scope") !== "workflow" || reads.length === 0) continue;
        // Who widens it also says whose a payload is (D47).
        const routed = intake.member("resource_id") === undefined ? ', "resource_id": { "!jq": ".id" }' : "";
        yield {
          edits: [replacement(scope, `"connection"${routed}`)],
          at: [scope, ...reads.map(({ span }) => span)],
        };
      }
    },
  },
  {
    name: "intake/swapped-type",
    what: "`polling` for `webhook` or the other way round: seen at the type, at the name, or at the members.",
    expects: "error",
    *mutants(config) {
      for (const intake of config.intakes) {
        const type = get(intake, "type");
        if (type?.kind !== "string") continue;
        const other = type.value === "webhook" ? '"polling"' : '"webhook"';
        const at = [type, ...intake.members.map(({ key }) => key), get(intake, "name") ?? type];
        yield { edits: [replacement(type, other)], at } satisfies Mutant;
      }
    },
  },
  {
    name: "intake/unused",
    what: "An intake that no workflow uses.",
    expects: "hint",
    *mutants(config) {
      const [first] = config.intakes;
      if (first === undefined) return;
      const newText = `{ "type": "polling", "name": "spare-intake", "request": { "!pipe": [{ "!http": { "path": "/items" } }, { "!jq": "{results: .items, iterate: false, polling_state: {}}" }] } }, `;
      yield replaced({ start: first.start, end: first.start }, newText);
    },
  },
  {
    name: "auth/unused",
    what: "An auth entry that no workflow uses.",
    expects: "hint",
    *mutants(config) {
      const auth = config.root.get("auth");
      if (auth?.kind !== "object") return;
      const json =
        '{ "type": "token", "configuration": { "header_key": "X-Key", "verify_url": "https://api.example.com/me" }, "defined_fields": { "token": { "label": "Key" } } }';
      yield added(auth, "spare-connection", json);
    },
  },
];
