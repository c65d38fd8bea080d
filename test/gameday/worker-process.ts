import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly port?: number;
  readonly metricsPort?: number;
  readonly [name: string]: unknown;
}

/** `configc-host worker` as a process. */
export class WorkerProcess {
  readonly slot: string;
  readonly lines: LogLine[] = [];
  readonly errors: string[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<void>;

  constructor(bundle: string, folder: string, slot: string, environment: Readonly<Record<string, string>>) {
    this.slot = slot;
    this.child = spawn(process.execPath, [bundle, "worker", "--config", "host.json"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], CONFIGC_SLOT: slot, ...environment },
    });
    const kill = (): void => void this.child.kill("SIGKILL");
    process.once("exit", kill);
    this.child.once("exit", () => process.removeListener("exit", kill));
    this.ended = new Promise((resolve) => this.child.on("exit", () => resolve()));
    let rest = "";
    this.child.stdout?.on("data", (chunk: Buffer) => {
      const parts = `${rest}${chunk}`.split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) this.lines.push(JSON.parse(part) as LogLine);
    });
    this.child.stderr?.on("data", (chunk: Buffer) => this.errors.push(`${chunk}`));
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @throws Error if it ends before it says it */
  async says(message: string): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find((line) => line.message === message);
      if (found !== undefined) return found;
      if (!this.isAlive) throw new Error(`The worker ended: ${this.errors.join("")}`);
      await sleep(50);
    }
  }

  /** @returns nothing while it doesn't answer */
  async metrics(): Promise<string | undefined> {
    return await this.#get(this.#port("metricsPort"), "/metrics", (answer) => answer.text());
  }

  async readiness(): Promise<number | undefined> {
    return await this.#get(this.#port("port"), "/readyz", async ({ status }) => status);
  }

  async #get<R>(port: number, path: string, read: (answer: Response) => Promise<R>): Promise<R | undefined> {
    try {
      return await read(
        await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) }),
      );
    } catch {
      return undefined;
    }
  }

  #port(name: "port" | "metricsPort"): number {
    return this.lines.find((line) => line.message === "starting")?.[name] ?? 0;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async end(): Promise<void> {
    this.child.kill("SIGTERM");
    this.child.kill("SIGCONT");
    await this.ended;
  }
}
