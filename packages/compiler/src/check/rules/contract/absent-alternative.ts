import { type Type, types } from "@configc/jq";
import { escapedPattern, nearest } from "@configc/jq/internal";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { memberReads } from "../../../flow/member-reads.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { type StringPart, spanOf } from "../../../parse/document.ts";
import { memberValue } from "../../../parse/member-value.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

type Args = {
  readonly name: string;
  /** A name that it has, or the object beside it that has this name. */
  readonly suggestion: string;
  readonly isBeside: boolean;
  readonly members: readonly string[];
};

const absentAlternative = defineRule<Args>({
  id: "jq/absent-alternative",
  severity: "warning",
  summary: "The value before `//` is never there: its name is misspelled, or stands elsewhere",
  why: "`//` takes the other value if the first one is missing or null. A member that the value never has is always missing, so every customer gets the other value, or its error.",
  guards: ["command.!jq", "D23", "D37"],
  message: ({ name, suggestion, isBeside }) => {
    const lacks = `The value has no \`${name}\`, so \`//\` always takes the other one.`;
    return isBeside
      ? `${lacks} \`${name}\` is in \`${suggestion}\`.`
      : `${lacks} Did you mean \`${suggestion}\`?`;
  },
  because: ({ name, members }) => [
    `the value has ${allNames(members)}`,
    `\`.${name}\` is null for every record`,
  ],
  help: ({ members }) => `It has ${allNames(members)}.`,
  examples: [
    {
      title: "D37: of what the mapping gives",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{to: («.emial» // error(\\"No address.\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{to: (.email // error(\\"No address.\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{to: (.email // error(\\"No address.\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "D37: in another group",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/default_group": '"Person"',
        "/workflows/0/setup/map/describe_target/options":
          '[{"id": "email", "title": "Email", "group": "Person", "required": true}, {"id": "street", "title": "Street", "group": "Address"}, {"id": "town", "title": "Town", "group": "Address"}]',
      },
      bad: '{"!pipe": [{"!jq": "{to: .Person.email, street: .Address.street, town: (.Person«.town» // null)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{to: .Person.email, street: .Address.street, town: (.Address.town // null)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
    },
  ],
  fixes: ({ at, args: { suggestion, isBeside } }, { document }) =>
    isBeside
      ? []
      : [
          {
            title: `Change to \`${suggestion}\``,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: `.${suggestion}` }],
          },
        ],
});

const module: RuleModule = {
  rules: [absentAlternative],
  checks: {
    document(model, report) {
      for (const { at, ...args } of found(model)) report(absentAlternative, at, args);
    },
  },
};
export default module;

const found = derivedByPart((part, model) => {
  let unread: { readonly group: UnreadGroup | undefined } | undefined;
  const unreadGroup = (members: ReadonlySet<string>): string | undefined => {
    unread ??= { group: unreadGroupOf(part) };
    return unread.group !== undefined && areGroups(members, unread.group.groups)
      ? unread.group.unread
      : undefined;
  };
  return part.programs.flatMap((program): (Args & { readonly at: StringPart })[] => {
    // Types are asked for where the text alone doesn't rule it out.
    if (program.diagnostics.length > 0 || !program.node.value.includes("//")) return [];
    const given = nodesOfKind(program, "Assignment").flatMap(({ operator, target }) =>
      operator === "|=" ? [] : [target],
    );
    return memberReads(program, flowOf(model)).flatMap(({ name, start, end, target, around, absence }) => {
      const parts = types.partsOf(target).filter(({ kind }) => kind !== "null");
      if (absence !== "handled" || parts.length === 0) return [];
      // `.tags = []` makes a member.
      if (given.some((each) => each.start <= start && end <= each.end)) return [];
      const members = new Set<string>();
      for (const part of parts) {
        if (part.kind !== "object" || part.rest !== undefined || part.members.has(name)) return [];
        for (const member of part.members.keys()) members.add(member);
      }
      const own =
        nearest(name, [...members]) ??
        endingIn(name, [...members]) ??
        (program.command.place.name === "data_pipeline.target" ? unreadGroup(members) : undefined);
      const suggestion = own ?? besideWith(name, around);
      const text = program.node.value.slice(start, end);
      if (suggestion === undefined || text !== `.${name}`) return [];
      const at = { node: program.node, from: start, to: end };
      return [{ name, suggestion, isBeside: own === undefined, members: [...members], at }];
    });
  });
});

/** The group of mapped fields that nothing reads, where something reads all others: that is the one that is meant. */
function unreadGroupOf({ workflows, expansions, programs }: Part): UnreadGroup | undefined {
  const [map, ...maps] = workflows.flatMap((workflow) => workflow.maps);
  if (maps.length > 0) return undefined;
  const options = objectItems(memberValue(map?.node, "describe_target", "options"));
  const groups = new Set(options.flatMap((option) => textOf(option, "group") ?? []));
  const [unread, ...others] = [...groups].filter((group) => {
    const read = new RegExp(`\\.${escapedPattern(group)}(?!\\w)`);
    return (
      programs.every(({ node }) => !read.test(node.value)) &&
      expansions.every(({ syntax }) => !syntax.path.some(({ text }) => text === group))
    );
  });
  return unread === undefined || others.length > 0 || groups.size < 2 ? undefined : { unread, groups };
}

interface UnreadGroup {
  readonly unread: string;
  readonly groups: ReadonlySet<string>;
}

/** Whether an object is what the customer mapped: it has the groups, and tags beside them. */
function areGroups(members: ReadonlySet<string>, groups: ReadonlySet<string>): boolean {
  const own = [...members].filter((member) => !member.startsWith("_"));
  return own.length === groups.size && own.every((member) => groups.has(member));
}

/** The only member that ends with the word: `to_name` for `name`. */
function endingIn(name: string, members: readonly string[]): string | undefined {
  const [found, ...others] = members.filter((member) => member.endsWith(`_${name}`));
  return others.length === 0 ? found : undefined;
}

/** The only object beside it that always or sometimes has the name: `phone` stands in the group `Address`, not in `Applicant`. */
function besideWith(name: string, around: Type | undefined): string | undefined {
  if (around?.kind !== "object" || around.rest !== undefined) return undefined;
  const [found, ...others] = [...around.members].filter(([, { type }]) =>
    types.partsOf(type).some((part) => part.kind === "object" && part.members.has(name)),
  );
  return others.length === 0 ? found?.[0] : undefined;
}
