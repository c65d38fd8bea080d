import type { Command, Expansion, Unit } from "../../../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { expansionTrails, type Origin, outputTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const savedRecord = defineRule<{ key: string; member: string; list: string; other: string; isWhole?: true }>({
  id: "intake/saved-record",
  severity: "warning",
  summary: "A whole registration is saved, and a path reads its id",
  why: "In the answers of this API a record is an object with an `id`. Saved as a whole, it isn't the id that a path needs: the request fails, and the registration can't be changed or removed.",
  guards: ["webhook.create", "command.!save", "expansion.data", "D9", "D24", "D32"],
  message: ({ key, member, list, isWhole }) =>
    isWhole
      ? `This saves all of \`${member}\`, whose id is \`id\`. A path reads \`/${list}/\` and \`${key}\`, which isn't saved.`
      : `\`${key}\` is the whole \`${member}\`, but a path reads it as the id: \`/${list}/…\`.`,
  because: ({ other, member }) => [
    `\`${other}\` is read elsewhere: the records of this API have an \`id\``,
    `\`${member}\` is the record, and a path needs its id`,
  ],
  help: ({ key, member }) => `Save the id: \`{${key}: ${member}.id}\`.`,
  examples: [
    {
      title: "D9",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      with: {
        "/data_intake/0/create/!pipe/0/!http/path": '"/hooks"',
        "/data_intake/0/update": undefined,
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
        "/workflows/0/data_pipeline/source":
          '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .person.email, number: .person.id}"}]}',
      },
      bad: '"{hook_id: «.hook»}"',
      good: '"{hook_id: .hook.id}"',
    },
    {
      title: "D24: all of it",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      with: {
        "/data_intake/0/create/!pipe/0/!http/path": '"/hooks"',
        "/data_intake/0/update": undefined,
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
        "/workflows/0/data_pipeline/source":
          '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .person.email, number: .person.id}"}]}',
      },
      bad: '"«.hook»"',
      good: '".hook | {hook_id: .id}"',
    },
  ],
});

const module: RuleModule = {
  rules: [savedRecord],
  checks: {
    // How the API answers is read in all parts.
    reach: "document",
    intake(intake, report, model) {
      const create = intake.type === "webhook" ? intake.commands.get("create") : undefined;
      if (create === undefined) return;
      for (const read of idsRead(partOfUnit(intake, model))) {
        if (read.unit !== intake || !isReadable(intake, model)) continue;
        const found = recordSaved(read, create, model);
        if (found === undefined) continue;
        const other = recordsWithId(model).find(({ member }) => member !== found.member)?.text;
        if (other === undefined) return;
        const member = `.${found.member}`;
        const args = { key: read.key, member, list: read.list, other };
        report(savedRecord, found.at, found.isWhole ? { ...args, isWhole: true } : args);
        return;
      }
    },
  },
};
export default module;

interface IdRead {
  readonly unit: Unit | undefined;
  readonly scope: string;
  readonly key: string;
  /** The list before it in the path: `hooks` of `/hooks/${data.workflow.hook}`. */
  readonly list: string;
}

const idsRead = derivedInPart(({ expansions }) => expansions.flatMap((each) => idRead(each) ?? []));

function idRead({ root, rootExact, syntax, node, position, unit }: Expansion): IdRead | undefined {
  const [, scope, key, ...below] = syntax.path.map(({ text }) => text);
  if (root !== "data" || !rootExact || position !== "path") return undefined;
  if (syntax.problem !== undefined || scope === undefined || key === undefined || below.length > 0)
    return undefined;
  const list = /([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1];
  return list === undefined ? undefined : { unit, scope, key, list };
}

interface SavedRecord {
  readonly member: string;
  readonly at: Location;
  readonly isWhole: boolean;
}

/** The record of the answer to a registration that `create` saves where the id is read. */
function recordSaved({ scope, key, list }: IdRead, create: Command, model: Model): SavedRecord | undefined {
  const known = savedKeys(model).get(scope as "workflow");
  const noun = nounOf(list);
  if (known === undefined || noun === undefined) return undefined;
  const flow = flowOf(model);
  const recordOf = (trails: readonly Trail[]): string | undefined => {
    const [trail, ...others] = trails;
    if (trail?.origin.kind !== "response" || others.length > 0) return undefined;
    const member = onlyMember(trail.origin);
    const { argument } = trail.origin.command;
    const isPosted = /^post$/i.test(textOf(argument, "method") ?? "");
    const posted = (textOf(argument, "path") ?? "").split("?")[0]?.split("/");
    if (!isPosted || posted?.findLast((each) => each !== "") !== list || member === undefined)
      return undefined;
    return member === "data" || nounOf(member) === noun ? member : undefined;
  };
  // Every intake of a document may save the same key.
  const saves = known.keys.get(key) ?? [];
  const [save] = saves;
  if (save !== undefined) {
    if (saves.length > 1 || outermostCommand(save) !== create) return undefined;
    const member = recordOf(outputTrails(flow, save, [key]));
    return member === undefined ? undefined : { member, at: placeOf(save, key), isWhole: false };
  }
  // Nothing saves it by name, so it is what was saved as a whole.
  const [whole] = known.saves;
  const asked = nounOfId(key);
  if (known.complete || whole === undefined || known.saves.length > 1 || asked === undefined)
    return undefined;
  if (!mayBeSame(asked, noun) || outermostCommand(whole) !== create) return undefined;
  const member = recordOf(outputTrails(flow, whole));
  return member === undefined ? undefined : { member, at: placeOf(whole, undefined), isWhole: true };
}

/** The member of an answer that a value is, as it came. */
function onlyMember({ path }: Extract<Origin, { readonly kind: "response" }>): string | undefined {
  const own = path[0] === "body" ? path.slice(1) : path;
  return own.length === 1 && own[0] !== "[]" ? own[0] : undefined;
}

function placeOf(save: Command, key: string | undefined): Location {
  const program = stepBefore(save)?.program;
  if (program === undefined) return save.member.key;
  const object = key === undefined ? undefined : finalObject(program);
  const value = object === undefined || key === undefined ? plainBody(program) : entryOf(object, key)?.value;
  return value === undefined ? save.member.key : { node: program.node, from: value.start, to: value.end };
}

/** Members of answers of which the `id` is read: `.person.id`. */
const recordsWithId = derived((model): readonly { readonly member: string; readonly text: string }[] => {
  const flow = flowOf(model);
  const memberOf = ([trail, ...others]: readonly Trail[]): string | undefined => {
    if (trail?.origin.kind !== "response" || others.length > 0) return undefined;
    const own = trail.origin.path[0] === "body" ? trail.origin.path.slice(1) : trail.origin.path;
    return own.length === 2 && own[1] === "id" && own[0] !== "[]" ? own[0] : undefined;
  };
  const inPrograms = model.programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/\w\.id\b/.test(program.node.value)) return [];
    return nodesOfKind(program, "Postfix").flatMap((node) => {
      const text = textAt(node, program);
      const member = /\w\.id$/.test(text) ? memberOf(trailsOf(flow, program, node)) : undefined;
      return member === undefined ? [] : [{ member, text }];
    });
  });
  const inExpansions = model.expansions.flatMap((expansion) => {
    const { root, syntax, node } = expansion;
    if (root !== "piped_content" || syntax.problem !== undefined || syntax.path.at(-1)?.text !== "id")
      return [];
    const member = memberOf(expansionTrails(flow, expansion));
    return member === undefined ? [] : [{ member, text: node.value.slice(syntax.start, syntax.end) }];
  });
  return [...inPrograms, ...inExpansions];
});
