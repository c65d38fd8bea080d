import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { handOver, owner, postgresVersion, runnableBinaries } from "./postgres-binaries.ts";
import { baseBackup } from "./postgres-copy.ts";

export { noPostgres } from "./postgres-binaries.ts";

/** A real Postgres on loopback, with a folder below the system's temporary one; the superuser is `postgres`, without password. */
export interface Postgres {
  /** Of the database `postgres`. */
  readonly url: string;
  /** Of the server's first process, the parent of all others. */
  readonly pid: number;
  /** Makes an empty database, and gives its URL. */
  createDatabase(): Promise<string>;
  /** Ends it and removes what it kept. */
  stop(): Promise<void>;
  /** Ends it, if it runs, as an administrator would, and starts it again at the same port. */
  restart(): Promise<void>;
  /** Ends it as a crash would; `restart` brings it back with what was committed. */
  kill(): Promise<void>;
  /**
   * Copies all that it keeps, while it works.
   *
   * @returns puts the copy in its place, at the same address; a copy serves once
   */
  backUp(): Promise<() => Promise<void>>;
  /** Starts a second server that receives, a moment later, what this one commits (asynchronous replication). */
  standby(): Promise<Standby>;
}

export interface Standby {
  /** Of the database `postgres`. */
  readonly url: string;
  /** What the first one commits from now on doesn't reach it any more. */
  detach(): Promise<void>;
  /** The first one ends as a crash would, and this one takes its place, at its address. */
  takePlace(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds, on a machine that is busy. */
const PATIENCE = 60_000;

const watchdog = fileURLToPath(new URL("./postgres-watchdog.mjs", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/configc", import.meta.url));

/**
 * Starts a server of its own, in about a second (three the first time). When this process ends, however it ends, the server
 * ends too and its folder is removed.
 *
 * @throws Error with the end of the server's log
 */
export async function startPostgres(): Promise<Postgres> {
  return await startServer((server) => server.prepare());
}

async function startServer(prepare: (server: Server) => Promise<void>): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "configc-postgres-"));
  const guard = spawn(process.execPath, [watchdog, folder], {
    // A signal from the terminal ends the tests, and by that the server: the guard must outlive both.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  detach(guard);
  const server = new Server(folder, guard);
  try {
    await prepare(server);
    await server.startSomewhere();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** The server that all tests of this process share; each takes a database of its own. */
export function sharedPostgres(): Promise<Postgres> {
  shared ??= startPostgres();
  return shared;
}
let shared: Promise<Postgres> | undefined;

class Server implements Postgres {
  readonly #folder: string;
  readonly #data: string;
  readonly #guard: ChildProcess;
  #binaries = "";
  #port = 0;
  #running: ChildProcess | undefined;
  #databases = 0;
  #copies = 0;

  constructor(folder: string, guard: ChildProcess) {
    this.#folder = folder;
    this.#data = join(folder, "data");
    this.#guard = guard;
  }

  get url(): string {
    return this.#urlOf("postgres");
  }

  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    } finally {
      await client.end();
    }
    return this.#urlOf(name);
  }

  async stop(): Promise<void> {
    await this.#end("SIGINT");
    if (this.#guard.exitCode !== null) return;
    const ended = once(this.#guard, "exit");
    this.#guard.ref();
    this.#guard.stdin?.end();
    await ended;
  }

  async restart(): Promise<void> {
    await this.#end("SIGINT");
    await this.#start();
  }

  kill(): Promise<void> {
    return this.#end("SIGQUIT");
  }

  async backUp(): Promise<() => Promise<void>> {
    const copy = join(this.#folder, `backup-${++this.#copies}`);
    await baseBackup(this.url, this.#data, copy);
    return () => this.#replace(copy);
  }

  async standby(): Promise<Standby> {
    const server = await startServer((made) => made.prepareStandby(this));
    return {
      url: server.url,
      async detach() {
        await server.#ask("ALTER SYSTEM SET primary_conninfo = ''");
        await server.#ask("SELECT pg_reload_conf()");
        await server.#until("SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver) AS done");
      },
      takePlace: async () => {
        await this.kill();
        await server.#ask("SELECT pg_promote()");
        await server.#until("SELECT NOT pg_is_in_recovery() AS done");
        await server.#end("SIGINT");
        await this.#replace(server.#data);
        await server.stop();
      },
      stop: () => server.stop(),
    };
  }

  async #replace(data: string): Promise<void> {
    await this.#end("SIGQUIT");
    await rm(this.#data, { recursive: true });
    await rename(data, this.#data);
    await this.#start();
  }

  async #ask(sql: string): Promise<Record<string, unknown> | undefined> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows[0];
    } finally {
      await client.end();
    }
  }

  async #until(sql: string): Promise<void> {
    for (const patience = Date.now() + PATIENCE; (await this.#ask(sql))?.["done"] !== true; await sleep(20))
      if (Date.now() > patience) throw new Error(`Postgres doesn't come to it: ${sql}`);
  }

  /** From a copy of another one, from which it receives the rest. */
  async prepareStandby(primary: Server): Promise<void> {
    this.#binaries = await runnableBinaries(this.#folder);
    await baseBackup(primary.url, primary.#data, this.#data);
    await writeFile(join(this.#data, "standby.signal"), "");
    const from = `host=127.0.0.1 port=${primary.#port} user=postgres`;
    await appendFile(join(this.#data, "postgresql.auto.conf"), `primary_conninfo = '${from}'\n`);
    await handOver(this.#data);
  }

  /** Making a cluster takes two seconds, copying one a tenth of that. */
  async prepare(): Promise<void> {
    this.#binaries = await runnableBinaries(this.#folder);
    const template = join(cache, `postgres-${postgresVersion}-${owner === undefined ? "own" : "root"}`);
    if (existsSync(template)) {
      await cp(template, this.#data, { recursive: true });
      await handOver(this.#data);
      return;
    }
    const settings = ["--auth=trust", "--username=postgres", "--locale=C", "--encoding=UTF8"];
    await promisify(execFile)(
      join(this.#binaries, "initdb"),
      ["-D", this.#data, "--no-sync", "--wal-segsize=1", ...settings],
      { ...owner, cwd: "/" },
    );
    const temporary = `${template}.${process.pid}`;
    try {
      await cp(this.#data, temporary, { recursive: true });
      await rename(temporary, template);
    } catch {
      // Another process was quicker, or the packages can't be written to.
      await rm(temporary, { recursive: true, force: true });
    }
  }

  /** A port that is free now may be taken a moment later. */
  async startSomewhere(): Promise<void> {
    for (let tries = 1; ; tries++) {
      this.#port = await freePort();
      try {
        return await this.#start();
      } catch (error) {
        if (tries === 5 || !String(error).includes("Address already in use")) throw error;
      }
    }
  }

  async #start(): Promise<void> {
    const path = join(this.#folder, "log");
    const log = await open(path, "w");
    const settings = {
      listen_addresses: "127.0.0.1",
      port: this.#port,
      unix_socket_directories: "",
      max_connections: 200,
      fsync: "off",
      full_page_writes: "off",
      // So much of the log is there for a copy that is made meanwhile, and for a standby.
      wal_keep_size: "256MB",
    };
    const child = spawn(
      join(this.#binaries, "postgres"),
      ["-D", this.#data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { ...owner, cwd: "/", detached: true, stdio: ["ignore", log.fd, log.fd] },
    );
    await log.close();
    detach(child);
    this.#running = child;
    this.#tellGuard(child.pid ?? 0);
    const file = join(this.#data, "postmaster.pid");
    for (const patience = Date.now() + PATIENCE; ; await sleep(15)) {
      const status = await readFile(file, "utf8").catch(() => "");
      if (status.startsWith(`${child.pid}\n`) && status.includes("\nready")) return;
      if (child.exitCode === null && child.signalCode === null && Date.now() < patience) continue;
      await this.#end("SIGKILL");
      const said = (await readFile(path, "utf8")).split("\n").slice(-8).join("\n");
      throw new Error(`Postgres doesn't start: ${said}`);
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#running;
    this.#running = undefined;
    if (child === undefined) return;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.ref();
      child.kill(signal);
      await ended;
    }
    this.#tellGuard(0);
  }

  #tellGuard(pid: number): void {
    this.#guard.stdin?.write(`${pid}\n`);
  }

  #urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }
}

/** A process that needn't end before this one does. */
function detach(child: ChildProcess): void {
  child.unref();
  // A pipe is a socket, whatever its type says; what its reader does when it is gone doesn't matter.
  const pipe = child.stdin as (NodeJS.WritableStream & { unref?(): void }) | null;
  pipe?.on("error", () => undefined);
  pipe?.unref?.();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("There is no port.");
  return address.port;
}
