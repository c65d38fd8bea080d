/** Takes what DBOS has to say. It stands apart from the engine, whose types name those of the database's driver. */
export interface EngineLog {
  info(text: unknown): void;
  debug(text: unknown): void;
  warn(text: unknown): void;
  error(text: unknown): void;
}
