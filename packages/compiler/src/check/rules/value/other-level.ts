import { constantOf } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { nounOf } from "../../../flow/nouns.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { kindsNamed } from "./kinds-named.ts";
import { type RecordRead, recordReads } from "./wrapped-reads.ts";

const otherLevel = defineRule<{ member: string; wrapper: string; isBeside: boolean }>({
  id: "value/other-level",
  severity: "warning",
  summary: "A member is read a level above or below where the app reads it elsewhere",
  why: "Some services put the members of a record into one of them, such as `attributes`. A member that is read beside it is null for every record, and nothing fails.",
  guards: ["command.!jq", "D20", "D23"],
  message: ({ member, wrapper, isBeside }) =>
    isBeside
      ? `\`${member}\` is read of the record itself. Elsewhere this app reads it below \`${wrapper}\`.`
      : `\`${member}\` is read below \`${wrapper}\`. Elsewhere this app reads it of the record itself.`,
  because: ({ member, wrapper, isBeside }) => [
    `elsewhere: ${isBeside ? `\`.${wrapper}.${member}\`` : `\`.${member}\``}`,
    `here: ${isBeside ? `\`.${member}\`` : `\`.${wrapper}.${member}\``}`,
  ],
  help: ({ member, wrapper, isBeside }) => `Write \`.${isBeside ? `${wrapper}.` : ""}${member}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.data[] | select(.attributes.status == \\"open\\") | {display: .attributes.title, value: .id}]"}]}',
      },
      bad: '{"!jq": ".data | if «.status» == \\"open\\" then {email: .attributes.email} else null end"}',
      good: '{"!jq": ".data | if .attributes.status == \\"open\\" then {email: .attributes.email} else null end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherLevel],
  checks: {
    document(model, report) {
      // While the document is in pieces, those that would tell may be among them.
      if (model.document.problems.length > 0) return;
      for (const reads of recordReads(model).values()) {
        const wrapped = reads.filter(({ wrapper }) => wrapper !== undefined);
        if (new Set(wrapped.map(({ member }) => member)).size < 2) continue;
        for (const read of reads) {
          const { program, node, member } = read;
          const elsewhere = reads.filter((each) => each !== read && each.member === member);
          const wrapper = read.wrapper ?? elsewhere.find((each) => each.wrapper !== undefined)?.wrapper;
          if (wrapper === undefined || !isAlone(read, elsewhere)) continue;
          if (isFallback(read) || isOtherType(read, model)) continue;
          if (!isOfSame(read, elsewhere, wrapper, model)) continue;
          report(
            otherLevel,
            { node: program.node, from: node.start, to: node.end },
            { member, wrapper, isBeside: read.wrapper === undefined },
          );
        }
      }
    },
  },
};
export default module;

/** What records have beside their wrapped members, too. */
const ofRecords: ReadonlySet<string> = new Set([
  "id",
  "type",
  "links",
  "meta",
  "key",
  "url",
  "createdAt",
  "updatedAt",
]);

/** Whether all others read it at the other level, or most do where both are known. */
function isAlone({ wrapper, member }: RecordRead, elsewhere: readonly RecordRead[]): boolean {
  const isBeside = wrapper === undefined;
  const others = elsewhere.filter((each) => (each.wrapper === undefined) !== isBeside);
  if (others.length !== elsewhere.length || others.length === 0) return false;
  return isBeside ? !ofRecords.has(member) : (member === "id" || member === "type") && others.length > 1;
}

/** `.attributes.name // .name` reads both on purpose. */
const isFallback = ({ program, node }: RecordRead): boolean =>
  nodesOfKind(program, "Alternative").some(({ start, end }) => start <= node.start && node.end <= end);

/** `.attributes.type == "enum"`: the type of a field, say. That of the record itself says what kind of record it is. */
function isOtherType({ program, node, member, wrapper }: RecordRead, model: Model): boolean {
  if (member !== "type" || wrapper === undefined) return false;
  return nodesOfKind(program, "Comparison").some(({ left, right }) => {
    const word = left === node ? constantOf(right) : right === node ? constantOf(left) : undefined;
    return typeof word === "string" && !kindsNamed(model).has(nounOf(word) ?? "");
  });
}

/** Whether one of the others is read of the same kind of record. All of JSON:API have attributes and all edges a node, lists of others may differ. */
function isOfSame(
  read: RecordRead,
  elsewhere: readonly RecordRead[],
  wrapper: string,
  model: Model,
): boolean {
  if (wrapper === "attributes" || read.list === "edges") return true;
  const own = kindOf(read, model);
  return own !== undefined && elsewhere.some((each) => kindOf(each, model) === own);
}

/** The last noun of the path that a record is asked for by; undefined for what isn't asked for. */
function kindOf({ program, node }: RecordRead, model: Model): string | undefined {
  const kinds = new Set(
    trailsOf(flowOf(model), program, node).map(({ origin }) => {
      const path = origin.kind === "response" ? textOf(origin.command.argument, "path") : undefined;
      const segments = path?.replace(/\?.*$/, "").split("/") ?? [];
      return segments.findLast(
        (segment) => /^[a-z]/i.test(segment) && !/^(?:search|query|list|v\d)/.test(segment),
      );
    }),
  );
  return kinds.size === 1 ? [...kinds][0] : undefined;
}
