import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { nounOf, singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { readingOutcomes } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { type Watermark, watermarksOf } from "../../../flow/protocol/watermarks.ts";
import { nounOfPath } from "../../../flow/record-kind.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { areAnswers } from "./answer-writes.ts";
import { sentKeys } from "./cut-places.ts";
import { goesByMember } from "./said-of-parameter.ts";

const opaquePlace = defineRule<{
  param: string;
  text: string;
  member: string;
  /** The key that `initial_setup` takes from an answer; undefined where a comment says that the place comes from one. */
  key?: string;
}>({
  id: "polling/opaque-place",
  severity: "warning",
  summary: "A place that the service hands out is made from a record instead",
  why: "A bookmark, token or cursor that an API calls opaque stands for a place in its list. Another text stands for none, or for a wrong one: reading begins anew, stops or skips records.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ param, member, key }) =>
    key !== undefined
      ? `\`initial_setup\` gets \`${key}\` from the service, but here it becomes the \`${member}\` of a record.`
      : `A comment says that \`${param}\` comes from the answer, but it becomes the \`${member}\` of a record.`,
  because: ({ param, text }) => [
    `page 1 is read, and its answer says which \`${param}\` leads on`,
    `page 2 is asked for with \`${text}\`, which the service never gave`,
  ],
  help: ({ param }) => `Keep the \`${param}\` of the answer.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"place is an opaque bookmark that comes with every answer."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {place: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"place": "${polling_state.place}", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .more, polling_state: {place: ((«.items | last | .number») // ${polling_state.place})}}"',
      good: '"{results: .items, iterate: .more, polling_state: {place: (.place // ${polling_state.place})}}"',
    },
    {
      title: "A bookmark that the setup was given",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/readers"}}, {"!jq": "{polling_state: {bookmark: .reader.bookmark}}"}]}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"after": "${polling_state.bookmark}", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {bookmark: «.items[-1].sold_at_ms»}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {bookmark: .bookmark}}"',
    },
  ],
});

const idOfOther = defineRule<{ param: string; text: string; owner: string }>({
  id: "polling/id-of-other",
  severity: "warning",
  summary: "A list goes by the ids of its records, and the place is the id of something in a record",
  why: "The next page begins behind an id of the list. The id of another thing, such as a record's owner, counts differently: records are skipped or read again.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ param, text, owner }) =>
    `The list is sorted by the ids of its records, but \`${param}\` becomes \`${text}\`, the id of a record's \`${owner}\`.`,
  because: ({ owner }) => [
    "record 100 is the last one of page 1",
    `its \`${owner}\` has the id 7: page 2 begins behind record 7`,
  ],
  help: () => "Take the record's own id.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"after_id": "${polling_state.after}", "order": "id", "limit": 50}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {after: ((«.items | last | .owner.id») // ${polling_state.after})}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {after: ((.items | last | .id) // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
    {
      title: "What another path names",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after_id: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/entries", "params": {"after_id": "${polling_state.after_id}", "limit": 50}}',
        "/workflows/0/data_pipeline/source":
          '{"!pipe": [{"!http": {"path": "/choirs/${piped_content.0.choir_id}"}}, {"!jq": "{email, name, city}"}]}',
      },
      bad: '"{results: .entries, iterate: .more, polling_state: {after_id: («.entries[-1].choir_id» // ${polling_state.after_id})}}"',
      good: '"{results: .entries, iterate: .more, polling_state: {after_id: (.entries[-1].id // ${polling_state.after_id})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [opaquePlace, idOfOther],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const isById = sortsById(intake, model);
      const request = intake.commands.get("request");
      if (request === undefined) return;
      for (const { key, param } of sentKeys(intake, model))
        for (const mark of watermarksOf(intake, key, model) ?? []) {
          const { member, node, program, from, command } = mark;
          if (
            command !== "request" ||
            member === undefined ||
            (from !== "last" && from !== "first" && from !== "greatest")
          )
            continue;
          const at = partAt(program, bare(node));
          const text = textAt(bare(node), program);
          const clauses = hasComments(model) ? documentedClauses(request.node) : [];
          const said =
            // A record may bear a place of its own.
            ownPlace.test(member) || goesByMember(member, clauses)
              ? undefined
              : clauses.find(
                  (clause) =>
                    saysOpaque(clause.text, [param, key], member) ||
                    namesNext(clause.text, param, intake, model),
                );
          if (said !== undefined)
            return report(opaquePlace, at, { param, text, member }, [
              { message: "the comment", at: said.comment },
            ]);
          if (isTimeName(member) && isHandedOut(key, intake, model))
            return report(opaquePlace, at, { param, text, member, key });
          const isIdAsked = isById && /(?:^|_)id$|Id$|^(?:starting_)?after$/.test(param);
          const owner =
            (isIdAsked ? ownerOf(mark) : undefined) ??
            (/^(?:after|since|from|last|min|starting_?after)_?id$/i.test(param)
              ? namedElsewhere(mark, model)
              : undefined);
          if (owner !== undefined && !isWhatIsListed(owner, intake, model))
            return report(idOfOther, at, { param, text, owner });
        }
    },
  },
};
export default module;

