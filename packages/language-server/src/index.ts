export { type ServerOptions, startServer } from "./server.ts";
export { startStdioServer } from "./stdio.ts";
