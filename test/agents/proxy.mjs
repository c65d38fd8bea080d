// Stands between an agent and `configc mcp`, and writes down how much each call takes and gives: a line of JSON for each.
// Usage: node proxy.mjs LOG COMMAND [ARGUMENT…]

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [log = "", command = "", ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
/** Requests that aren't answered yet, by their id. */
const open = new Map();

/** Hands on what comes, and calls `see` with each whole line of it. */
function through(from, to, see) {
  let rest = "";
  from.setEncoding("utf8");
  from.on("data", (chunk) => {
    to.write(chunk);
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") see(line.trim());
  });
}

through(process.stdin, server.stdin, (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const name = params.name ?? params.uri;
  open.set(id, { method, ...(name === undefined ? {} : { name }), in: line.length, start: Date.now() });
});
through(server.stdout, process.stdout, (line) => {
  const { id, result, error } = JSON.parse(line);
  const request = open.get(id);
  if (request === undefined) return;
  open.delete(id);
  const { start, ...call } = request;
  const failed = error !== undefined || result?.isError === true;
  const entry = {
    ...call,
    out: line.length,
    milliseconds: Date.now() - start,
    ...(failed ? { failed } : {}),
  };
  appendFileSync(log, `${JSON.stringify(entry)}\n`);
});
process.stdin.on("end", () => server.stdin.end());
server.stdin.on("error", () => {});
process.stdout.on("error", () => {});
server.on("exit", (code) => process.exit(code ?? 1));
