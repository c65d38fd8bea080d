export type { ServerOptions } from "./feature.ts";
export { startServer } from "./server.ts";
export { startStdioServer } from "./stdio.ts";
