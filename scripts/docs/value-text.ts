import type { language } from "@configc/compiler";
import { alternatives, code } from "./markdown.ts";

type Value = language.Value;
type Condition = language.Condition;
type Section = language.Section;

/** How values of the language table read in the reference. */

/**
 * The type of a member, with links to the sections that it can hold.
 *
 * @param linkTo gives the address of a section's heading
 */
export function typeText(value: Value, linkTo: (section: Section) => string): string {
  const of = (inner: Value) => typeText(inner, linkTo);
  switch (value.kind) {
    case "text":
      return textType(value);
    case "integer":
      return integerType(value);
    case "boolean":
      return "boolean";
    case "scalar":
      return "string, number or boolean";
    case "section":
      return sectionLink(value.section(), linkTo);
    case "variant":
      return alternatives(Object.values(value.variants).map((variant) => sectionLink(variant(), linkTo)));
    case "map":
      return `object by name, each: ${of(value.of)}`;
    case "list":
      return `list${listLimits(value)} of: ${of(value.of)}`;
    case "command":
      return value.orStatic === undefined
        ? "[command](commands.md)"
        : `[command](commands.md), or ${of(value.orStatic)}${value.staticTier === "ext" ? " (*ext*)" : ""}`;
    case "either":
      return alternatives(value.of.map(of));
    case "data":
      if (value.must === undefined) return "any value";
      return value.must === "object" ? "object" : "object, or one whole expansion";
  }
}

function sectionLink(section: Section, linkTo: (section: Section) => string): string {
  return `[${section.title}](${linkTo(section)})`;
}

const formats: Readonly<Record<language.TextFormat, string>> = {
  url: "absolute URL",
  jq: "jq program",
  name: "name",
  label: "label",
  sentence: "sentence",
  markdown: "Markdown",
  secret: "secret, as a placeholder",
  path: "path below `api.base_url`",
  header: "header value",
  resource: "resource",
  comment: "remark",
};

function textType({
  oneOf,
  ext = [],
  anyCase,
  openEnded,
  format,
  expansions,
  refersTo,
}: language.TextValue): string {
  if (oneOf !== undefined) {
    const values = oneOf.map((text) =>
      ext.includes(text) ? `${code(`"${text}"`)} (*ext*)` : code(`"${text}"`),
    );
    return `${alternatives(values)}${anyCase ? ", in any case" : ""}${openEnded ? "; others are kept, unchecked" : ""}`;
  }
  const references = {
    auth: "name of an `auth` entry",
    intake: "name of an intake",
    group: "name of a group",
  };
  if (refersTo !== undefined) return `string: ${references[refersTo]}`;
  const what = format === undefined ? "string" : `string: ${formats[format]}`;
  return expansions ? `${what}, with [expansions](expansions.md)` : what;
}

function integerType({ minimum, only }: { minimum?: number; only?: number }): string {
  if (only !== undefined) return `whole number: ${only}`;
  return minimum === undefined ? "whole number" : `whole number, at least ${minimum}`;
}

function listLimits({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  if (minimum === undefined && maximum === undefined) return "";
  if (maximum === undefined) return ` (at least ${minimum})`;
  return ` (${minimum ?? 0} to ${maximum})`;
}

/** "yes", "when the workflow is inbound" … */
export function requiredText({ required, tolerated }: language.Member): string {
  const tolerance = tolerated === undefined ? "" : `, an absence is a ${tolerated}`;
  if (required === true) return `yes${tolerance}`;
  if (required === undefined || required === false) return "no";
  return `${conditionText(required)}${tolerance}`;
}

function conditionText(condition: Condition): string {
  if ("direction" in condition) {
    const type = condition.direction === "inbound" ? "generic" : "automations";
    return `when the workflow is ${condition.direction} (${code(type)})`;
  }
  return `when ${code(condition.sibling)} is ${alternatives(condition.is.map((text) => code(`"${text}"`)))}`;
}

/** "Exactly one of `path` and `url`." */
export function groupText({ kind, members }: language.MemberGroup): string {
  const count = { exactlyOne: "Exactly one", atLeastOne: "At least one", atMostOne: "At most one" }[kind];
  return `${count} of ${alternatives(members.map(code))} is there.`;
}

/** Where something is defined; decisions are linked to their row of the coverage page. */
export function sourceText(source: string): string {
  return source.startsWith("spec: ")
    ? `the specification, “${source.slice(6)}”`
    : `decision ${decisionLink(source)}`;
}

export function decisionLink(id: string): string {
  return `[${id}](../coverage.md#${id.toLowerCase()})`;
}
