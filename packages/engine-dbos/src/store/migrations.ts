import { actTables, standingHolds } from "../acts/tables.ts";
import { troubleTables } from "../answers/tables.ts";
import { failedItemsView } from "../answers/views/failed-items.ts";
import { failingView, timeIn } from "../answers/views/failing.ts";
import { queuesView } from "../answers/views/queues.ts";
import { backlogTables, memberIndex } from "../engine/tables.ts";
import { limitTables, settledLimits } from "../limits/tables.ts";
import { storyTables } from "../stories/tables.ts";
import { levelTables } from "../worker/levels.ts";
import { fleetTables } from "../worker/tables.ts";

/** One step from a version of the schema to the next. It is never changed after it was published: there is a next one for that. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** A table of rows with what their indexes find them by, and to which customer they belong. */
function rows(table: string, columns: readonly string[], found: readonly (readonly string[])[]): string {
  const own = columns.map((column) => `"by_${column}" text COLLATE "C",`).join(" ");
  const made = found.map((members) => {
    const list = members.map((member) => `"by_${member}"`).join(", ");
    return `CREATE INDEX "${table}_${members.join("_")}" ON configc.${table} (${list}, position);`;
  });
  return `CREATE TABLE configc.${table} (
    position bigint GENERATED ALWAYS AS IDENTITY,
    id text COLLATE "C" PRIMARY KEY,
    ${own}
    tenant text COLLATE "C",
    row text NOT NULL
  );
  CREATE INDEX "${table}_position" ON configc.${table} (position);
  ${made.join("\n")}`;
}

/** What one customer's part of the store may do with a table; what all share can be read at most. */
function separation(table: string, { sharedIsRead }: { readonly sharedIsRead: boolean }): string {
  const own = "tenant = current_setting('configc.tenant', true)";
  return `ALTER TABLE configc.${table} ENABLE ROW LEVEL SECURITY;
  GRANT SELECT, INSERT, UPDATE, DELETE ON configc.${table} TO configc_tenant;
  CREATE POLICY tenant_reads ON configc.${table} FOR SELECT TO configc_tenant USING (${sharedIsRead ? `tenant IS NULL OR ${own}` : own});
  CREATE POLICY tenant_adds ON configc.${table} FOR INSERT TO configc_tenant WITH CHECK (${own});
  CREATE POLICY tenant_changes ON configc.${table} FOR UPDATE TO configc_tenant USING (${own}) WITH CHECK (${own});
  CREATE POLICY tenant_deletes ON configc.${table} FOR DELETE TO configc_tenant USING (${own});`;
}

/** Changes what can be read of a table that `separation` was for. */
function readable(table: string, condition: string): string {
  return `ALTER POLICY tenant_reads ON configc.${table} USING (${condition});`;
}

const shared = { sharedIsRead: true };
const own = { sharedIsRead: false };

