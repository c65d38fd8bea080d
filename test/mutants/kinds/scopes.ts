import type { Span } from "@configc/compiler";
import type { CommandSite, Config } from "../config.ts";
import { get, textAt } from "../config.ts";
import { replacement } from "../edits.ts";
import { type Kind, type Mutant, replacing } from "../kind.ts";

/** Where a command stands, by the last name of its place: `create`, `describe_connection`, `options` … */
function at(site: CommandSite, ...names: readonly string[]): boolean {
  return names.includes(`${site.place[site.place.length - 1]}`);
}

/** Puts an expansion where it isn't legal: at the end of the path of each `!http` there. */
function illegal(
  name: string,
  what: string,
  path: string,
  where: (site: CommandSite, config: Config) => boolean,
): Kind {
  return replacing(name, "error", what, function* (config) {
    for (const site of config.commands) {
      const node = site.key === "!http" ? get(site.argument, "path") : undefined;
      if (node?.kind === "string" && where(site, config))
        yield [{ start: node.end - 1, end: node.end - 1 }, `?x=\${${path}}`];
    }
  });
}

const inIntake = (site: CommandSite): boolean => site.place[0] === "data_intake";
const isOfType = (site: CommandSite, type: string): boolean =>
  inIntake(site) && textAt(site.unit, "type") === type;
const inWorkflow = (site: CommandSite): boolean => site.place[0] === "workflows";

/** Each field with the expansions in its own `options` that use an earlier one. */
function* dependentFields(
  config: Config,
): Generator<{ own: string; earlier: Span; id: string; fieldIndex: number }> {
  for (const expansion of config.expansions("custom_data")) {
    const { place, unit } = expansion.site;
    const index = place.indexOf("form_fields");
    if (index < 0 || unit === undefined) continue;
    const fieldIndex = place[index + 1] as number;
    const own = textAt(config.fields(unit)[fieldIndex], "id");
    if (own !== undefined)
      yield { own, earlier: config.segment(expansion, 1), id: expansion.segments[1]!, fieldIndex };
  }
}

export const scopeKinds: readonly Kind[] = [
  illegal("scope/webhook-in-workflow", "`webhook.url` in a workflow.", "webhook.url", inWorkflow),
  illegal("scope/webhook-in-polling", "`webhook.url` in a polling intake.", "webhook.url", (site) =>
    isOfType(site, "polling"),
  ),
  illegal(
    "scope/polling-state-in-workflow",
    "`polling_state` in a workflow.",
    "polling_state.page",
    inWorkflow,
  ),
  illegal(
    "scope/polling-state-in-webhook",
    "`polling_state` in a webhook intake.",
    "polling_state.page",
    (site) => isOfType(site, "webhook"),
  ),
  illegal("scope/field-in-connect", "A field before any is filled in.", "custom_data.form.value", (site) =>
    at(site, "describe_connection"),
  ),
  illegal(
    "scope/field-in-shared-intake",
    "A field in a webhook intake that more than one workflow installation shares (D31).",
    "custom_data.form.value",
    (site) => isOfType(site, "webhook") && textAt(site.unit, "scope") !== "workflow",
  ),
  illegal(
    "scope/workflow-data-in-shared-intake",
    "`data.workflow` in such an intake (D31).",
    "data.workflow.hook_id",
    (site) => isOfType(site, "webhook") && textAt(site.unit, "scope") !== "workflow",
  ),
  illegal(
    "scope/piped-content-outside",
    "`piped_content` outside a `!pipe` and `data_pipeline` (D11).",
    "piped_content.0.id",
    (site) => site.parent === undefined && !site.place.includes("data_pipeline"),
  ),
  illegal(
    "scope/subdomain-undeclared",
    "`subdomain` where no auth has such a field.",
    "subdomain",
    (_, config) => config.objects("auth.*.defined_fields.subdomain").length === 0,
  ),
  {
    name: "scope/subdomain-removed",
    what: "The field `subdomain` is gone, its uses aren't.",
    expects: "error",
    *mutants(config) {
      for (const field of config.objects("auth.*.defined_fields.subdomain")) {
        const member = field.parent;
        if (member?.kind !== "member") continue;
        const at = [...config.text.matchAll(/\$\{subdomain\}/g)].map(({ index }) => ({
          start: index,
          end: index + 12,
        }));
        yield { edits: [replacement(member.key, '"token"')], at: [member.key, ...at] } satisfies Mutant;
      }
    },
  },
  replacing("scope/own-field", "error", "A field's options use the field itself (D12).", function* (config) {
    for (const { own, earlier } of dependentFields(config)) yield [earlier, own];
  }),
  {
    name: "scope/later-field",
    what: "A field's options use a field that comes later: the two are swapped (D12).",
    expects: "error",
    *mutants(config) {
      for (const workflow of config.workflows) {
        const fields = config.fields(workflow);
        for (const [i, second] of fields.entries()) {
          const first = fields[i - 1];
          const id = textAt(first, "id");
          const used = [...config.expansions("custom_data")].filter(
            ({ segments, span }) => segments[1] === id && second.start < span.start && span.end < second.end,
          );
          if (first === undefined || used.length === 0) continue;
          const texts = [first, second].map(({ start, end }) => config.text.slice(start, end));
          yield {
            edits: [replacement(first, texts[1]!), replacement(second, texts[0]!)],
            at: [],
            landed: used.map(({ span }) => ({
              start: span.start - second.start + first.start,
              end: span.end - second.start + first.start,
            })),
          };
        }
      }
    },
  },
  replacing(
    "scope/field-of-other-workflow",
    "error",
    "A field of another workflow (D12).",
    function* (config) {
      for (const expansion of config.expansions("custom_data")) {
        const { unit, place } = expansion.site;
        if (place[0] !== "workflows" || unit === undefined) continue;
        const ids = new Set(config.fields(unit).map((field) => textAt(field, "id")));
        const foreign = config.workflows
          .flatMap((other) => config.fields(other))
          .map((field) => textAt(field, "id"));
        const id = foreign.find((each) => each !== undefined && !ids.has(each));
        if (id !== undefined) yield [config.segment(expansion, 1), id];
      }
    },
  ),
  replacing(
    "scope/display-of-text",
    "hint",
    "`.display` of a field that is typed (D12).",
    function* (config) {
      const typed = new Set<string>();
      const chosen = new Set<string>();
      for (const field of config.workflows.flatMap((workflow) => config.fields(workflow))) {
        const id = textAt(field, "id") ?? "";
        (textAt(field, "type")?.startsWith("text") ? typed : chosen).add(id);
      }
      for (const expansion of config.expansions("custom_data")) {
        const [, id, attribute] = expansion.segments;
        if (attribute === "value" && typed.has(id!) && !chosen.has(id!))
          yield [config.segment(expansion, 2), "display"];
      }
    },
  ),
];
