import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ZodRawShape, z } from "zod";
import type { Command } from "./command.ts";
import type { Workspace } from "./workspace.ts";

/** What every tool may use. Whatever isn't in here, an agent can't reach. */
export interface ToolContext {
  readonly workspace: Workspace;
  readonly command: Command;
  /** Whether requests may be sent, which only the person who started the server can allow. */
  readonly network: boolean;
  readonly signal: AbortSignal;
}

/** A tool of the server. Its name and texts are all that an agent knows of it. */
export interface Tool<Shape extends ZodRawShape = ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  /** Whether it changes files of the workspace; others only read. */
  readonly writes?: boolean;
  /**
   * @returns the answer, whole: what doesn't fit into one message is cut by `pageOf`
   * @throws ToolError for what the agent can mend
   */
  run(input: z.infer<z.ZodObject<Shape>>, context: ToolContext): Promise<string>;
}

/** Keeps the type of a tool's input between its shape and its code. */
export function defineTool<Shape extends ZodRawShape>(tool: Tool<Shape>): Tool<Shape> {
  return tool;
}

/** An answer of the protocol. */
export function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
}
