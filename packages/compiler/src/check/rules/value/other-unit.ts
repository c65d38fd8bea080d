import type { Expression } from "@configc/jq";
import type { JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { areComparable, type Counted, type Unit, unitOf, unitOfName } from "../../../flow/unit.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { unitNames } from "../jq/units.ts";

const otherUnit = defineRule<{ member: string; wanted: string; given: string; isTitle: boolean }>({
  id: "value/other-unit",
  severity: "warning",
  summary: "A member counts something else than its name or title says",
  why: "Customers map a field by its title, and services read a member by its name. Hours under “minutes” are taken for minutes, so they're wrong for every record.",
  guards: ["data_pipeline.source", "option.title", "command.!jq"],
  message: ({ member, wanted, given, isTitle }) =>
    isTitle
      ? `The title of \`${member}\` says ${wanted}, and its value counts ${given}.`
      : `\`${member}\` says ${wanted}, and its value counts ${given}.`,
  because: ({ wanted, given }) => [`written: ${wanted}`, `counted: ${given}`],
  help: ({ wanted }) => `Convert it to ${wanted}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, duration_minutes: «(((.ended | fromdate) - (.started | fromdate)) / 3600)»}"}',
      good: '{"!jq": "{email: .email, duration_minutes: (((.ended | fromdate) - (.started | fromdate)) / 60)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherUnit],
  checks: {
    program(program, report, model) {
      if (!/[*/]/.test(program.node.value) && !/_/.test(program.node.value)) return;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const member = nameOf(key);
          const counted = member === undefined || value === undefined ? undefined : unitOf(value, program);
          if (counted === undefined || isPointInTime(value!, program)) continue;
          const own = unitOfName(member!);
          const titled =
            own === undefined && counted.converted ? titleUnit(member!, program, model) : undefined;
          const wanted = own ?? titled;
          if (wanted === undefined || !isOther(wanted, counted)) continue;
          const at = { node: program.node, from: value!.start, to: value!.end };
          report(otherUnit, at, {
            member: member!,
            wanted: unitNames[wanted],
            given: unitNames[counted.unit],
            isTitle: own === undefined,
          });
        }
    },
  },
};
export default module;

const isOther = (wanted: Unit, { unit }: Counted): boolean => unit !== wanted && areComparable(unit, wanted);

/** `expires_in: (now + .seconds)` and the like: a name says less there. */
const isPointInTime = ({ start, end }: Expression, { node }: JqProgram): boolean =>
  /\bnow\b/.test(node.value.slice(start, end));

/** The unit that the title of an offered field names: “Duration in minutes”. */
function titleUnit(member: string, { command }: JqProgram, model: Model): Unit | undefined {
  if (command.unit?.kind !== "workflow" || command.place.name !== "data_pipeline.source") return undefined;
  const title = titlesOf(command.unit, model).get(member);
  const [, word] = /\b(milliseconds|seconds|minutes|hours|days|cents)\b/i.exec(title ?? "") ?? [];
  const lower = word?.toLowerCase();
  return lower === "cents" ? "minor" : (lower as Unit | undefined);
}

/** Titles of the fields that customers map from, as far as they are written. */
function titlesOf({ maps }: WorkflowSymbol, model: Model): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { node } of maps) {
    const described = node.get("describe_source");
    const options = described?.kind === "object" ? described.get("options") : undefined;
    for (const option of objectItems(options)) {
      const [id, title] = [textOf(option, "id"), textOf(option, "title")];
      if (id !== undefined && title !== undefined) titles.set(id, title);
    }
    for (const program of model.programs.filter((each) => options !== undefined && isWithin(each, options)))
      for (const { entries } of nodesOfKind(program, "Object")) {
        const texts = new Map(entries.map(({ key, value }) => [nameOf(key), value && textIn(value)]));
        const [id, title] = [texts.get("id"), texts.get("title")];
        if (id !== undefined && title !== undefined) titles.set(id, title);
      }
  }
  return titles;
}

const isWithin = ({ node }: JqProgram, { start, end }: { start: number; end: number }): boolean =>
  start <= node.start && node.end <= end;

function textIn(node: Expression): string | undefined {
  const [part, ...others] = node.kind === "String" ? node.parts : [];
  return part?.kind === "StringText" && others.length === 0 ? part.value : undefined;
}
