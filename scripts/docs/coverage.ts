import { docsOf, language, type Rule } from "@configc/compiler";
import {
  decisions,
  extendedTables,
  type MemberTable,
  memberTables,
  type Row,
  statements,
  uncheckedMembers,
} from "./coverage-rows.ts";
import { code, page, table } from "./markdown.ts";
import { guardAnchor } from "./rule-page.ts";
import { allSections } from "./sections.ts";
import { structuralRules } from "./structural-rules.ts";

/** A row with the rules that guard it. */
interface CoveredRow extends Row {
  /** Rules that the language table alone drives. */
  readonly byTable: readonly string[];
}

interface Group {
  readonly title: string;
  readonly rows: readonly CoveredRow[];
}

export interface Coverage {
  readonly text: string;
  /** What is missing or misspelled, one line each. */
  readonly problems: readonly string[];
}

/** `docs/coverage.md`: each row of the specification and each decision with the rules that guard it. */
export function coverage(rules: readonly Rule[]): Coverage {
  const groups = allGroups();
  const guardedBy = guards(rules);
  const rows = new Map(groups.flatMap((group) => group.rows.map((row) => [row.id, row] as const)));
  const guarded = ({ id, byTable }: CoveredRow) => byTable.length > 0 || guardedBy.has(id);
  const problems = [...rows.values()].flatMap((row) => {
    const { id, what, see = [], unchecked } = row;
    const unguarded = see.filter((other) => !rows.has(other) || !guarded(rows.get(other)!));
    if (unguarded.length > 0) return [`${id} refers to ${unguarded.join(", ")}, which no rule guards`];
    return guarded(row) || see.length > 0 || unchecked !== undefined
      ? []
      : [`${id} (${what}) has no rule and no reason`];
  });
  for (const [id, by] of guardedBy) {
    if (!rows.has(id)) problems.push(`${by.join(", ")} guards ${id}, which is no row`);
  }
  return {
    text: coveragePage(groups, guardedBy),
    problems: [...sectionProblems(), ...problems].map((problem) => `docs/coverage.md: ${problem}`),
  };
}

/** The ids of all rows. */
export function rowIds(): string[] {
  return allGroups().flatMap(({ rows }) => rows.map(({ id }) => id));
}

function guards(rules: readonly Rule[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const rule of rules) {
    for (const id of rule.guards) found.set(id, [...(found.get(id) ?? []), rule.id]);
  }
  return found;
}

function allGroups(): Group[] {
  const bare = ({ title, rows }: { title: string; rows: readonly Row[] }): Group => ({
    title,
    rows: rows.map((row) => ({ ...row, byTable: [] })),
  });
  const [service, ...others] = statements.map(bare);
  return [
    service!,
    { title: "Commands", rows: language.commandSpecs.map(commandRow) },
    { title: "Expansions", rows: [...Object.values(language.roots).map(rootRow), defaultRow] },
    ...memberTables.map(memberGroup),
    ...others,
    bare({ title: "Decisions", rows: decisions }),
    ...extendedTables.map(memberGroup),
  ];
}

function commandRow({ key, doc }: language.CommandSpec): CoveredRow {
  return { id: `command.${key}`, what: doc, byTable: ["command/unknown-command"] };
}

function rootRow({ name, doc }: language.RootSpec): CoveredRow {
  return { id: `expansion.${name}`, what: doc, byTable: [] };
}

const defaultRow: CoveredRow = {
  id: "expansion.default",
  what: "`| default` and `| default:TEXT` stand in for what is missing",
  byTable: [],
};

/** A member that several sections of a table have (`type`, `param`) is one row. */
function memberGroup({ title, prefix, sections }: MemberTable): Group {
  const rows = new Map<string, CoveredRow>();
  for (const section of allSections().filter(({ name }) => sections.includes(name))) {
    for (const [name, member] of Object.entries(section.members)) {
      const id = `${prefix}.${name}`;
      const before = rows.get(id);
      const byTable = new Set([...(before?.byTable ?? []), ...structuralRules(name, member, section)]);
      const unchecked = uncheckedMembers[id];
      const what = before?.what ?? member.doc;
      rows.set(id, { id, what, byTable: [...byTable], ...(unchecked === undefined ? {} : { unchecked }) });
    }
  }
  return { title, rows: [...rows.values()] };
}

/** Each section of the language belongs to a table of rows, and each table's sections exist. */
function sectionProblems(): string[] {
  const listed = new Set([...memberTables, ...extendedTables].flatMap(({ sections }) => sections));
  const there = new Set(allSections().map(({ name }) => name));
  return [
    ...[...there]
      .filter((name) => !listed.has(name))
      .map((name) => `the section "${name}" stands in no table of rows`),
    ...[...listed].filter((name) => !there.has(name)).map((name) => `there is no section "${name}"`),
  ];
}

function coveragePage(groups: readonly Group[], guardedBy: ReadonlyMap<string, readonly string[]>): string {
  const rows = groups.flatMap((group) => group.rows);
  const count = (of: (row: CoveredRow) => boolean) => rows.filter(of).length;
  const own = count(({ id }) => guardedBy.has(id));
  const byTable = count((row) => !guardedBy.has(row.id) && row.byTable.length > 0);
  const elsewhere = count(
    (row) => !guardedBy.has(row.id) && row.byTable.length === 0 && row.see !== undefined,
  );
  const rest = rows.length - own - byTable - elsewhere;
  return page(
    "Coverage",
    "This page lists each statement of the specification and each decision, with the rules that guard it.",
    `There are ${rows.length} rows. ${own} have rules of their own. The language table alone guards ${byTable}. ${elsewhere} repeat other rows. ${rest} aren't checked, for the reason in the row.`,
    "The column “by the table” lists rules that hold for every member: it must be there if it is required (`missing-member`), be of the right kind (`wrong-type`), have one of the listed values (`unknown-value`), and so on. In a closed section, any other member is an `unknown-member`.",
    ...groups.flatMap(({ title, rows: own }) => [
      `## ${title}`,
      table(
        ["row", "what it says", "rules", "by the table"],
        own.map((row) => rowCells(row, guardedBy.get(row.id) ?? [])),
      ),
    ]),
  );
}

function rowCells({ id, what, byTable, see, unchecked }: CoveredRow, rules: readonly string[]): string[] {
  const others = byTable.filter((rule) => !rules.includes(rule));
  const cell = [
    rules.map((rule) => ruleLink(rule, rule)).join(", "),
    see === undefined ? "" : `see ${see.map((row) => `[${row}](#${guardAnchor(row)})`).join(", ")}`,
    unchecked === undefined
      ? ""
      : `${rules.length > 0 || see !== undefined ? "beyond that " : ""}not checked: ${unchecked}`,
  ];
  return [
    `<a id="${guardAnchor(id)}"></a>${code(id)}`,
    what,
    cell.filter((part) => part !== "").join("; "),
    others.map((rule) => ruleLink(rule, rule.slice(rule.indexOf("/") + 1))).join(", "),
  ];
}

function ruleLink(rule: string, text: string): string {
  return `[${text}](${docsOf(rule).replace(/^docs\//, "")})`;
}
