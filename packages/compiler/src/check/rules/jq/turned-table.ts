import type { Expression, ObjectConstruction } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const turnedTable = defineRule<{ key: string; value: string; table: string; text: string }>({
  id: "jq/turned-table",
  severity: "warning",
  summary: "A table has as its values what is looked up in it",
  why: "A table is read by its keys. With names as keys and ids as values, an id is never found in it: the name of every record is null, and what customers map of it is cleared.",
  guards: ["command.!jq", "polling.polling_state", "D23"],
  message: ({ key, value, table, text }) =>
    `\`${table}\` has \`${key}\` as its keys and \`${value}\` as its values, but is looked up by \`${text}\`.`,
  because: ({ key, value, text }) => [
    `\`${text}\` is the \`${value}\` of a record`,
    `the keys are each record's \`${key}\`: nothing is found`,
  ],
  help: () => "Exchange the key and the value.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/teams"}}, {"!jq": "{teams: ([.teams[] | {key: «.name», value: (.id | tostring)}] | from_entries)}"}, {"!jq": ".teams as $teams | ${piped_content.0} | {email: .email, team: $teams[.team_id | tostring]}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/teams"}}, {"!jq": "{teams: ([.teams[] | {key: (.id | tostring), value: .name}] | from_entries)}"}, {"!jq": ".teams as $teams | ${piped_content.0} | {email: .email, team: $teams[.team_id | tostring]}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [turnedTable],
  checks: {
    part({ programs }, report) {
      // Asked by the text first: few programs make a table.
      const makers = programs.filter(({ node }) => /from_entries|\badd\b/.test(node.value));
      if (makers.length === 0) return;
      const tables = makers.flatMap(tablesIn);
      for (const table of tables) {
        const roles = [roleOf(table.key), roleOf(table.value)];
        if (roles[0] === undefined || roles[1] === undefined || roles[0] === roles[1]) continue;
        // Of two that are called alike, it isn't known which one is read.
        if (tables.some(({ name, key }) => name === table.name && roleOf(key) !== roles[0])) continue;
        const reads = programs.flatMap((program) => lookupsIn(program, table));
        const [first] = reads;
        if (first === undefined || !reads.every(({ index }) => roleOf(index) === roles[1])) continue;
        report(turnedTable, partAt(table.program, table.key), {
          key: nameOfValue(table.key)!,
          value: nameOfValue(table.value)!,
          table: table.name,
          text: excerpt(textAt(first.index, first.program), 40),
        });
      }
    },
  },
};
export default module;

interface Table {
  readonly program: JqProgram;
  /** The member or variable that holds it. */
  readonly name: string;
  readonly key: Expression;
  readonly value: Expression;
  readonly object: ObjectConstruction;
}

/** The tables that a program makes of lists: `[.teams[] | {key: .id, value: .name}] | from_entries`, `map({(.id): .name}) | add`. */
function tablesIn(program: JqProgram): readonly Table[] {
  return nodesOfKind(program, "Object").flatMap((object): Table | [] => {
    const made = pairOf(object, program);
    const name = made === undefined ? undefined : holderOf(object, program);
    return made === undefined || name === undefined ? [] : { program, name, object, ...made };
  });
}

/** The key and the value that an object gives to a table. */
function pairOf(object: ObjectConstruction, { node }: JqProgram): Pick<Table, "key" | "value"> | undefined {
  const [only, ...others] = object.entries;
  if (only === undefined) return undefined;
  if (others.length === 0) {
    const isComputed = only.key.kind !== "Name" && only.key.kind !== "String" && only.key.kind !== "Variable";
    const isTable = isComputed && only.value !== undefined && /\badd\b/.test(node.value.slice(object.end));
    return isTable ? { key: only.key as Expression, value: only.value! } : undefined;
  }
  const [key, value] = [entryOf(object, "key")?.value, entryOf(object, "value")?.value];
  const isTable = others.length === 1 && /\bfrom_entries\b/.test(node.value.slice(object.end));
  return isTable && key !== undefined && value !== undefined ? { key, value } : undefined;
}

const holds = (node: Expression, { start, end }: Expression): boolean =>
  node.start <= start && end <= node.end && node.start < node.end;

/** The innermost member or variable that gets what holds a node. */
function holderOf(object: ObjectConstruction, program: JqProgram): string | undefined {
  let found: { readonly name: string; readonly size: number } | undefined;
  const take = (name: string | undefined, value: Expression | undefined): void => {
    if (name === undefined || value === undefined || !holds(value, object)) return;
    const size = value.end - value.start;
    if (found === undefined || size < found.size) found = { name, size };
  };
  for (const other of nodesOfKind(program, "Object"))
    if (other !== object) for (const { key, value } of other.entries) take(nameOf(key), value);
  for (const { source, patterns } of nodesOfKind(program, "Binding")) {
    const [pattern] = patterns;
    if (pattern?.kind === "VariablePattern") take(pattern.name.replace(/^\$/, ""), source);
  }
  return found?.name;
}

interface Lookup {
  readonly program: JqProgram;
  readonly index: Expression;
}

/** What is looked up in a table: `$teams[.team_id]`, `.teams[…]` and `${polling_state.teams}[…]`. */
function lookupsIn(program: JqProgram, table: Table): readonly Lookup[] {
  if (!program.node.value.includes(table.name)) return [];
  return nodesOfKind(program, "Postfix").flatMap((node) => {
    const at = node.suffixes.findIndex(({ kind }) => kind === "Index");
    const suffix = node.suffixes[at];
    if (suffix?.kind !== "Index") return [];
    const before = node.suffixes[at - 1];
    const isIt =
      before === undefined
        ? isTable(node.head, program, table)
        : before.kind === "Field" && before.key.kind === "Name" && before.key.text === table.name;
    return isIt ? [{ program, index: suffix.index }] : [];
  });
}

/** Whether an expression gives a table, as far as names say it. */
function isTable(node: Expression, program: JqProgram, table: Table): boolean {
  const value = bare(node);
  if (value.kind === "Hole") return program.holes[value.hole]?.syntax.path.at(-1)?.text === table.name;
  if (value.kind === "Postfix") {
    const last = value.suffixes.at(-1);
    return last?.kind === "Field" && last.key.kind === "Name" && last.key.text === table.name;
  }
  const source = value.kind === "Variable" ? boundTo(program, value) : undefined;
  if (source === undefined) return false;
  if (program === table.program && nodesIn(source).includes(table.object)) return true;
  const inner = bare(source);
  return inner.kind !== "Variable" && isTable(inner, program, table);
}

/** Whether a value identifies a record or is what people read of it; undefined for what may be either, such as a `topic`. */
function roleOf(node: Expression): "id" | "name" | undefined {
  const name = nameOfValue(node) ?? "";
  if (isIdName(name)) return "id";
  return /(?:^|_)(?:name|title|label)$|[a-z](?:Name|Title|Label)$/.test(name) ? "name" : undefined;
}
