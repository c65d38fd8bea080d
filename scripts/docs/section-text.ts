import type { language } from "@configc/compiler";
import { code, fence, table } from "./markdown.ts";
import { discriminators } from "./sections.ts";
import { decisionLink, groupText, requiredText, sourceText, typeText } from "./value-text.ts";

type Section = language.Section;
type Member = language.Member;

/**
 * A section of the language in the reference: its table of members, and an example of each.
 *
 * @param linkTo gives the address of a section's heading
 */
export function sectionBlocks(section: Section, linkTo: (section: Section) => string): string[] {
  const members = Object.entries(section.members).map(
    ([name, member]) => [name, discriminated(name, member, section)] as const,
  );
  return [
    section.doc,
    table(
      ["member", "type", "required", "default", "meaning"],
      members.map(([name, member]) => memberRow(name, member, section, linkTo)),
    ),
    ...(section.groups ?? []).map(groupText),
    ...(section.open ? ["Other members are kept as they are."] : []),
    fence("jsonc", members.map(([name, member]) => exampleLine(name, member)).join("\n")),
    `Defined by ${sourceText(section.source)}.`,
  ];
}

/** In one variant, the member that selects it has one value. */
function discriminated(name: string, member: Member, section: Section): Member {
  const own = variants.get(section);
  if (own?.member !== name) return member;
  return { ...member, value: { kind: "text", oneOf: [own.value] }, example: own.value };
}

const variants = discriminators();

function memberRow(
  name: string,
  member: Member,
  section: Section,
  linkTo: (section: Section) => string,
): string[] {
  const source =
    member.source === undefined || member.source === section.source
      ? ""
      : ` (${decisionLink(member.source)})`;
  return [
    `${code(name)}${member.tier === "ext" ? " *ext*" : ""}`,
    typeText(member.value, linkTo),
    requiredText(member),
    member.default === undefined ? "" : code(JSON.stringify(member.default)),
    `${member.doc}${source}`,
  ];
}

function exampleLine(name: string, { example }: Member): string {
  return `${JSON.stringify(name)}: ${spaced(example)}`;
}

/** JSON on one line, with blanks after commas and colons and inside braces. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
