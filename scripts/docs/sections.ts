import { language } from "@configc/compiler";

type Section = language.Section;
type Value = language.Value;

/** The sections that a value leads to directly, in the order in which it names them. */
export function sectionsOf(value: Value): readonly Section[] {
  switch (value.kind) {
    case "section":
      return [value.section()];
    case "variant":
      return Object.values(value.variants).map((variant) => variant());
    case "map":
    case "list":
      return sectionsOf(value.of);
    case "either":
      return value.of.flatMap(sectionsOf);
    case "command":
      return value.orStatic === undefined ? [] : sectionsOf(value.orStatic);
    default:
      return [];
  }
}

/** What tells a section apart from its siblings: the value of `type`, say. */
export interface Discriminator {
  readonly member: string;
  readonly value: string;
}

/** The discriminators of all sections that are variants. */
export function discriminators(): ReadonlyMap<Section, Discriminator> {
  const found = new Map<Section, Discriminator>();
  const visit = (value: Value): void => {
    if (value.kind === "list" || value.kind === "map") visit(value.of);
    else if (value.kind === "either") value.of.forEach(visit);
    else if (value.kind === "variant") {
      for (const [name, variant] of Object.entries(value.variants)) {
        found.set(variant(), { member: value.by, value: name });
      }
    }
  };
  for (const section of allSections()) {
    for (const member of Object.values(section.members)) visit(member.value);
  }
  return found;
}

/**
 * A value's sections and all below, each once, outer ones first.
 *
 * @param stop sections that aren't entered: they stand elsewhere
 */
export function sectionsBelow(value: Value, stop: ReadonlySet<Section> = new Set()): Section[] {
  const found = new Set<Section>();
  const visit = (section: Section): void => {
    if (found.has(section) || stop.has(section)) return;
    found.add(section);
    for (const member of Object.values(section.members)) sectionsOf(member.value).forEach(visit);
  };
  sectionsOf(value).forEach(visit);
  return [...found];
}

/** Every section of the language: the document's and those of the commands' arguments. */
export function allSections(): Section[] {
  const document: Value = { kind: "section", section: () => language.document };
  const inCommands = language.commandSpecs.flatMap(({ argument }) => sectionsBelow(argument));
  return [...sectionsBelow(document), ...inCommands];
}
