import { escapedPattern } from "@configc/jq/internal";
import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { type ListReading, listReadingOf } from "../../../flow/protocol/list-reading.ts";
import { type JsonNode, type ObjectNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

/** So that nothing else is to be told of the examples' list. */
const unchanging = { world: { intakes: { customers: { changes: ["create", "delete"] } } } } as const;

const shrinkingList = defineRule<{ counter: string; what: string }>({
  id: "polling/shrinking-list",
  severity: "warning",
  summary: "The pipeline removes records from the list that is being paged",
  why: "When a record leaves the list, all records after it move up by one. The next page or offset counts in the shorter list, so it skips as many records as were removed. If every record that is read leaves the list, request the first page again and again, without counting.",
  guards: ["polling.request", "workflow.data_pipeline", "D33"],
  message: ({ counter, what }) =>
    `${what} removes each record from the list, but \`${counter}\` keeps counting, so as many other records are skipped.`,
  because: ({ counter }) => [
    `three records, two on a page: the request with the first \`${counter}\` gives r1 and r2`,
    "the pipeline removes both from the list: r3 is now on the first page",
    "the next page is empty: r3 isn't read in this cycle, nor is half of a long list",
  ],
  help: ({ counter }) =>
    `Don't change \`${counter}\` while records are removed: the first page always has the next ones.`,
  examples: [
    {
      title: "Deleted",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/request/!pipe/0/!http/path": '"/queue"' },
      bad: '{"!pipe": [{"!http": {"method": "DELETE", "path": «"/queue/${piped_content.0.id}"»}}]}',
      good: '{"!pipe": [{"!http": {"method": "DELETE", "path": "/drafts/${piped_content.0.id}"}}, {"!jq": "${piped_content.0} | {email: .email, name: .name, city: .address.city}"}]}',
      samples: unchanging,
    },
    {
      title: "Given another state",
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/orders", "params": {"status": "new", "page": "${polling_state.page}", "updated_after": "${polling_state.since}"}}',
      },
      bad: '{"!pipe": [{"!http": {"method": "PATCH", "path": «"/orders/${piped_content.0.id}"», "body": {"status": "imported"}}}, {"!jq": "${piped_content.0} | {email: .email, name: .name, city: .address.city}"}]}',
      good: '{"!pipe": [{"!http": {"method": "PATCH", "path": "/orders/${piped_content.0.id}", "body": {"note": "imported"}}}, {"!jq": "${piped_content.0} | {email: .email, name: .name, city: .address.city}"}]}',
      samples: unchanging,
    },
  ],
});

const module: RuleModule = {
  rules: [shrinkingList],
  checks: {
    workflow(workflow, report, model) {
      for (const reading of readingsOf(workflow, model)) {
        const { counter, known } = reading;
        if (counter === undefined || known.pages === "frozen") continue;
        for (const { command, path, what } of takingOff(workflow, reading, model))
          report(shrinkingList, path ?? command.member, { counter: counter.name, what }, [
            { message: "counted up here", at: counter.node },
          ]);
      }
    },
  },
};
export default module;

function readingsOf(workflow: WorkflowSymbol, model: Model): readonly ListReading[] {
  return [workflow.intake, workflow.historicalIntake].flatMap((reference) =>
    reference?.target === undefined ? [] : (listReadingOf(reference.target, model) ?? []),
  );
}

interface TakingOff {
  readonly command: Command;
  readonly path: JsonNode | undefined;
  readonly what: string;
}

const takingMethods: ReadonlySet<string> = new Set(["DELETE", "PATCH", "PUT", "POST"]);

/** The requests of a pipeline after which a record isn't in the list any more. */
function takingOff(workflow: WorkflowSymbol, { request }: ListReading, model: Model): readonly TakingOff[] {
  const { commands } = partOfUnit(workflow, model);
  const list = request.path.replace(/\?.*$/, "").replace(/\/$/, "");
  return commands.flatMap((command) => {
    const { argument } = command;
    if (command.key !== "!http" || argument?.kind !== "object") return [];
    const method = textOf(argument, "method")?.toUpperCase();
    if (method === undefined || !takingMethods.has(method)) return [];
    const path = argument.get("path") ?? argument.get("url");
    // Nothing but an expansion behind the path of the list: a record of it.
    if (
      !new RegExp(`^${escapedPattern(list)}/\\$[{<][^/}>]*[}>]$`).test(
        path?.kind === "string" ? path.value : "",
      )
    )
      return [];
    if (method === "DELETE")
      return isOfOther(path, list) || staysListed(command, model)
        ? []
        : [{ command, path, what: "This `DELETE`" }];
    const changed = changesFilter(argument, request);
    return changed === undefined
      ? []
      : [{ command, path, what: `Another \`${changed}\` than the list asks for` }];
  });
}

/** Whether a path names the id of another thing than the list has: `/queue/${piped_content.0.lock_id}`. */
function isOfOther(path: JsonNode | undefined, list: string): boolean {
  const [, owner] = path?.kind === "string" ? (/\.([a-z]+)_id\W*$/i.exec(path.value) ?? []) : [];
  return owner !== undefined && !list.toLowerCase().includes(owner.toLowerCase());
}

/** Whether a comment says that what is deleted stays in the list for now. */
const staysListed = ({ node, unit }: Command, model: Model): boolean =>
  hasComments(model) &&
  commentsAround(node, intakesAround(unit)).some(({ value }) =>
    /\b(?:stays?|remains?|is (?:still )?kept) in the (?:list|queue)\b|\b(?:only|just) marks?\b/i.test(value),
  );

/** A member of the body that has another value than the one by which the list is filtered. */
function changesFilter(argument: ObjectNode, { parameters }: ListReading["request"]): string | undefined {
  const body = argument.get("body");
  if (body?.kind !== "object") return undefined;
  return parameters.find(({ name, constant }) => {
    const value = textOf(body, name);
    return constant !== undefined && value !== undefined && !value.includes("$") && value !== constant;
  })?.name;
}
