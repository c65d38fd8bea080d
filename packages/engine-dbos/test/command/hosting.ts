import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import { peopleConfig } from "../../../../test/api/config.ts";
import { said } from "../support/said.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const bundle = `${root}node_modules/.cache/configc/configc-host.mjs`;

export const CONFIGC_KEY = Buffer.alloc(32, 1).toString("base64");

/** Our third party's config with sources that make no requests: three people by polling, and whom a webhook tells of. */
export function numbersConfig(): object {
  const { workflows, ...config } = peopleConfig("https://api.example.com") as {
    readonly workflows: readonly object[];
  };
  const state = "polling_state: {n: 0}";
  const request = {
    "!jq": `{results: [range(3) | {email: "p\\(.)@example.com"}], iterate: false, ${state}}`,
  };
  const polled = { type: "polling", name: "changed-people", initial_setup: { "!jq": `{${state}}` }, request };
  const told = {
    type: "webhook",
    name: "told",
    scope: "workflow",
    create: { "!jq": "{}" },
    delete: { "!jq": "{}" },
  };
  const [first] = workflows as readonly [{ readonly setup: { readonly schedule: object } }];
  const { schedule: _, ...setup } = first.setup;
  const telling = { ...first, name: "told-people", data_intake: "told", setup };
  return { ...config, data_intake: [polled, told], workflows: [first, telling] };
}

/** Writes down what it gets; an item takes as long as there is a file `slow`, and then it says that it has begun. */
const platform = `import { appendFileSync, existsSync, writeFileSync } from "node:fs";
  const upsert = async (_resource, { email }, { key }) => {
    if (existsSync("slow")) writeFileSync("reached", "");
    while (existsSync("slow")) await new Promise((resolve) => setTimeout(resolve, 50));
    appendFileSync("delivered", JSON.stringify({ email, key }) + "\\n");
    return { contact_id: 1 };
  };
  export default { fields: async () => [], sync: async () => null, upsert };`;

/** A folder with a host's configuration in which `configc-host` is called, in this process or as one of its own. */
export class HostFolder {
  readonly path = mkdtempSync(join(tmpdir(), "configc-host-"));

  constructor() {
    beforeAll(() => {
      const script = "packages/engine-dbos/test/command/configc-host.ts";
      const made = spawnSync(process.execPath, ["scripts/ts.mjs", script], { cwd: root, encoding: "utf8" });
      expect(made.stderr).toBe("");
      this.write("acme.app.json", JSON.stringify(numbersConfig()));
      this.write("platform.mjs", platform);
      const settings = { apps: { acme: "acme.app.json" }, platform: "platform.mjs", slot: "one", grace: 60 };
      this.write("host.json", JSON.stringify(settings));
    });
    beforeEach(() => {
      for (const name of ["slow", "reached", "delivered"]) rmSync(join(this.path, name), { force: true });
    });
    afterAll(() => rmSync(this.path, { recursive: true }));
  }

  /** @returns its name */
  write(name: string, content: string): string {
    writeFileSync(join(this.path, name), content);
    return name;
  }

  remove(name: string): void {
    rmSync(join(this.path, name));
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name));
  }

  /** What the platform got, in that order. */
  delivered(): readonly { readonly email: string; readonly key: string }[] {
    if (!this.has("delivered")) return [];
    const lines = readFileSync(join(this.path, "delivered"), "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as { email: string; key: string });
  }

  /** The command in this process: what it prints, and its status. */
  async run(args: readonly string[], environment: Record<string, string> = {}) {
    const paths = args.map((each) => (each.endsWith(".json") ? join(this.path, each) : each));
    return await said(paths, environment);
  }

  /** The command as a process that goes on until it is told to end; it is killed when the test is over. */
  start(verb: string, environment: Record<string, string>): Running {
    const running = new Running(this.path, verb, environment);
    onTestFinished(() => void running.child.kill("SIGKILL"));
    return running;
  }
}

interface Line {
  readonly message: string;
  readonly level: string;
  readonly port?: number;
  readonly metricsPort?: number;
}

export class Running {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly ended: Promise<number | null>;

  /** @param verb with its options, apart by blanks */
  constructor(cwd: string, verb: string, environment: Record<string, string>) {
    this.child = spawn(process.execPath, [bundle, ...verb.split(" "), "--config", "host.json"], {
      cwd,
      env: { PATH: process.env["PATH"], PORT: "0", CONFIGC_KEY, ...environment },
    });
    this.ended = new Promise((resolve) => this.child.on("exit", (status) => resolve(status)));
    let text = "";
    this.child.stdout?.on("data", (chunk: Buffer) => {
      const parts = `${text}${chunk}`.split("\n");
      text = parts.pop() ?? "";
      // Verbs that end by themselves print text.
      for (const part of parts)
        this.lines.push(part.startsWith("{") ? JSON.parse(part) : { message: part, level: "info" });
    });
  }

  async says(message: string): Promise<Line> {
    await expect.poll(() => this.lines.map((line) => line.message), { timeout: 90_000 }).toContain(message);
    return this.lines.find((line) => line.message === message)!;
  }

  /** The status and the JSON of a page of its port. */
  async get(path: string): Promise<unknown> {
    const { port } = await this.says("starting");
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, await answer.json()];
  }
}
