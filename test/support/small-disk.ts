import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** The arguments that run a program where what it mounts goes with it, however it ends. */
const APART = ["unshare", "--mount", "--propagation", "private"] as const;

/** Why no disk can be mounted on this machine; undefined if one can. */
export const noSmallDisk: string | undefined = (() => {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root on Linux can mount a small disk";
  const [command, ...args] = APART;
  const tried = spawnSync(command, [...args, "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"], {
    encoding: "utf8",
  });
  return tried.status === 0
    ? undefined
    : `no small disk can be mounted: ${tried.error?.message ?? tried.stderr.trim()}`;
})();

/** A command with its arguments as they are started where disks can be mounted that go with the process; the same command where none can. */
export function whereDisksGo(command: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (noSmallDisk !== undefined) return [command, args];
  const [first, ...rest] = APART;
  return [first, [...rest, command, ...args]];
}

/** A real disk of a few megabytes, which can be filled up. */
export class SmallDisk {
  readonly folder: string;
  #filling: NodeJS.Timeout | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws Error where it can't be mounted */
  static mount(folder: string, megabytes: number): SmallDisk {
    mkdirSync(folder, { recursive: true });
    const options = `size=${megabytes}m,mode=0777`;
    const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`The disk can't be mounted: ${error?.message ?? stderr}`);
    return new SmallDisk(folder);
  }

  /** Something else takes all the room, and what is given back too. */
  fill(): void {
    this.#take();
    this.#filling = setInterval(() => this.#take(), 50).unref();
  }

  empty(): void {
    clearInterval(this.#filling);
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    clearInterval(this.#filling);
    // Lazily: whoever still has a file there is about to end.
    spawnSync("umount", ["--lazy", this.folder]);
  }

  get #ballast(): string {
    return join(this.folder, "ballast");
  }

  #take(): void {
    const file = openSync(this.#ballast, "a");
    try {
      for (const size of [1 << 16, 1 << 12])
        try {
          for (;;) writeSync(file, Buffer.alloc(size, 1));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
    } finally {
      closeSync(file);
    }
  }
}
