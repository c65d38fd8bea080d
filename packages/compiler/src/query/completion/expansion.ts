import { printType, types } from "@configc/jq";
import type {
  Command,
  Expansion,
  FieldSymbol,
  IntakeSymbol,
  WorkflowSymbol,
} from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { workflowsOf } from "../../bind/resolve.ts";
import { obstacleTo } from "../../check/rules/expansion/obstacle.ts";
import { flowOf, savedKeys } from "../../flow/flow.ts";
import { saveScopes } from "../../language/commands/save.ts";
import { ROOT_NAMES } from "../../language/expansion-names.ts";
import { roots } from "../../language/index.ts";
import { spanOf } from "../../parse/document.ts";
import { isSegment } from "../../parse/template.ts";
import { withoutHiddenBody } from "../../samples/response.ts";
import type { TextCursor } from "../cursor.ts";
import { stateKeys } from "../state-keys.ts";
import { type Completion, literal } from "./completion.ts";

/** What can be written inside `${…}`: roots that are legal there, then whatever the path so far leads to, then filters. */
export function expansionCompletions(model: Model, cursor: TextCursor): Completion[] {
  const found = cursor.expansion?.expansion;
  if (found === undefined) return [];
  const { node, offset } = cursor;
  const { syntax } = found;
  const replaceFrom = (from: number, to: number) => spanOf(model.document, { node, from, to });
  const behindBar = syntax.filters.some(({ start }) => start < offset) || barBefore(found, offset);
  if (behindBar) {
    const written = syntax.filters.find(({ nameSpan }) => nameSpan.start <= offset && offset <= nameSpan.end);
    const argument = syntax.filters.some(({ argument: text }) => text !== undefined && text.start <= offset);
    if (argument) return [];
    const replace =
      written === undefined
        ? replaceFrom(offset, offset)
        : replaceFrom(written.nameSpan.start, written.nameSpan.end);
    return [
      {
        label: "default",
        kind: "filter",
        detail: "default or default:TEXT",
        documentation: "The empty string, or TEXT, if the value is missing or the field was skipped.",
        replace,
        snippet: "default",
      },
    ];
  }
  const index = syntax.path.findIndex(({ start, end }) => start <= offset && offset <= end);
  const before = index >= 0 ? index : syntax.path.filter(({ end }) => end < offset).length;
  const segment = index >= 0 ? syntax.path[index] : undefined;
  const replace =
    segment === undefined
      ? replaceFrom(offset, offset)
      : replaceFrom(segment.start, syntax.problem === undefined ? segment.end : nameEnd(node.value, offset));
  const path = syntax.path.slice(0, before).map(({ text }) => text);
  return [...segments(model, found, path)].map((each) => ({
    ...each,
    replace,
    snippet: literal(each.label),
  }));
}

/** While an expansion is written it isn't closed yet, and what stands behind the cursor, `/items` for instance, is none of its path. */
function nameEnd(text: string, offset: number): number {
  return offset + /^[\w-]*/.exec(text.slice(offset, offset + LONGEST_NAME))![0].length;
}

const LONGEST_NAME = 100;

function barBefore({ syntax, node }: Expansion, offset: number): boolean {
  return node.value.slice(syntax.start, offset).includes("|");
}

type Segment = Omit<Completion, "replace" | "snippet">;

function* segments(model: Model, expansion: Expansion, path: readonly string[]): Generator<Segment> {
  const { command, unit } = expansion;
  const [root, first, second] = path;
  if (root === undefined) {
    for (const name of ROOT_NAMES) {
      if (obstacleTo(name, undefined, command, unit, model) !== undefined) continue;
      const { doc, form, type } = roots[name];
      yield { label: name, kind: "root", detail: type, documentation: `\`\${${form}}\`\n\n${doc}` };
    }
    return;
  }
  switch (root) {
    case "webhook":
      if (first === undefined) yield { label: "url", kind: "key", detail: "string" };
      return;
    case "custom_data":
      if (first === undefined) yield* fieldsAt(command, workflowsOf(unit));
      else if (second === undefined) yield* attributes(workflowsOf(unit), first);
      return;
    case "data":
      if (first === undefined) {
        for (const scope of saveScopes)
          if (obstacleTo("data", scope, command, unit, model) === undefined)
            yield { label: scope, kind: "key", detail: "scope" };
      } else if (second === undefined) {
        const scope = saveScopes.find((name) => name === first);
        const keys = scope === undefined ? [] : [...(savedKeys(model).get(scope)?.keys.keys() ?? [])];
        for (const key of keys)
          if (isSegment(key)) yield { label: key, kind: "key", detail: `saved in ${first}` };
      }
      return;
    case "polling_state":
      if (first === undefined && unit?.kind === "intake") yield* stateMembers(model, unit);
      return;
    case "piped_content":
      yield* piped(model, command, path.slice(1));
      return;
  }
}

