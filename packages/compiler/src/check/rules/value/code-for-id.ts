import type { Expression } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { nounOf, nounOfId, ofCredentials, singular } from "../../../flow/nouns.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const codeForId = defineRule<{ member: string; text: string; path: string | undefined }>({
  id: "value/code-for-id",
  severity: "warning",
  summary: "A number or a code is passed on as an id that a path asks for",
  why: "What people call a record by isn't what its path takes. With the number on the paper in the path of the id, the request finds nothing, or another record that has it as its id.",
  guards: ["command.!jq", "D18"],
  message: ({ member, text, path }) =>
    path === undefined
      ? `\`${member}\` gets \`${text}\`, and an id where another case makes it.`
      : `\`${member}\` gets \`${text}\`, and \`${path}\` takes it for an id.`,
  because: ({ text, path }) => [
    `a record has the id 71 and \`${text}\` 2024-17`,
    path === undefined
      ? "another case gives the same member an id"
      : `\`${path}\` asks for the record whose id is 2024-17`,
  ],
  help: () => "Take its id.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/meters", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{meter_id: «.meters[0].serial», email: ${piped_content.0.email}}"}, {"!http": {"method": "POST", "path": "/meters/${piped_content.2.meter_id}/visits", "body": {"list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/meters", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{meter_id: .meters[0].id, email: ${piped_content.0.email}}"}, {"!http": {"method": "POST", "path": "/meters/${piped_content.2.meter_id}/visits", "body": {"list": "${custom_data.list.value}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [codeForId],
  checks: {
    document(model, report) {
      const made = codesMade(model);
      const inPaths = codesInPaths(model);
      if (made.length === 0 && inPaths.length === 0) return;
      const paths = pathsByNoun(model);
      const ids = new Set(idsRead(model));
      for (const { at, member, text, noun } of [...made, ...inPaths]) {
        // Some services take an address for an id. A path that has this very member says nothing of that, unless it gets an id elsewhere.
        const isOpen = isAddress.test(text.split(".").at(-1)!) && !ids.has(member);
        const path = paths.get(noun)?.find(({ name }) => name !== member || !isOpen)?.path;
        if (
          path !== undefined ||
          ((isOfList.test(text) || isOfOwn(text, noun)) &&
            !isOpen &&
            ids.has(member) &&
            isCode.test(text.split(".").at(-1)!))
        )
          report(codeForId, at, { member, text, path });
      }
    },
  },
};
export default module;

/** What people call a record by, beside its id. */
const isCode = /^(?:code|number|no|serial|serial_?number|sku|reference|ref|slug)$/i;

/** The first that a search found: a new record's id is made by another case. */
const isOfList = /^\.\w+\[0\]\.\w+$/;

/** `.customer.number` for a `customer_id`. */
const isOfOwn = (text: string, noun: string): boolean =>
  nounOf(/^\.(\w+)\.\w+$/.exec(text)?.[1] ?? "") === noun;

/** Of a record that has an id beside it, it is none. */
const isAddress = /^(?:e_?mail|email_address|phone|mobile)$/i;

/** Whether a member is read of a record that is called so: `.client.email`. */
function isReadOf(noun: string, read: Expression): boolean {
  const owner = read.kind === "Postfix" ? read.suffixes.at(-2) : undefined;
  return owner?.kind === "Field" && owner.key.kind === "Name" && nounOf(owner.key.text) === noun;
}

/** Members that are called an id and get a code. */
const codesMade = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/id"?\s*:/i.test(program.node.value)) return [];
    return nodesOfKind(program, "Object").flatMap(({ entries }) =>
      entries.flatMap(({ key, value }) => {
        const member = nameOf(key);
        // A client whom paths ask for by such an id is no app's.
        const noun = member === undefined ? undefined : nounOfId(member, ofCredentials);
        const read = value === undefined ? undefined : bare(value);
        if (member === undefined || noun === undefined || read === undefined) return [];
        const name = nameOfValue(read) ?? "";
        if (!isCode.test(name) && !(isAddress.test(name) && isReadOf(noun, read))) return [];
        return [{ at: partAt(program, read), member, text: textAt(read, program), noun }];
      }),
    );
  }),
);

/** An expansion behind the name of a list in a path: `/meters/${…}`. */
interface Segment {
  readonly noun: string;
  readonly path: string;
  /** What is read there, and of what: `id` and `meter`. */
  readonly name: string;
  readonly owner: string;
  readonly at: StringPart;
}

const segments = derivedByPart(({ expansions }) =>
  expansions.flatMap(({ position, root, node, syntax }): readonly Segment[] => {
    if (position !== "path" || root !== "piped_content") return [];
    const list = listBefore({ node, syntax });
    const noun = list === undefined ? undefined : nounOf(singular(list));
    if (noun === undefined) return [];
    const [owner = "", name = ""] = syntax.path.slice(-2).map(({ text }) => text);
    const path = `/${list}/${node.value.slice(syntax.start, syntax.end)}`;
    return [{ noun, path, owner, name, at: { node, from: syntax.start, to: syntax.end } }];
  }),
);

/** Paths with an id of a record in them, by what it is an id of: `/meters/${…meter_id}`, `/meters/${…meter.id}`. */
const pathsByNoun = derived(
  (model: Model): ReadonlyMap<string, readonly Segment[]> =>
    groupBy(
      segments(model).filter(
        ({ noun, owner, name }) =>
          nounOfId(name, ofCredentials) === noun || (isIdName(name) && nounOf(owner) === noun),
      ),
      ({ noun }) => noun,
    ),
);

/** Members that some program gives an id, by its name. */
const idsRead = derivedByPart(({ programs }) =>
  programs.flatMap((program) =>
    program.diagnostics.length > 0 || !/id"?\s*:/i.test(program.node.value)
      ? []
      : nodesOfKind(program, "Entry").flatMap(({ key, value }) => {
          const member = nameOf(key);
          const isId =
            member !== undefined && value !== undefined && isIdName(nameOfValue(bare(value)) ?? "");
          return isId && isIdName(member) ? [member] : [];
        }),
  ),
);

/** Codes of such records that stand in paths themselves: `/meters/${…meter.number}`. */
const codesInPaths = derived((model: Model) =>
  segments(model).flatMap(({ noun, path, owner, name, at }) =>
    isCode.test(name) && nounOf(owner) === noun ? [{ noun, at, member: path, text: `${owner}.${name}` }] : [],
  ),
);
