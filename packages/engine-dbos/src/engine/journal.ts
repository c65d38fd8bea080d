/** Version of what runs consist of: a run ends on the version that it began with. To be raised when steps get other names. */
export const ABI = "configc-1";

/** Schema of the database in which the engine keeps its journal. */
export const JOURNAL = "dbos";