export const migrations: readonly Migration[] = [
  {
    name: "the tables of the store",
    sql: [
      rows(
        "installations",
        ["app", "status", "workflow", "connection"],
        [["app", "status"], ["app", "workflow"], ["connection"]],
      ),
      rows("connections", ["app", "accountId"], [["app", "accountId"]]),
      rows("saved", [], []),
      rows("polling", ["installation"], [["installation"]]),
      rows(
        "deliveries",
        ["installation", "status", "origin", "app"],
        [
          ["installation", "status"],
          ["installation", "origin", "status"],
          ["app", "status"],
        ],
      ),
      rows("registrations", ["app", "intake"], [["app", "intake"]]),
      rows("members", ["registration", "installation"], [["registration"], ["installation"]]),
      rows("hooks", ["registration", "state"], [["registration"], ["state"]]),
    ].join("\n"),
  },
  {
    name: "one at a time over all processes",
    // Whoever holds a lock when the server crashes notices at his next commit that it is gone: it needn't be logged.
    sql: `CREATE UNLOGGED TABLE configc.locks (
      key text COLLATE "C" PRIMARY KEY,
      -- Unique: a transaction that relies on it keeps it from changing by a lock on the row's keys, which doesn't hinder renewals.
      token uuid NOT NULL UNIQUE,
      expires timestamptz NOT NULL,
      queue uuid[] NOT NULL DEFAULT '{}'
    ) WITH (fillfactor = 50);`,
  },
  {
    name: "a customer's part of the store",
    // Roles belong to the server: another database of it may have made this one, by another user.
    sql: `DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'configc_tenant') THEN
        BEGIN
          CREATE ROLE configc_tenant NOLOGIN;
        EXCEPTION
          WHEN duplicate_object OR unique_violation THEN NULL;
          WHEN insufficient_privilege THEN
            RAISE 'The role configc_tenant is needed, and % may not make roles. Have somebody run who may: CREATE ROLE configc_tenant NOLOGIN; GRANT configc_tenant TO %', CURRENT_USER, quote_ident(CURRENT_USER);
        END;
      END IF;
      -- Since 16, who made a role is its member without being allowed to take it on.
      IF NOT pg_has_role('configc_tenant', CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN
        GRANT configc_tenant TO CURRENT_USER;
      END IF;
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE 'The role configc_tenant was made by another user. Have that one, or a superuser, run: GRANT configc_tenant TO %', quote_ident(CURRENT_USER);
    END $$;
    GRANT USAGE ON SCHEMA configc TO configc_tenant;
    ${separation("installations", own)}
    ${separation("connections", own)}
    ${separation("saved", shared)}
    ${separation("polling", own)}
    ${separation("deliveries", own)}
    ${separation("registrations", shared)}
    ${separation("members", own)}
    ${separation("hooks", shared)}`,
  },
  { name: "workers, versions of apps, and what is held", sql: fleetTables },
  { name: "request limits over all workers", sql: limitTables },
  { name: "what waits for the engine, and services that don't answer", sql: backlogTables },
  {
    name: "what belongs to nobody in particular isn't everybody's",
    // The id of a hook is the secret part of its URL. Of what is saved, that of the app alone is everybody's: the rest without a customer
    // belongs to one whom the host didn't name.
    sql: [
      readable(
        "saved",
        "tenant = current_setting('configc.tenant', true) OR tenant IS NULL AND starts_with(id, 'application/')",
      ),
      ...["registrations", "hooks"].map((table) =>
        readable(table, "tenant = current_setting('configc.tenant', true)"),
      ),
    ].join("\n"),
  },
  {
    name: "rows are found by what they are, not by when they came",
    // For "the first ones of these" the planner may walk along this index through everybody's rows, if it believes that such rows are common:
    // past a million of one installation, for each of the others. Each other index ends with the position, and gives the order as well.
    sql: ["installations", "saved", "polling", "deliveries", "registrations", "members", "hooks"]
      .map((table) => `DROP INDEX configc."${table}_position";`)
      .join("\n"),
  },
  {
    name: "which key a worker seals with",
    sql: "ALTER TABLE configc.workers ADD COLUMN key text;",
  },
  {
    name: "when a version of an app was in use",
    sql: "ALTER TABLE configc.apps ADD COLUMN used timestamptz NOT NULL DEFAULT now();",
  },
  { name: "request limits whose clock was set back", sql: settledLimits },
  { name: "what a member has waiting is found by that alone", sql: memberIndex },
  {
    name: "what fails, as views",
    sql: [troubleTables, timeIn, failingView, failedItemsView, queuesView].join("\n"),
  },
  { name: "what operators did", sql: actTables },
  { name: "how each app is served", sql: levelTables },
  { name: "apps and customers that are held", sql: standingHolds },
  {
    name: "a broken connection is one reason, and apps are counted at once",
    sql: [failingView, queuesView].join("\n"),
  },
  { name: "what runs did, and files of those that failed", sql: storyTables },
];
