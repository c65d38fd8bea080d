import { type Expression, type Type, types } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { evaluate, NOW } from "../../../flow/machine/evaluate.ts";
import { resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { definitionInStep } from "../../../flow/protocol/definition-site.ts";
import { maskValues, readPath, readUrl } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { isSetBefore } from "../polling/null-kept.ts";
import { skippedField } from "./skipped-segment.ts";

const emptySegment = defineRule<{ expansion: string; value: string }>({
  id: "http/empty-segment",
  severity: "hint",
  summary: "A path segment may turn out empty",
  why: "Without its last segment, `DELETE /hooks/ID` becomes `DELETE /hooks/`, which on some APIs deletes everything. So a request with a segment that is empty, `null`, `.` or `..` is refused, and the step fails for that customer.",
  guards: ["command.!http", "http.path", "expansion.default", "D18"],
  message: ({ expansion, value }) =>
    `\`${expansion}\` is a whole path segment and may be ${value}. The request is then refused.`,
  because: ({ expansion, value }) => [
    `\`${expansion}\` is ${value}`,
    "the path has an empty segment, and the step fails",
  ],
  help: () => "Make sure it always has a value, or skip the request with a `!switch` if it has none.",
  examples: [
    {
      title: "an optional field that may be skipped",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!switch/cases/0/!http",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!switch": {"jq": "if .name then 0 else 1 end", "cases": [{"!http": {"path": "/notes"}}, {"!print_c": "No name."}]}}',
      },
      bad: '{"method": "POST", "path": "/notes/«${custom_data.note.value | default}»/subscribers"}',
      good: '{"method": "POST", "path": "/notes/${custom_data.note.value | default:none}/subscribers"}',
    },
    {
      title: "a step that may give null",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{list: (if .name then \\"vip\\" else null end)}"}, {"!http": {"method": "POST", "path": "/lists/«${piped_content.1.list}»"}}]}',
      good: '{"!pipe": [{"!jq": "{list: (if .name then \\"vip\\" else \\"all\\" end)}"}, {"!http": {"method": "POST", "path": "/lists/${piped_content.1.list}"}}]}',
    },
  ],
});

const nullSegment = defineRule<{ expansion: string }>({
  id: "http/null-segment",
  severity: "warning",
  summary: "A path segment is always null",
  why: "A path segment can't be null: the request is refused before it is sent. This value is null in every run, so the step fails for every customer.",
  guards: ["command.!http", "http.path", "D18"],
  message: ({ expansion }) =>
    `\`${expansion}\` is a whole path segment and always \`null\`, so the request is never sent.`,
  because: ({ expansion }) => [
    `\`${expansion}\` is null here`,
    "the path has an empty segment, and the request fails",
  ],
  help: () => "Set its value before this request.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, list: null}}"}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/exports/${polling_state.list}/rows", "params": {"page": "${polling_state.page}"}}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), list: ${polling_state.list}}}"',
        "/data_intake/0/post_poll": '{"!jq": "{polling_state: {page: 1, list: null}}"}',
      },
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"of": "all"}}}, {"!jq": "{polling_state: {page: 1, list: null}}"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"of": "all"}}}, {"!jq": "{polling_state: {page: 1, list: .id}}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [emptySegment, nullSegment],
  checks: {
    template({ node, template, position, expansions }, report, model) {
      if (position !== "path" && position !== "url") return;
      if (expansions.some(({ syntax }) => syntax.problem !== undefined)) return;
      const { value: text } = node;
      const masked = maskValues(text, template);
      const open = expansions[0]?.syntax.start === 0;
      const url = open ? undefined : readUrl(masked);
      if (url === undefined && position === "url" && !open) return;
      const path = (url ?? readPath(masked)).path;
      for (const expansion of expansions) {
        const { start, end } = expansion.syntax;
        if (end > path.end || start < path.start || (start === 0 && position === "url")) continue;
        const before = start === path.start || masked.charAt(start - 1) === "/";
        if (!before || (end < path.end && masked.charAt(end) !== "/")) continue;
        // What certainly fails for a customer is told as that.
        const value = skippedField(expansion, model) === undefined ? emptyValue(expansion, model) : undefined;
        if (value === undefined) continue;
        const written = excerpt(text.slice(start, end));
        if (value === always) report(nullSegment, { node, from: start, to: end }, { expansion: written });
        else report(emptySegment, { node, from: start, to: end }, { expansion: written, value });
      }
    },
  },
};
export default module;

/** Of a value that is never anything but null. */
const always = "always `null`";

