export type {
  DocumentSettings,
  Following,
  Renamed,
  ServerOptions,
  SettingsFile,
  SettingsMistake,
  WorkspaceConfig,
} from "./feature.ts";
export type * from "./requests/index.ts";

export type * from "./run/protocol.ts";
export type * from "./scaffold/protocol.ts";
export { startServer } from "./server.ts";
export type * from "./simulate/protocol.ts";
export { startStdioServer } from "./stdio.ts";
