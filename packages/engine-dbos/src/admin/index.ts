export { type Access, everybody, type Operator, withToken } from "./access.ts";
export type { AdminContext } from "./context.ts";
export { type AdminOptions, adminHandler } from "./handler.ts";
export { type OperatorPages, type OperatorPagesOptions, openOperatorPages } from "./operator-pages.ts";