/** The value, of those that a segment can't have, that an expansion may give; undefined where that isn't known. */
function emptyValue(expansion: Expansion, model: Model): string | undefined {
  const { root, rootExact, syntax, fields } = expansion;
  if (!rootExact || isAskedAround(expansion) || isSetBeforeRequest(expansion, model)) return undefined;
  const filter = syntax.filters.find(({ name }) => name === "default");
  if (filter !== undefined) {
    const text = filter.argument?.text ?? "";
    const takesEffect = root !== "custom_data" || fields.some(({ required }) => !required);
    if (takesEffect && /^(?:\.|%2e){0,2}$/i.test(text)) return text === "" ? "empty" : `\`${text}\``;
  }
  const made = isCase(expansion.command) ? undefined : definitionInStep(expansion);
  if (made !== undefined && mayBeEmpty(made.node)) return "empty";
  const parts = types.partsOf(flowOf(model).expansion(expansion));
  if (parts.length > 0 && parts.every(isNull)) return always;
  return parts.some(isNull) && !isPartOfText(expansion, model) ? "`null`" : undefined;
}

/** Whether no `!switch` around runs a request where the value is null, or the text that its own `default` gives. */
function isAskedAround({ command, syntax }: Expansion): boolean {
  const own = writtenAs(syntax);
  for (let at = command; at !== undefined; at = at.parent) {
    const { parent } = at;
    const { program } = parent ?? {};
    if (parent?.key !== "!switch" || program === undefined) continue;
    const index = parent.children.indexOf(at);
    const takesOther = (input: Value, given: readonly Value[]): boolean => {
      const chosen = resolved(evaluate(program, input, given, { now: NOW }));
      return typeof chosen === "number" && chosen !== index;
    };
    const asked = askedMember({ command, syntax }, at, parent);
    const unknown = program.holes.map(() => UNKNOWN);
    if (
      asked !== undefined &&
      takesOther({ kind: "record", members: new Map([[asked, null]]), open: true }, unknown)
    )
      return true;
    const given = program.holes.map((hole) =>
      writtenAs(hole.syntax) === own ? (hole.syntax.filters[0]?.argument?.text ?? "") : UNKNOWN,
    );
    if (given.some((each) => each !== UNKNOWN) && takesOther(UNKNOWN, given)) return true;
  }
  return false;
}

/** The member of the `!switch`'s own input that an expansion in one of its cases is: `id` of `${piped_content.2.id}` behind step 2. */
function askedMember(
  { command, syntax: { path, filters } }: Pick<Expansion, "command" | "syntax">,
  chosen: Command,
  parent: Command,
): string | undefined {
  const [root, index, member, ...more] = path.map(({ text }) => text);
  if (root !== "piped_content" || member === undefined || more.length > 0 || filters.length > 0)
    return undefined;
  let pipe = command?.parent;
  while (pipe !== undefined && pipe.key !== "!pipe") pipe = pipe.parent;
  const before =
    pipe === chosen ? 0 : pipe !== undefined && pipe === parent.parent ? pipe.children.indexOf(parent) : -1;
  return String(before) === index ? member : undefined;
}

const writtenAs = ({ path, filters }: Expansion["syntax"]): string =>
  [
    path.map(({ text }) => text).join("."),
    ...filters.map(({ name, argument }) => `${name}:${argument?.text ?? ""}`),
  ].join("|");

/** Whether `pre_poll` sees to it that a key of the state isn't null in the request. */
function isSetBeforeRequest({ root, syntax, command, unit }: Expansion, model: Model): boolean {
  const key = syntax.path[1]?.text;
  return (
    root === "polling_state" &&
    key !== undefined &&
    unit?.kind === "intake" &&
    command?.place.name === "intake.request" &&
    isSetBefore(unit, key, model)
  );
}

/** `.self | split("/") | last`: a text has a part, unless it is empty. */
function isPartOfText(expansion: Expansion, model: Model): boolean {
  const trails = expansionTrails(flowOf(model), expansion);
  return trails.length > 0 && trails.every(({ origin }) => origin.kind === "made" && isSplit(origin.node));
}

/** `split("/")`, `. / "/"` */
function isSplit(node: Expression): boolean {
  if (node.kind === "Call") return node.name.text === "split";
  if (node.kind !== "Arithmetic") return false;
  const { operator, operand } = node.rest.at(-1)!;
  return operator === "/" && typeof constantOf(operand) === "string";
}

/** Whether a command runs in some cases only, as where there is no empty text. */
function isCase(command: Command | undefined): boolean {
  for (let at = command?.parent; at !== undefined; at = at.parent) if (at.key === "!switch") return true;
  return false;
}

/** `(.email // "" | ascii_downcase)` */
function mayBeEmpty(node: Expression): boolean {
  switch (node.kind) {
    case "Group":
      return mayBeEmpty(node.body);
    case "Alternative":
      return constantOf(node.operands.at(-1)!) === "";
    case "Pipeline": {
      const [first, ...rest] = node.stages as Expression[];
      const keeps = rest.every(
        (stage) =>
          stage.kind === "Call" &&
          /^(?:ascii_\w+|tostring|l?r?trim|ltrimstr|rtrimstr)$/.test(stage.name.text),
      );
      return first !== undefined && keeps && mayBeEmpty(first);
    }
    default:
      return false;
  }
}

function isNull(type: Type): boolean {
  return type.kind === "null";
}
