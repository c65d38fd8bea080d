import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { median } from "./processes.ts";

/** Items that the service lists: each is taken through programs. */
const ITEMS = 20_000;
const STEPS = 30;

/** The CPU seconds of a run that is debugged without a breakpoint, and of `configc run`, in turns. */
export async function debugRow(
  bin: string,
  folder: string,
  runs = 5,
): Promise<{ ours: number; reference: number }> {
  const items = Array.from({ length: ITEMS }, (_, id) => ({
    id,
    name: `item ${id}`,
    tags: [id % 7, id % 11],
  }));
  const body = JSON.stringify({ items });
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(body),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = join(folder, "debug.app.json");
  writeFileSync(program, JSON.stringify(config()));
  const times: Record<"run" | "debug", number[]> = { run: [], debug: [] };
  for (let turn = 0; turn < runs; turn++) {
    times.run.push(
      await cpuOf([
        bin,
        "run",
        program,
        "workflows.w",
        "--input",
        "1",
        "--base-url",
        baseUrl,
        "--allow-private-network",
      ]),
    );
    times.debug.push(await cpuOf([bin, "debug", "--stdio"], launchOf(program, baseUrl)));
  }
  server.close();
  server.closeAllConnections();
  return { ours: median(times.debug), reference: median(times.run) };
}

function config(): object {
  const steps = Array.from({ length: STEPS }, () => ({
    "!jq": "[.[] | {id, name: (.name | ascii_upcase | ascii_downcase), tags: (.tags | map(. + 1) | sort)}]",
  }));
  const source = {
    "!pipe": [
      { "!http": { method: "GET", path: "/items" } },
      { "!jq": ".items" },
      ...steps,
      { "!jq": "length" },
    ],
  };
  const workflow = { name: "w", label: "W", type: "generic", setup: {}, data_pipeline: { source } };
  return { $version: "2", api: { base_url: "https://items.example" }, workflows: [workflow] };
}

/** All that a client says, at once. */
function launchOf(program: string, baseUrl: string): string {
  const launch = { program, node: "workflows.w", input: 1, baseUrl, allowPrivateNetwork: true };
  const requests: [string, object][] = [
    ["initialize", {}],
    ["launch", launch],
    ["configurationDone", {}],
  ];
  return requests
    .map(([command, args], seq) =>
      JSON.stringify({ seq: seq + 1, type: "request", command, arguments: args }),
    )
    .map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    .join("");
}

/** User and system seconds of a process and its threads; one with something to say is ended once it tells that it is over. */
async function cpuOf(args: readonly string[], say?: string): Promise<number> {
  const shell = ["-c", `TIMEFORMAT='cpu %U %S'; time "$@"`, "bash", process.execPath, ...args];
  const child = spawn("bash", shell, { stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  let output = "";
  child.stderr.on("data", (data) => {
    errors += String(data);
  });
  child.stdout.on("data", (data) => {
    output = (output + String(data)).slice(-200);
    if (say !== undefined && output.includes('"terminated"')) child.stdin.end();
  });
  if (say === undefined) child.stdin.end();
  else child.stdin.write(say);
  await once(child, "exit");
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(errors) ?? [];
  if (child.exitCode !== 0) throw new Error(`it failed: ${errors}`);
  if (user === undefined) throw new Error(`no time was told: ${errors}`);
  return Number(user) + Number(system);
}
