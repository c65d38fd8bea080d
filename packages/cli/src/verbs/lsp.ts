import { startStdioServer } from "@configc/language-server";

/** @returns at once; the process ends with the client's `exit` */
export function run(): number {
  startStdioServer();
  return 0;
}
