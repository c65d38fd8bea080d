export { PostgresLimits } from "./postgres-limits.ts";
