import { type FSWatcher, statSync, watch as watchFolder } from "node:fs";
import { dirname, resolve } from "node:path";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { findSources } from "../files/find.ts";
import { format as sarif } from "../formats/sarif.ts";
import { SETTINGS_NAME, SettingsFinder } from "../settings/finder.ts";
import { parseSettings, requireKnownRules } from "../settings/validate.ts";
import { clearScreen, note } from "../terminal/output.ts";
import { checkFile, type Task } from "./check-file.ts";
import type { CheckOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { conclude, knownFindings } from "./run.ts";
import { taskOptions } from "./task-options.ts";
import { sampleFiles, tasksOf } from "./tasks.ts";

/** Editors write in several steps; what comes in quick succession is one change. */
const QUIET_MS = 40;

/**
 * Checks, then again whenever something changes, until Ctrl-C. What the system reports is only taken as a sign to look: which
 * files have changed is decided by what they are (size, times, settings), and only those are checked again.
 *
 * @returns 0 when it is ended
 */
export async function watch(options: CheckOptions): Promise<number> {
  requireKnownRules(options.levels, "check");
  const watched = new Watched();
  const rounds = new Rounds(options);
  let ended = false;
  const end = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        ended = true;
        resolve();
      });
    }
  });
  while (!ended) {
    const changed = watched.nextChange();
    await rounds.next(watched);
    await Promise.race([changed, end]);
  }
  watched.close();
  return 0;
}

/** The folders that are watched. Folders, because many editors replace a file by a new one. */
class Watched {
  private readonly folders = new Map<string, FSWatcher>();
  private inside: ReadonlySet<string> = new Set();
  private wake: () => void = () => {};
  private timer: NodeJS.Timeout | undefined;

  /** Resolves when something may have changed since the call. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /**
   * Watches these folders and no others.
   *
   * @param inside folders in which anything counts
   * @param above folders in which a settings file may appear
   */
  set(inside: ReadonlySet<string>, above: ReadonlySet<string>): void {
    this.inside = inside;
    const wanted = new Set([...inside, ...above]);
    for (const [folder, watcher] of this.folders) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.folders.delete(folder);
    }
    for (const folder of wanted) {
      if (this.folders.has(folder)) continue;
      this.add(folder, (name) => this.inside.has(folder) || name === null || name === SETTINGS_NAME);
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.set(new Set(), new Set());
  }

  private add(folder: string, counts: (name: string | null) => boolean): void {
    try {
      const watcher = watchFolder(folder, (_, name) => counts(name) && this.changed());
      watcher.on("error", () => {
        // The folder is gone; what it means for the files is found out by looking.
        this.folders.delete(folder);
        this.changed();
      });
      this.folders.set(folder, watcher);
      // What has changed since it was looked at would be missed.
      this.changed();
    } catch (error) {
      // One that may not be read can't hold settings either; otherwise changes would be missed in silence.
      if (counts("")) note(`configc: ${folder} can't be watched: ${reasonOf(error)}`);
    }
  }

  private changed(): void {
    // Not put off by further changes: a busy folder would put it off for ever.
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.wake();
    }, QUIET_MS);
  }
}

/** What is known of a file since it was checked last. */
interface Checked {
  readonly state: string;
  readonly outcome: Outcome;
}

class Rounds {
  private readonly options: CheckOptions;
  private readonly samples = sampleFiles();
  private checked = new Map<string, Checked>();
  private previous: string | undefined;
  /** How many files the last round checked. */
  private anew = 0;

  constructor(options: CheckOptions) {
    this.options = options;
  }

  /** Looks what has changed, and prints the report anew if something has. */
  async next(watched: Watched): Promise<void> {
    const { operands } = this.options;
    const inside = new Set([process.cwd(), ...operands.map((operand) => dirname(resolve(operand)))]);
    try {
      const known = knownFindings(this.options);
      const settings = new SettingsFinder(this.options.settings, this.options.levels, parseSettings);
      const found = findSources(operands, settings, undefined);
      for (const { absolute } of found.sources) inside.add(dirname(absolute));
      for (const folder of found.folders) inside.add(folder);
      const tasks = await tasksOf(found.sources, settings, this.samples);
      for (const { absolute } of found.sources)
        for (const folder of this.samples.folders(absolute, settings.samplesOf(absolute))) inside.add(folder);
      const outcomes = this.check(tasks);
      const states = [...this.checked].map(([path, { state }]) => [path, state]);
      if (!this.isNews(JSON.stringify([states, found.failures, stateOf(this.options.baseline)]))) return;
      await conclude(this.options, found.sources, outcomes, found.failures, known, async () => sarif);
      note(`${plural(this.anew, "file")} checked. Watching for changes; Ctrl-C ends it.`);
    } catch (error) {
      // Wrong settings are about to be repaired: they are no reason to end.
      if (!(error instanceof UsageError)) throw error;
      if (this.isNews(error.message)) note(`configc: ${error.message}`);
    } finally {
      watched.set(inside, ancestorsOf(inside));
    }
  }

  /** Whether a result differs from the one before; if it does, the screen is cleared for it. */
  private isNews(result: string): boolean {
    if (result === this.previous) return false;
    this.previous = result;
    clearScreen();
    return true;
  }

  private check(tasks: readonly Task[]): Outcome[] {
    const now = new Map<string, Checked>();
    this.anew = 0;
    const outcomes = tasks.map((task) => {
      const { absolute } = task.source;
      const before = this.checked.get(absolute);
      const state = this.stateOfTask(task);
      if (before !== undefined && before.state === state) {
        now.set(absolute, before);
        return before.outcome;
      }
      const outcome = checkFile(task, taskOptions(this.options));
      this.anew++;
      // A fix has changed the file; a change by someone else while it was checked must not be missed.
      const fixed = "file" in outcome && outcome.file.fixed > 0;
      now.set(absolute, { state: fixed ? this.stateOfTask(task) : state, outcome });
      return outcome;
    });
    this.checked = now;
    return outcomes;
  }

  /** Differs where a file must be checked again. */
  private stateOfTask({ source, settings, samples }: Task): string {
    return `${stateOf(source.absolute)} ${JSON.stringify(settings)} ${this.samples.version(samples)}`;
  }
}

function stateOf(path: string | undefined): string {
  try {
    if (path === undefined) return "";
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    return JSON.stringify([size, mtimeMs, ctimeMs, ino]);
  } catch {
    return "";
  }
}

/** Every folder above some folders. */
function ancestorsOf(folders: ReadonlySet<string>): Set<string> {
  const ancestors = new Set<string>();
  for (const folder of folders) {
    for (let at = dirname(folder); !ancestors.has(at); at = dirname(at)) ancestors.add(at);
  }
  return ancestors;
}