const ownPlace = /token|cursor|bookmark|marker/i;

/** Whether the list is one of what stands in its items: `GET /tasks` with `{task: {…}}`, or results `[.items[].task]`. */
function isWhatIsListed(owner: string, intake: IntakeSymbol, model: Model): boolean {
  const [request] = askedBy(intake, model)?.requests ?? [];
  const listed = nounOfPath(textOf(request?.argument, "path") ?? "");
  if (listed !== undefined && nounOf(owner) === listed) return true;
  const taken = new RegExp(
    `\\[\\]\\s*(?:\\|\\s*)?\\.${escapedPattern(owner)}\\s*\\]|map\\(\\.${escapedPattern(owner)}\\)`,
  );
  return onlyOutcomes(intake, model).some((text) => taken.test(text));
}

/** The `results` of an intake, as they are written. */
const onlyOutcomes = (intake: IntakeSymbol, model: Model): readonly string[] =>
  readingOutcomes(intake, model).flatMap(({ members, program }) => {
    const results = members.get("results");
    return results === undefined ? [] : [textAt(results, program)];
  });

const opaque =
  /\bopaque\b|\b(?:hands?|gives?|sends?|comes?|returned|given|handed)(?: \w+){0,2} (?:with|in|by) (?:every|each|the) (?:answer|response|page)\b/i;

/** `'place' is an opaque bookmark`: what a sentence begins with, or says it of; a record may have it too, where the sentence names its member. */
function saysOpaque(sentence: string, names: readonly string[], member: string): boolean {
  if (!opaque.test(sentence) || names.includes(member)) return false;
  if (new RegExp(String.raw`(?<!\w)${escapedPattern(member)}(?!\w)`).test(sentence)) return false;
  return names.some(
    (name) =>
      new RegExp(
        String.raw`(?:^|[,:] |\b[Tt]he )\W?${escapedPattern(name)}\W{0,2} (?:is|comes|are|token|bookmark)\b`,
      ).test(sentence) ||
      // `endCursor is opaque and only good for after`: what else may it be.
      new RegExp(String.raw`\b(?:for|as|in|into|to) (?:the )?\W?${escapedPattern(name)}(?!\w)`).test(
        sentence,
      ),
  );
}

/** Whether a sentence names the `next_token` of an answer, for what is sent as `token`, and no program reads it. */
function namesNext(sentence: string, param: string, intake: IntakeSymbol, model: Model): boolean {
  if (!/token$|cursor$|bookmark$|marker$|^position$/i.test(param) || !/next/i.test(sentence)) return false;
  const [name] =
    new RegExp(String.raw`(?<![\w.])next_?${escapedPattern(param)}(?!\w)`, "i").exec(sentence) ?? [];
  return (
    name !== undefined && partOfUnit(intake, model).programs.every(({ node }) => !node.value.includes(name))
  );
}