/** Keys of a state: by its type, or, while some command that makes it isn't finished, by what the others spell out. */
function* stateMembers(model: Model, intake: IntakeSymbol): Generator<Segment> {
  const seen = new Set<string>();
  for (const segment of membersOf(flowOf(model).state(intake))) {
    seen.add(segment.label);
    yield segment;
  }
  for (const { name, intake: owner } of stateKeys(model))
    if (owner === intake && !seen.has(name) && isSegment(name)) yield { label: name, kind: "key" };
}

/** In the options of a field only the fields before it are filled in (D12). */
function* fieldsAt(command: Command | undefined, workflows: readonly WorkflowSymbol[]): Generator<Segment> {
  const seen = new Set<string>();
  for (const workflow of workflows) {
    for (const field of workflow.fields) {
      const { id } = field;
      if (id === undefined || !isSegment(id) || seen.has(id) || isLater(field, command)) continue;
      seen.add(id);
      yield {
        label: id,
        kind: "field",
        detail: `${field.type ?? "field"}${field.required ? "" : ", optional"}`,
        ...(field.required ? {} : { documentation: "May be skipped: needs `| default`." }),
      };
    }
  }
}

function isLater(field: FieldSymbol, command: Command | undefined): boolean {
  const own = command?.field;
  return own !== undefined && own.workflow === field.workflow && field.index >= own.index;
}

function* attributes(workflows: readonly WorkflowSymbol[], id: string): Generator<Segment> {
  const fields = workflows.flatMap((workflow) => workflow.fields.filter((field) => field.id === id));
  yield { label: "value", kind: "key", detail: "what is sent" };
  // D12: what was typed has no other text to show.
  const typed = fields.length > 0 && fields.every(({ type }) => type === "text" || type === "textarea");
  yield { label: "display", kind: "key", detail: "what the customer sees", rank: typed ? 1 : 0 };
}

function* piped(model: Model, command: Command | undefined, path: readonly string[]): Generator<Segment> {
  if (command === undefined) return;
  const flow = flowOf(model);
  const steps = command.pipe?.children ?? [];
  // Outside of a pipe the first is what the command itself is given.
  const typeOf = (index: number) =>
    index > 0 ? flow.output(steps[index - 1]) : flow.input(command.pipe ?? command);
  const [index, ...names] = path;
  if (index === undefined) {
    for (let i = 0; i <= command.stepsRun; i++) {
      const what = i === 0 ? "input" : `output of ${steps[i - 1]?.key ?? "step"}`;
      yield {
        label: `${i}`,
        kind: "key",
        detail: `${what}: ${printType(withoutHiddenBody(typeOf(i)))}`.slice(0, 120),
      };
    }
    return;
  }
  const start = Number(index);
  if (!Number.isInteger(start) || start < 0 || start > command.stepsRun) return;
  let type = typeOf(start);
  for (const name of names) {
    type = types.union(
      ...types
        .partsOf(type)
        .map((part) =>
          part.kind === "object" ? (part.members.get(name)?.type ?? types.unknown) : types.unknown,
        ),
    );
  }
  yield* membersOf(type);
}

function* membersOf(type: Parameters<typeof types.partsOf>[0]): Generator<Segment> {
  const seen = new Set<string>();
  for (const part of types.partsOf(type)) {
    if (part.kind !== "object") continue;
    for (const [name, member] of part.members) {
      if (seen.has(name) || !isSegment(name)) continue;
      seen.add(name);
      yield { label: name, kind: "key", detail: printType(withoutHiddenBody(member.type)).slice(0, 120) };
    }
  }
}
