export { type Migrated, migrate, SCHEMA_VERSION } from "./migrate.ts";
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";
