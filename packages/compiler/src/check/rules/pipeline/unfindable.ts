import { defineRule } from "../../../findings/rule.ts";
import type { Course, Request } from "../../../flow/machine/pipeline.ts";
import { areEqual, isKind, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { lostObject, requestText, targetCourses } from "./courses.ts";
import { searchSent } from "./search-as-record.ts";

const unfindable = defineRule<{ lookup: string; key: string }>({
  id: "pipeline/unfindable",
  severity: "warning",
  summary: "A record is looked up by a value that it isn't made with",
  why: "A pipeline looks a record up and makes it where there is none. What is made without the value that it is looked up by isn't found the next time either: each run makes another one.",
  guards: ["data_pipeline.target", "command.!http", "D17"],
  message: ({ lookup, key }) =>
    `\`${lookup}\` looks for it by \`${key}\`, and this request makes it without: the next run won't find it.`,
  because: ({ lookup, key }) => [
    `\`${lookup}\` finds nothing`,
    `a record is made without \`${key}\``,
    "the next run finds nothing again, and makes another one",
  ],
  help: ({ key }) => `Send \`${key}\` with the new record too.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "if .id == null then 1 else 0 end", "cases": [{"!jq": "{id: .id}"}, {«"!http"»: {"method": "POST", "path": "/people", "body": {"list": "${custom_data.list.value}"}}}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person": "${piped_content.3.id}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!switch": {"jq": "if .id == null then 1 else 0 end", "cases": [{"!jq": "{id: .id}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person": "${piped_content.3.id}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unfindable],
  checks: {
    workflow(workflow, report, model) {
      const told = new Set<Request["command"]>();
      for (const course of targetCourses(workflow, model).filter((each) => lostObject(each) === undefined))
        for (const { lookup, made, key } of strangersIn(course)) {
          if (told.has(made.command)) continue;
          if (made.sent.some(({ expansion }) => searchSent(expansion, model) !== undefined)) continue;
          told.add(made.command);
          const related = [{ message: "looks for it", at: lookup.command.member.key }];
          report(unfindable, made.command.member.key, { lookup: requestText(lookup.command), key }, related);
        }
    },
  },
};
export default module;

interface Stranger {
  readonly lookup: Request;
  readonly made: Request;
  readonly key: string;
}

/** What a course makes in the list where it found nothing, without a value that it looked for. */
function strangersIn({ requests, found }: Course): readonly Stranger[] {
  return requests.flatMap((lookup) => {
    if (found.get(lookup.command) !== false) return [];
    const path = textOf(lookup.command.argument, "path");
    const keys = lookup.sent.filter(
      ({ expansion, plain }) =>
        expansion.position === "parameter" && expansion.root === "piped_content" && isKind(plain, "part"),
    );
    const made = requests.find(
      ({ command, isCertain }) =>
        isCertain &&
        textOf(command.argument, "method")?.toUpperCase() === "POST" &&
        textOf(command.argument, "path") === path,
    );
    const [key, ...others] = keys;
    if (made === undefined || key === undefined || others.length > 0) return [];
    const values = made.sent.map(({ plain }) => plain);
    if (values.some((value) => mayHold(value, key.plain))) return [];
    return [{ lookup, made, key: key.expansion.syntax.path.at(-1)?.text ?? "" }];
  });
}

/** Whether a value is the other one, or may have it in it. */
function mayHold(value: Value, other: Value): boolean {
  if (value === UNKNOWN || areEqual(value, other)) return true;
  if (isKind(value, "part") && isKind(other, "part") && value.source === other.source)
    return value.path.every((name, index) => other.path[index] === name);
  if (isKind(value, "list")) return value.items.some((item) => mayHold(item, other));
  if (isKind(value, "record"))
    return value.open || [...value.members.values()].some((member) => mayHold(member, other));
  return false;
}
