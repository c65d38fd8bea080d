export type { Compiled, Launcher, Prepared } from "./launch.ts";
export { Places } from "./places.ts";
export { servePort, serveStreams } from "./serve.ts";
