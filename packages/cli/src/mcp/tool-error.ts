/** What an agent did wrong, with what to do instead. */
export class ToolError extends Error {}
