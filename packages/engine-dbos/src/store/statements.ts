import type { ListOptions, TableName, Tables } from "@configc/runtime";
import { encodeRow, indexes } from "@configc/runtime/internal";
import { ownerOf } from "./tenants.ts";
import { columnText } from "./text.ts";

/** A statement with its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The members of a table's rows that have a column of their own, because an index needs them. */
function columnsOf(table: TableName): readonly string[] {
  return [...new Set<string>(indexes[table].flat())];
}

export function getRow(table: TableName, id: string): Statement {
  return {
    name: `get ${table}`,
    text: `SELECT row FROM configc.${table} WHERE id = $1`,
    values: [columnText(id)],
  };
}

/** A row that is there keeps its place in the order, and its owner if it has one. */
export function putRow<T extends TableName>(table: T, row: Tables[T]): Statement {
  const columns = columnsOf(table).map((column) => `"by_${column}"`);
  const members = row as unknown as Readonly<Record<string, unknown>>;
  const values: unknown[] = [columnText(row.id), encodeRow(row)];
  for (const column of columnsOf(table)) {
    const value = members[column];
    values.push(value === undefined || value === null ? null : columnText(String(value)));
  }
  const owner = ownerOf(table, row);
  let [kind, tenant] = ["shared", "NULL"];
  if (owner === "opener") [kind, tenant] = [owner, "nullif(current_setting('configc.tenant', true), '')"];
  else if (owner !== "shared" && "customer" in owner) {
    values.push(columnText(owner.customer));
    [kind, tenant] = ["customer", `$${values.length}`];
  } else if (owner !== "shared") {
    values.push(columnText(owner.id));
    [kind, tenant] = [
      owner.table,
      `(SELECT tenant FROM configc.${owner.table} WHERE id = $${values.length})`,
    ];
  }
  const names = ["id", "row", ...columns];
  return {
    name: `put ${table} ${kind}`,
    text:
      `INSERT INTO configc.${table} AS kept (${names.join(", ")}, tenant) VALUES (${names.map((_, at) => `$${at + 1}`).join(", ")}, ${tenant}) ` +
      `ON CONFLICT (id) DO UPDATE SET ${names
        .slice(1)
        .map((name) => `${name} = excluded.${name}`)
        .join(", ")}, tenant = coalesce(kept.tenant, excluded.tenant)`,
    values,
  };
}

export function deleteRow(table: TableName, id: string): Statement {
  return {
    name: `delete ${table}`,
    text: `DELETE FROM configc.${table} WHERE id = $1`,
    values: [columnText(id)],
  };
}

/** @throws Error if no index finds by these members */
export function listRows(table: TableName, where: object, { limit, bytes }: ListOptions): Statement {
  const [name, condition, values] = conditionOf(table, where);
  if (bytes !== undefined) {
    const size = "octet_length(row)";
    const sums = `SELECT row, position, sum(${size}) OVER (ORDER BY position) - ${size} AS before FROM configc.${table}${condition} ORDER BY position LIMIT $${values.length + 1}`;
    return {
      name: `list by size ${table}${name}`,
      text: `SELECT row FROM (${sums}) AS sizes WHERE before < $${values.length + 2} ORDER BY position`,
      values: [...values, limit ?? null, bytes],
    };
  }
  return {
    name: `list ${table}${name}`,
    text: `SELECT row FROM configc.${table}${condition} ORDER BY position LIMIT $${values.length + 1}`,
    // No limit is none for Postgres, too.
    values: [...values, limit ?? null],
  };
}

/** @throws Error if no index finds by these members */
export function countRows(table: TableName, where: object): Statement {
  const [name, condition, values] = conditionOf(table, where);
  return {
    name: `count ${table}${name}`,
    text: `SELECT count(*) AS found FROM configc.${table}${condition}`,
    values,
  };
}

function conditionOf(
  table: TableName,
  where: object,
): [name: string, sql: string, values: readonly string[]] {
  const names = Object.keys(where);
  if (names.length === 0) return ["", "", []];
  const known: readonly (readonly string[])[] = indexes[table];
  const index = known.find((one) => one.length === names.length && one.every((name) => names.includes(name)));
  if (index === undefined) throw new Error(`There is no index of ${names.join(", ")}.`);
  const members = where as Readonly<Record<string, unknown>>;
  const conditions = index.map((name, at) => `"by_${name}" = $${at + 1}`).join(" AND ");
  return [
    ` ${index.join(" ")}`,
    ` WHERE ${conditions}`,
    index.map((name) => columnText(String(members[name]))),
  ];
}
