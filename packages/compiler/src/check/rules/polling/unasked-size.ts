import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { kindOfName } from "../../../flow/exchange/name-kind.ts";
import { isLength, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const unaskedSize = defineRule<{ text: string; size: number; param: string }>({
  id: "polling/unasked-size",
  severity: "warning",
  summary: "The length of a page is compared with a number that the request doesn't ask for",
  why: "Without a parameter for it, a service gives pages of its own size, such as 25. A first page of 25 isn't 100 long, so the cycle ends there, and all later records are lost.",
  guards: ["polling.request", "polling.iterate", "D33"],
  message: ({ text, size, param }) =>
    `\`${text}\` takes pages of ${size}, but the request doesn't ask for them. Elsewhere this app sends \`${param}\`.`,
  because: ({ size }) => [
    "a first page comes with 25 items",
    `25 isn't ${size}: no second page is asked for`,
  ],
  help: ({ size, param }) => `Send \`${param}\` with ${size}, or ask for pages until an empty one comes.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists", "params": {"per_page": "100"}}}, {"!jq": "[.lists[] | {display: .title, value: .id}]"}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"page": "${polling_state.page}"}}}, {"!jq": "{results: .people, iterate: («(.people | length) == 100»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"page": "${polling_state.page}", "per_page": "100"}}}, {"!jq": "{results: .people, iterate: ((.people | length) == 100), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unaskedSize],
  checks: {
    reach: "document",
    part(part, report, model) {
      for (const { root, program, node, size } of pageLengths(part)) {
        const param = sizeParam(model);
        const requests = requestsBelow(root);
        if (param === undefined || requests.length === 0 || requests.some((each) => asksFor(size, each)))
          continue;
        if (hasComments(model) && isSaid(size, program, model)) continue;
        report(unaskedSize, partAt(program, node), { text: textAt(node, program), size, param });
      }
    },
  },
};
export default module;

/** Whether a comment says that the service gives so many by itself: “pages of 50”, “50 a page”. */
function isSaid(size: number, { node }: JqProgram, { api }: Model): boolean {
  const gives = `\\b(?:pages? (?:of|have|has)|gives?|answers?|default\\w*|always|fixed)\\b[^.;]{0,40}\\b${size}\\b`;
  const said = new RegExp(`${gives}|\\b${size}\\b[^.;]{0,25}\\b(?:per|a|at a|each) (?:page|time)`, "i");
  return commentsAround(node, api === undefined ? [] : [api.node]).some(({ value }) => said.test(value));
}

/** The length of a full page that intakes compare with, the first one in the `request` of each. */
const pageLengths = derivedInPart(({ intakes }) =>
  intakes.flatMap((intake) => {
    const root = intake.type === "polling" ? intake.commands.get("request") : undefined;
    const [first] = (root === undefined ? [] : programsBelow(root)).flatMap((program) => {
      const found = pageLength(program);
      return found === undefined ? [] : [{ program, ...found }];
    });
    return root === undefined || first === undefined ? [] : [{ root, ...first }];
  }),
);

/** `(.people | length) == 100`, where a full page has so many. */
function pageLength(program: JqProgram): { readonly node: Expression; readonly size: number } | undefined {
  if (!program.node.value.includes("length")) return undefined;
  for (const node of nodesOfKind(program, "Comparison")) {
    if (node.operator === "!=" || node.operator === "<=") continue;
    const size = isLength(node.left) ? numberOf(node.right) : undefined;
    // The length of a text, or of what went wrong, is no page's.
    if (size !== undefined && size >= 10 && !ofOther.test(textAt(node.left, program))) return { node, size };
  }
  return undefined;
}

const ofOther =
  /\.(?:\w+_)?(?:errors?|warnings?|problems?|issues|failures|names?|texts?|titles?|notes?|descriptions?|messages?|bod(?:y|ies)|email|phone|comment|summary)\b/i;

const below = (command: Command): readonly Command[] => [
  command,
  ...command.children.flatMap((child) => (child === undefined ? [] : below(child))),
];

const programsBelow = (root: Command): readonly JqProgram[] =>
  below(root).flatMap(({ program }) =>
    program === undefined || program.diagnostics.length > 0 ? [] : program,
  );

const requestsBelow = (root: Command): readonly ObjectNode[] =>
  below(root).flatMap(({ key, argument }) =>
    key === "!http" && argument?.kind === "object" ? argument : [],
  );

/** Whether a request says how many it wants: that number, in whatever place, or a parameter that is called so. */
function asksFor(size: number, request: ObjectNode): boolean {
  const pending: JsonNode[] = [request];
  const pattern = new RegExp(`(?<!\\d)${size}(?!\\d)`);
  for (const node of pending) {
    if (node.kind === "string" && pattern.test(node.value)) return true;
    if (node.kind === "number" && node.value === size) return true;
    if (node.kind === "array") pending.push(...node.items);
    if (node.kind !== "object") continue;
    if (
      node.members.some(
        ({ name }) => kindOfName(name) === "size" || /limit|size|count|first|take/i.test(name),
      )
    )
      return true;
    pending.push(...node.members.flatMap(({ value }) => value ?? []));
  }
  return false;
}

/** The parameter by which this app asks for a size elsewhere. */
const sizeParam = derived(({ commands, api }: Model): string | undefined => {
  for (const { key, argument } of commands) {
    const params = key === "!http" && argument?.kind === "object" ? argument.get("params") : undefined;
    const found = params?.kind === "object" ? params.members.find(isSize) : undefined;
    if (found !== undefined) return found.name;
  }
  const pagination = api?.node.get("pagination");
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  const pages = style?.kind === "object" ? style.members.flatMap(({ value }) => value ?? []) : [];
  for (const page of pages) {
    if (page.kind !== "object") continue;
    for (const name of ["page_size", "limit"]) {
      const size = page.get(name);
      const param = size?.kind === "object" ? size.get("param") : undefined;
      if (param?.kind === "string") return param.value;
    }
  }
  return undefined;
});

/** More than one: `limit=1` is the way to ask for one record. */
const isSize = ({ name, value }: ObjectNode["members"][number]): boolean =>
  kindOfName(name) === "size" &&
  ((value?.kind === "number" && value.value > 1) || (value?.kind === "string" && Number(value.value) > 1));
