import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Ended, runChild } from "./child.ts";

/** The command as it was built. */
export const command = fileURLToPath(new URL("../../../packages/cli/bin/configc.js", import.meta.url));

/** What stands at a path: a file, a link to somewhere, or a folder. */
export type Entry = string | Uint8Array | { readonly link: string } | "folder:";

/** As it ends, a process tells whether an object that nobody has touched has a member that only hostile JSON names. */
const tellsPollution = `--import=data:text/javascript,${encodeURIComponent(
  `process.on("exit",()=>{if(({}).polluted!==undefined)process.stderr.write("POLLUTED")})`,
)}`;

/** Runs the command as it was built, in a folder of these files that is gone afterwards. */
export async function runCommand(
  files: Readonly<Record<string, Entry>>,
  args: readonly string[],
  {
    before,
    then,
    within,
    input,
    patience,
  }: {
    /** Is told the folder when its files are there. */
    readonly before?: (folder: string) => void;
    /** Looks at the folder before it is gone. */
    readonly then?: (folder: string) => void | Promise<void>;
    /** The folder of them in which it runs. */
    readonly within?: string;
    readonly input?: string;
    /** As of `runChild`. */
    readonly patience?: number;
  } = {},
): Promise<Ended> {
  const directory = mkdtempSync(join(tmpdir(), "attack-"));
  try {
    for (const [name, entry] of Object.entries(files)) put(join(directory, name), entry);
    before?.(directory);
    const env = { NODE_OPTIONS: tellsPollution, NO_COLOR: "1" };
    const ended = await runChild(command, args, {
      directory: join(directory, within ?? "."),
      env,
      ...(input === undefined ? {} : { input }),
      ...(patience === undefined ? {} : { patience }),
    });
    await then?.(directory);
    return ended;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Puts a file, a link or a folder at a path. */
export function put(path: string, entry: Entry): void {
  mkdirSync(dirname(path), { recursive: true });
  if (entry === "folder:") mkdirSync(path);
  else if (typeof entry === "object" && "link" in entry) symlinkSync(entry.link, path);
  else writeFileSync(path, entry);
}

/** What is wrong with how a command ended, whatever it was given; empty if nothing is. */
export function complaintsOf(
  { code, signal, stdout, stderr }: Ended,
  codes: readonly number[] = [0, 1, 2],
): string[] {
  const complaints: string[] = [];
  if (signal !== null) complaints.push(`it was ended by ${signal}`);
  if (code !== null && !codes.includes(code)) complaints.push(`it ended with ${code}`);
  if (/^\s+at .+:\d+:\d+\)?$/m.test(stderr)) complaints.push(`it shows its stack: ${stderr.slice(0, 600)}`);
  if (stderr.includes("POLLUTED")) complaints.push("a prototype was changed");
  if (/heap out of memory|Maximum call stack/.test(stdout + stderr))
    complaints.push("a limit of the engine was hit");
  return complaints;
}
