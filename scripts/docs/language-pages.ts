import { language } from "@configc/compiler";
import { commandsPage } from "./commands-page.ts";
import { expansionsPage } from "./expansions-page.ts";
import { anchor, page, table } from "./markdown.ts";
import { resourcesPage } from "./resources-page.ts";
import { sectionBlocks } from "./section-text.ts";
import { allSections, sectionsBelow, sectionsOf } from "./sections.ts";

type Section = language.Section;
type Value = language.Value;

interface PageSpec {
  /** File below `docs/language`, without its ending. */
  readonly file: string;
  readonly title: string;
  readonly about: string;
  /** The value whose sections stand here, up to those where another page begins. */
  readonly start: Value;
}

const pages: readonly PageSpec[] = [
  {
    file: "document",
    title: "The document",
    about: "Its top-level members",
    start: { kind: "section", section: () => language.document },
  },
  { file: "auth", title: "`auth`", about: "Ways to authorise with the third party", start: value("auth") },
  { file: "api", title: "`api`", about: "Base URL and rate limits", start: value("api") },
  {
    file: "pagination",
    title: "`api.pagination`",
    about: "How lists continue on further pages",
    start: value("api", "pagination"),
  },
  { file: "data-intake", title: "`data_intake`", about: "Webhooks and polling", start: value("data_intake") },
  { file: "workflows", title: "`workflows`", about: "What customers set up", start: value("workflows") },
  {
    file: "setup",
    title: "`setup`",
    about: "The steps that a customer walks through",
    start: value("workflows", "setup"),
  },
  { file: "map", title: "`setup.map`", about: "Mapping fields", start: value("workflows", "setup", "map") },
  { file: "objects", title: "`objects`", about: "Additional data storage", start: value("objects") },
];

/** The value of a member, by the names that lead to it. */
function value(...path: readonly string[]): Value {
  let section: Section | undefined = language.document;
  let found: Value | undefined;
  for (const name of path) {
    found = section?.members[name]?.value;
    section = found === undefined ? undefined : sectionsOf(found)[0];
  }
  if (found === undefined) throw new Error(`The language has no member ${path.join(".")}.`);
  return found;
}

/** `docs/language/*.md`: the language table in words. */
export function languagePages(): Map<string, string> {
  const laidOut = pages.map((spec) => ({ spec, sections: sectionsOn(spec) }));
  const linkTo = links(laidOut);
  const result = new Map<string, string>([["docs/language/README.md", indexPage()]]);
  for (const { spec, sections } of laidOut) {
    const contents =
      sections.length < 3
        ? undefined
        : sections.map(({ title }) => `[${title}](#${anchor(title)})`).join(" · ");
    const blocks = sections.flatMap((section) => [
      `## ${section.title}`,
      ...sectionBlocks(section, linkTo(spec.file)),
    ]);
    result.set(`docs/language/${spec.file}.md`, page(spec.title, contents, ...blocks));
  }
  result.set("docs/language/commands.md", commandsPage());
  result.set("docs/language/expansions.md", expansionsPage());
  result.set("docs/language/resources.md", resourcesPage());
  return result;
}

function sectionsOn(spec: PageSpec): Section[] {
  const elsewhere = pages.filter((other) => other !== spec).flatMap(({ start }) => sectionsOf(start));
  return sectionsBelow(spec.start, new Set(elsewhere));
}

/** Addresses of headings, as seen from a page. */
function links(laidOut: readonly { spec: PageSpec; sections: readonly Section[] }[]) {
  const fileOf = new Map(
    laidOut.flatMap(({ spec, sections }) => sections.map((section) => [section, spec.file])),
  );
  const lost = allSections().filter((section) => !fileOf.has(section) && !section.name.startsWith("!"));
  if (lost.length > 0)
    throw new Error(`No page of the reference has ${lost.map(({ name }) => name).join(", ")}.`);
  return (from: string) => (section: Section) => {
    const file = fileOf.get(section);
    return `${file === from ? "" : `${file}.md`}#${anchor(section.title)}`;
  };
}

function indexPage(): string {
  const more = [
    ["[Commands](commands.md)", "Requests, programs, storage: what an app does"],
    ["[Expansions](expansions.md)", "`${…}` in strings: what can be read where"],
    ["[Resources](resources.md)", "The platform's own data"],
  ];
  return page(
    "The language",
    'Every member, command, expansion and resource of an integration app config. *ext* marks what the specification doesn\'t state but configs in the wild use; `"language": "core"` in the [settings](../settings.md) reports each use.',
    table(
      ["page", "about"],
      [...pages.map((spec) => [`[${spec.title}](${spec.file}.md)`, spec.about]), ...more],
    ),
  );
}