/** Whether a request asks for its list by the records' ids: `order: "id"`. */
function sortsById(intake: IntakeSymbol, model: Model): boolean {
  return partOfUnit(intake, model).commands.some(({ key, unit, argument }) => {
    const params =
      key === "!http" && unit === intake && argument?.kind === "object" ? argument.get("params") : undefined;
    return (
      params?.kind === "object" &&
      ["order", "sort", "order_by", "orderBy", "sort_by", "sortBy"].some((name) =>
        /^(?:[+]?id|id[:, _]?asc(?:ending)?)$/i.test(textOf(params, name) ?? ""),
      )
    );
  });
}

/** Objects that a record is wrapped in: their id is the record's. */
const wrapper = /^(?:node|record|item|data|attributes|resource|object|entry|value|fields|meta|row)$/i;

/** `member` of `.memberships | last | .member.id`: whose id it is, where that is another thing than the record. */
function ownerOf({ node, program }: Watermark): string | undefined {
  const read = bare(node);
  const stages = read.kind === "Pipeline" ? stagesOf(read) : [read];
  const last = bare(stages.at(-1)!);
  const names = last.kind === "Postfix" ? trailing(last) : [];
  const [owner, id, ...others] = names;
  if (owner === undefined || !/^id$/i.test(id ?? "") || others.length > 0 || wrapper.test(owner))
    return undefined;
  const text = listText(read, program);
  const lists = wordsOf(text).map(singular);
  return lists.includes(singular(owner.toLowerCase())) ? undefined : owner;
}

/** Whether `initial_setup` keeps a bookmark of an answer as one. */
const isHandedOut = (key: string, intake: IntakeSymbol, model: Model): boolean => {
  const writes = ownPlace.test(key) ? (writesIn(intake, "initial_setup", model) ?? []) : [];
  return (
    areAnswers(writes, key) &&
    writes.every(({ keys, program }) =>
      /(?:token|cursor|bookmark|marker)[}>]?\)?$/i.test(textAt(keys.get(key)!, program)),
    )
  );
};

/** `choir` of `.entries | last | .choir_id`, where a path of the app names a record of another list by it: `/choirs/${…choir_id}`. */
function namedElsewhere({ member = "", node, program }: Watermark, { document }: Model): string | undefined {
  const [, owner] = /^([a-z]\w*?)(?:_id|Id)$/.exec(member) ?? [];
  if (owner === undefined) return undefined;
  const lists = wordsOf(listText(bare(node), program).replace(member, "")).map(singular);
  // A membership may go by its member.
  if (lists.some((list) => list.startsWith(singular(owner.toLowerCase())))) return undefined;
  const named = new RegExp(String.raw`/${escapedPattern(owner)}(?:s|es)?/\$[{<][\w.-]*\b${member}[}>]`, "i");
  return named.test(document.text) ? owner : undefined;
}

/** The names behind the last thing in a path that is none. */
function trailing({ suffixes }: Extract<Expression, { kind: "Postfix" }>): readonly string[] {
  const names: string[] = [];
  for (const suffix of suffixes.toReversed()) {
    if (suffix.kind !== "Field" || suffix.key.kind !== "Name") break;
    names.unshift(suffix.key.text);
  }
  return names;
}

/** What the last record is taken from, as it is written. */
function listText(read: Expression, program: Watermark["program"]): string {
  const text = textAt(read, program);
  const head = read.kind === "Postfix" ? bare(read.head) : undefined;
  const source = head?.kind === "Variable" ? boundTo(program, head) : undefined;
  const list = source === undefined ? text : textAt(source, program);
  return list.replace(/\.[\w]+\.id$/i, "");
}
