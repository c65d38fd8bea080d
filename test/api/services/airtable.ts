import { byKey } from "../keys.ts";
import { fromToken } from "../paging.ts";
import type { Answer } from "../request.ts";
import { boolean, isRecord, listOf, matching, object, oneOf, optional, text } from "../shape.ts";
import { type Call, missing, ok, type ThirdParty } from "../third-party.ts";

interface Column {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Cells by the ids of their columns. */
export type Cells = Readonly<Record<string, unknown>>;

interface Row {
  readonly id: string;
  readonly cells: Cells;
  /** Milliseconds since 1970. */
  readonly changed: number;
}

interface Table {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: Row[];
}

export const AIRTABLE_TOKEN = "canary-airtable-token";

const fields = { fits: isRecord };
const bases = [
  { id: "app1", name: "Customers", permissionLevel: "create" },
  { id: "app2", name: "Of others", permissionLevel: "read" },
];
const invalid = (message: string): Answer => ({
  status: 422,
  json: { error: { type: "INVALID_REQUEST_UNKNOWN", message } },
});

/** A base of tables: pages by an opaque offset, rows filtered by a formula, upserts by columns. */
export class Airtable implements ThirdParty {
  readonly guard = byKey("authorization", "Bearer ", { [AIRTABLE_TOKEN]: "usr1" });
  readonly once = /^POST /;
  readonly tables = new Map<string, Table>();
  readonly #now: () => number;
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly hosts = {
    "api.airtable.com": {
      "GET /v0/meta/whoami": { answer: () => ok({ id: "usr1", email: "ada@example.com" }) },
      "GET /v0/meta/bases": {
        query: { offset: optional(text) },
        answer: ({ query }: Call) => {
          const { page, next } = fromToken(bases, ({ id }) => id, 1, query.get("offset"));
          return ok({ bases: page, ...(next === null ? {} : { offset: next }) });
        },
      },
      "GET /v0/meta/bases/app1/tables": {
        answer: () =>
          ok({
            tables: [...this.tables.values()].map(({ id, name, columns }) => ({
              id,
              name,
              primaryFieldId: columns[0]?.id,
              fields: columns,
              views: [{ id: "viw1", name: "Grid", type: "grid" }],
            })),
          }),
      },
      "GET /v0/app1/:table": {
        query: {
          pageSize: optional(matching(/^([1-9]\d?|100)$/)),
          offset: optional(text),
          view: optional(oneOf("viw1", "Grid")),
          filterByFormula: optional(text),
          "sort[0][field]": optional(text),
          "sort[0][direction]": optional(oneOf("asc")),
          returnFieldsByFieldId: optional(oneOf("true")),
        },
        answer: this.#of((table, call) => this.#list(table, call)),
      },
      "POST /v0/app1/:table": {
        json: { records: listOf(object({ fields }), 1), typecast: optional(boolean) },
        answer: this.#of((table, { given }) => this.#write(table, cellsOf(given), [])),
      },
      "PATCH /v0/app1/:table": {
        json: {
          performUpsert: object({ fieldsToMergeOn: listOf(text, 1) }),
          records: listOf(object({ fields }), 1),
          typecast: optional(boolean),
        },
        answer: this.#of((table, { given }) => {
          const { fieldsToMergeOn: keys } = given["performUpsert"] as { fieldsToMergeOn: string[] };
          return keys.length > 3 ? invalid("too many fields") : this.#write(table, cellsOf(given), keys);
        }),
      },
    },
  };

  addTable(id: string, name: string, columns: readonly Column[]): Table {
    const table = { id, name, columns, rows: [] };
    this.tables.set(id, table);
    return table;
  }

  addRow(table: Table, cells: Cells): Row {
    const row = { id: `rec${`${++this.#last}`.padStart(6, "0")}`, cells, changed: this.#now() };
    table.rows.push(row);
    return row;
  }

  changeRow(table: Table, id: string, cells: Cells): void {
    const at = table.rows.findIndex((each) => each.id === id);
    const row = table.rows[at];
    if (row === undefined) throw new Error(`There is no row ${id}.`);
    table.rows[at] = { ...row, cells: { ...row.cells, ...cells }, changed: this.#now() };
  }

  #list({ columns, rows }: Table, { query }: Call): Answer {
    const changed = columns.find(({ type }) => type === "lastModifiedTime");
    const formula = query.get("filterByFormula");
    const named = formula?.match(/\{(.+?)\}, '(.+?)'/);
    if (formula !== null && (named?.[1] !== changed?.name || Number.isNaN(Date.parse(named?.[2] ?? ""))))
      return { status: 422, json: { error: { type: "INVALID_FILTER_BY_FORMULA" } } };
    const since = Date.parse(named?.[2] ?? "1970-01-01");
    const wanted = rows.filter((row) =>
      formula?.startsWith("NOT(IS_BEFORE(") ? row.changed >= since : row.changed > since,
    );
    if (query.get("sort[0][field]") !== changed?.id) return invalid("sort");
    const place = ({ changed, id }: Row): string => `${new Date(changed).toISOString()} ${id}`;
    const sorted = wanted.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    const size = Number(query.get("pageSize") ?? 100);
    const { page, next } = fromToken(sorted, place, size, query.get("offset"));
    const records = page.map(({ id, cells, changed: at }) => ({
      id,
      createdTime: "2025-01-01T00:00:00.000Z",
      fields: {
        ...cells,
        ...(changed === undefined ? {} : { [changed.id]: new Date(at).toISOString() }),
      },
    }));
    return ok({ records, ...(next === null ? {} : { offset: next }) });
  }

  #write(table: Table, [cells = {}]: readonly Cells[], keys: readonly string[]): Answer {
    const writable = table.columns.filter(({ type }) => type !== "lastModifiedTime").map(({ id }) => id);
    const unknown = [...Object.keys(cells), ...keys].find((id) => !writable.includes(id));
    if (unknown !== undefined) return invalid(`Unknown field name: "${unknown}"`);
    const found = table.rows.find(
      (row) => keys.length > 0 && keys.every((key) => row.cells[key] === cells[key]),
    );
    if (found !== undefined) this.changeRow(table, found.id, cells);
    const { id } = found ?? this.addRow(table, cells);
    return ok({ records: [{ id, fields: cells }], updatedRecords: found === undefined ? [] : [id] });
  }

  #of(answer: (table: Table, call: Call) => Answer) {
    return (call: Call) => {
      const table = this.tables.get(call.at["table"] ?? "");
      return table === undefined ? missing : answer(table, call);
    };
  }
}

function cellsOf(given: Readonly<Record<string, unknown>>): Cells[] {
  return (given["records"] as { fields: Cells }[]).map(({ fields: cells }) => cells);
}
