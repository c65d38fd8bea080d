export type {
  DocumentSettings,
  Following,
  Renamed,
  ServerOptions,
  SettingsFile,
  SettingsMistake,
} from "./feature.ts";
export type * from "./requests/index.ts";

export type * from "./run/protocol.ts";
export { startServer } from "./server.ts";
export { startStdioServer } from "./stdio.ts";
