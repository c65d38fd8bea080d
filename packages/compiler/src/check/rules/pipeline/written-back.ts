import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { itemOfAnswer } from "../../../flow/listed-records.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { expansionTrails, inputTrails, type Origin, type Trail, trailsOf } from "../../../flow/origin.ts";
import { searchedPath } from "../../../flow/searches.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { requestText } from "./courses.ts";

const writtenBack = defineRule<{ asked: string; written: string }>({
  id: "pipeline/written-back",
  severity: "warning",
  summary: "An update sends only what was just read of the same record",
  why: "The path names a record that a request found, and the body has what that request answered about it. The record gets what it has already: the update succeeds, and nothing of the contact reaches it.",
  guards: ["data_pipeline.target", "command.!http", "expansion.piped_content", "D14"],
  message: ({ asked, written }) =>
    `This sends only \`${written}\`, which \`${asked}\` has just answered about the same record. The update changes nothing.`,
  because: ({ asked, written }) => [
    `the path has the id of the record that \`${asked}\` found`,
    `the body has \`${written}\`, from the same answer`,
  ],
  help: () => "Send what the customer mapped: the input of `target`, or what a step made of it.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, attributes: del(.email), list: ${custom_data.list.value}}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}", "list": "${piped_content.1.list}", "with": "${piped_content.1.attributes}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": {"attributes": "«${piped_content.2.people[0].attributes}»"}}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, attributes: del(.email), list: ${custom_data.list.value}}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}", "list": "${piped_content.1.list}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": {"attributes": "${piped_content.1.attributes}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [writtenBack],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { argument, unit, place } = command;
        if (unit?.kind !== "workflow" || place.name !== "data_pipeline.target" || argument?.kind !== "object")
          return;
        const body = argument.get("body");
        if (body === undefined || argument.get("params") !== undefined) return;
        if (!/^(?:PUT|PATCH|POST)$/i.test(textOf(argument, "method") ?? "")) return;
        const own = partOfUnit(unit, model).expansions.filter((each) => each.command === command);
        const id = own.find(
          ({ position, node, syntax }) => position === "path" && syntax.end === node.value.length,
        );
        const flow = flowOf(model);
        const sent = id === undefined ? undefined : leavesOf(body, own, flow);
        if (id === undefined || sent === undefined || sent.every(isOfRecord)) return;
        const requests = sent.map((each) => requestsOf(expansionTrails(flow, each), flow));
        if (!requests.every((each) => each !== undefined)) return;
        const [first, ...others] = requests.flat();
        if (first === undefined || others.some((request) => request !== first)) return;
        const named = requestsOf(expansionTrails(flow, id), flow) ?? [];
        const isNamedByIt = named.length === 1 && named[0] === first && isRead(first);
        if (!isNamedByIt && !isOfSameRecord(first, command)) return;
        // `The same address sent again verifies it again.`
        if (
          commentsAround(command.node, []).some(({ value }) =>
            /\bagain\b|\bsame\b|\btriggers?\b|\brefresh\w*|\btouch\w*/i.test(value),
          )
        )
          return;
        const asked = first;
        const { node, syntax } = sent.find((each) => !isOfRecord(each))!;
        report(
          writtenBack,
          { node, from: syntax.start, to: syntax.end },
          { asked: requestText(asked), written: node.value.slice(syntax.start, syntax.end) },
        );
      },
    },
  },
};
export default module;

/** The expansions that a body consists of, under the names that they are read by; undefined where it has something else, too. */
function leavesOf(
  body: JsonNode,
  own: readonly Expansion[],
  flow: TypeFlow,
): readonly Expansion[] | undefined {
  if (body.kind === "object") {
    const all = body.members.map(({ name, value }) => {
      const leaves = value === undefined ? undefined : leavesOf(value, own, flow);
      if (value?.kind === "object") return leaves;
      // Another member of the same record may be what it should become, but not the record itself.
      const isSame = leaves?.every(
        (leaf) =>
          leaf.syntax.path.at(-1)?.text === name || isRecordLessMembers(expansionTrails(flow, leaf), flow),
      );
      return isSame ? leaves : undefined;
    });
    return all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);
  }
  const leaf = own.find(({ node }) => node === body);
  const isWhole =
    leaf?.root === "piped_content" && leaf.syntax.start === 0 && leaf.syntax.end === leaf.node.value.length;
  return isWhole ? [leaf] : undefined;
}

/** What tells which record it is, or of which version. */
const isOfRecord = ({ syntax }: Expansion): boolean => {
  const name = syntax.path.at(-1)?.text ?? "";
  return isIdName(name) || /^(?:version|etag|revision|rev|lock_version)$/.test(name);
};

/** The requests of whose answers a value consists; undefined where something else is in it, or it isn't known. */
function requestsOf(trails: readonly Trail[], flow: TypeFlow): readonly Command[] | undefined {
  const found = new Set<Command>();
  for (const { origin } of trails) {
    const rest = restOf(origin);
    if (origin.kind === "response") found.add(origin.command);
    else if (rest !== undefined) {
      const inner = requestsOf(inputTrails(flow, rest.program, rest.node), flow);
      if (inner === undefined) return undefined;
      for (const request of inner) found.add(request);
    } else if (origin.kind !== "made" || origin.node.kind !== "Object") return undefined;
    else
      for (const { key, value } of origin.node.entries) {
        const isSame =
          value?.kind === "Object" || (value !== undefined && nameOfValue(value) === nameOf(key));
        const inner =
          value === undefined || !isSame
            ? undefined
            : requestsOf(trailsOf(flow, origin.program, value), flow);
        if (inner === undefined) return undefined;
        for (const request of inner) found.add(request);
      }
  }
  return found.size === 0 ? undefined : [...found];
}

/** What is left of something without some members: `del(.email)`. */
const restOf = (origin: Origin) =>
  origin.kind === "made" && origin.node.kind === "Call" && origin.node.name.text === "del"
    ? origin
    : undefined;

/** Whether a value is a whole record of an answer, or what is left of it. */
function isRecordLessMembers(trails: readonly Trail[], flow: TypeFlow): boolean {
  return (
    trails.length > 0 &&
    trails.every(({ origin }) => {
      const rest = restOf(origin);
      return rest === undefined
        ? itemOfAnswer(origin) !== undefined
        : isRecordLessMembers(inputTrails(flow, rest.program, rest.node), flow);
    })
  );
}

/** Whether a request that ran before in the same pipe did something with that very record: `/people/${…}/restore`. */
function isOfSameRecord(request: Command, { argument, pipe }: Command): boolean {
  const [before, own] = [textOf(request.argument, "path"), textOf(argument, "path")];
  return (
    request.pipe === pipe && own !== undefined && (before === own || before?.startsWith(`${own}/`) === true)
  );
}

const isRead = ({ argument }: Command): boolean => searchedPath(argument) !== undefined;
