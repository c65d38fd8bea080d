import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What a process has left behind. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that it had resident at most, as the system counts them. */
  readonly peak: number;
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Its input isn't ended before it has written this. */
  readonly until?: string;
  /** MB that its old generation may have; a process that wants more ends itself. */
  readonly heap?: number;
  readonly directory?: string;
  /** ms after which it is ended with SIGKILL: less than a test has, so that none outlives its test. */
  readonly patience?: number;
  /** Bytes beyond which it is ended with SIGKILL: `heap` doesn't bound buffers. */
  readonly most?: number;
}

/** As it ends, a process tells on this pipe how much it had resident; one that aborts can't, and is asked of the system meanwhile. */
const PEAK_PIPE = 3;
const tellsPeak = `data:text/javascript,${encodeURIComponent(
  `import{writeSync}from"node:fs";process.on("exit",()=>{try{writeSync(${PEAK_PIPE},String(process.resourceUsage().maxRSS*1024))}catch{}})`,
)}`;

/**
 * Runs a module of JavaScript in a process of its own: one that may die of what it is sent, and whose memory is measured.
 * Of TypeScript, `bundled` makes one.
 */
export async function runChild(
  script: string,
  args: readonly string[],
  { env, input, until, heap, directory = root, patience = 60_000, most = 2 * 2 ** 30 }: ChildOptions = {},
): Promise<Ended> {
  const memory = heap === undefined ? [] : [`--max-old-space-size=${heap}`];
  const child = spawn(process.execPath, [...memory, "--import", tellsPeak, script, ...args], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const told = textOf(child, PEAK_PIPE);
  const [stdout, stderr] = [textOf(child, 1), textOf(child, 2)];
  let seen = 0;
  const looking = setInterval(() => {
    seen = Math.max(seen, residentPeak(child.pid));
    if (seen > most) child.kill("SIGKILL");
  }, 50);
  const abandon = (): void => void child.kill("SIGKILL");
  process.once("exit", abandon);
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  // One that ends at once doesn't read what it is given.
  child.stdin?.on("error", () => undefined);
  if (until === undefined) child.stdin?.end(input);
  else {
    child.stdin?.write(input ?? "");
    child.stdout?.on("data", () => {
      if (stdout().includes(until)) child.stdin?.end();
    });
  }
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on("close", (...ended) => resolve(ended));
  });
  clearInterval(looking);
  clearTimeout(timer);
  process.off("exit", abandon);
  return { code, signal, stdout: stdout(), stderr: stderr(), peak: Math.max(seen, Number(told() || 0)) };
}

function textOf(child: ChildProcess, pipe: number): () => string {
  const pieces: Buffer[] = [];
  child.stdio[pipe]?.on("data", (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString();
}

/** Where the system tells it of other processes; else 0. */
function residentPeak(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  try {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
