import { type Migration, migrations } from "../../packages/engine-dbos/src/store/migrations.ts";

const tables = [
  "installations",
  "connections",
  "saved",
  "polling",
  "deliveries",
  "workers",
  "backlog",
  "locks",
];

/**
 * A migration that a next version might have: each table that workers are at work with gets a column, and so is locked as a whole; every row of
 * the busiest ones is written anew, and an index is built.
 */
(migrations as Migration[]).push({
  name: "what the next version needs",
  sql: [
    ...tables.map((table) => `ALTER TABLE configc.${table} ADD COLUMN next int NOT NULL DEFAULT 0;`),
    "UPDATE configc.polling SET next = 1;",
    "UPDATE configc.deliveries SET next = 1;",
    "CREATE INDEX deliveries_next ON configc.deliveries (next, position);",
  ].join("\n"),
});
