import type { Arguments } from "../command-line/arguments.ts";
import { either } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import type { FormatName } from "../formats/names.ts";
import type { SettingsSource } from "../settings/finder.ts";
import type { RuleLevels } from "../settings/project-settings.ts";

/** The command line of `check`, understood. */
export interface CheckOptions {
  readonly operands: readonly string[];
  readonly outputs: readonly Output[];
  readonly fix: "no" | "write" | "dry-run";
  readonly watch: boolean;
  readonly maxWarnings: number;
  readonly levels: RuleLevels;
  readonly baseline: string | undefined;
  readonly updateBaseline: boolean;
  readonly settings: SettingsSource;
  readonly stdinName: string | undefined;
  /** Whether what earlier runs found may be used, and is kept for later ones. */
  readonly cache: boolean;
  /** How many threads may check at once; undefined for as many as there are cores. */
  readonly jobs: number | undefined;
}

/** A format, and the file that it goes to; without one, standard output. */
export interface Output {
  readonly format: FormatName;
  readonly file?: string;
}

const levels = ["error", "warning", "info", "hint", "off"] as const;

/** @throws UsageError for options that contradict each other or name something unknown */
export function checkOptions(args: Arguments): CheckOptions {
  if (args.has("fix") && args.has("fix-dry-run")) {
    throw usage("--fix writes and --fix-dry-run doesn't: give one of them.");
  }
  if (args.has("update-baseline") && !args.has("baseline")) {
    throw usage("--update-baseline needs --baseline FILE, the file to record the findings in.");
  }
  if (args.has("watch") && args.operands.includes("-")) throw usage("Standard input can't be watched.");
  if (args.has("watch") && args.has("update-baseline")) {
    throw usage("--update-baseline records the findings once: give it without --watch.");
  }
  if (args.has("stdin-filename") && !args.operands.includes("-")) {
    throw usage("--stdin-filename names standard input: give - as PATH too.");
  }
  return {
    operands: args.operands,
    outputs: outputsOf(args),
    fix: args.has("fix") ? "write" : args.has("fix-dry-run") ? "dry-run" : "no",
    watch: args.has("watch"),
    maxWarnings: maxWarningsOf(args.value("max-warnings")),
    levels: levelsOf(args.values("rule")),
    baseline: args.value("baseline"),
    updateBaseline: args.has("update-baseline"),
    settings: settingsSource(args),
    stdinName: args.value("stdin-filename"),
    cache: !args.has("no-cache"),
    jobs: jobsOf(args.value("jobs")),
  };
}

/** `--config` and `--no-config` of any verb. */
export function settingsSource(args: Arguments): SettingsSource {
  const config = args.value("config");
  if (args.has("no-config")) return { kind: "none" };
  return config === undefined ? { kind: "search" } : { kind: "file", path: config };
}

/** Each `--output` belongs to the `--format` before it; where there is one of each, their order doesn't matter. */
export function outputsOf(args: Arguments, verb = "check"): Output[] {
  const outputs: { format: FormatName; file?: string }[] = [];
  let orphan: string | undefined;
  for (const { name, values } of args.options) {
    const value = values[0] ?? "";
    if (name === "format") outputs.push({ format: value as FormatName });
    if (name !== "output") continue;
    const last = outputs.at(-1);
    if (last === undefined && orphan === undefined) orphan = value;
    else if (last === undefined || last.file !== undefined) {
      throw usage(
        `--output ${value} has no --format before it: write --format FORMAT --output ${value}.`,
        verb,
      );
    } else last.file = value;
  }
  if (orphan === undefined) {
    refuseMixture(outputs, verb);
    return outputs.length === 0 ? [{ format: "pretty" }] : outputs;
  }
  const [only, ...others] = outputs;
  if (others.length > 0 || only?.file !== undefined) {
    throw usage(
      `--output ${orphan} stands before the formats: put it after the one that it is meant for.`,
      verb,
    );
  }
  return [{ format: only?.format ?? "pretty", file: orphan }];
}

/** Formats of which nobody could read the one if another stood before or behind it. */
const wholeDocuments: ReadonlySet<FormatName> = new Set(["json", "sarif", "gitlab", "junit"]);

function refuseMixture(outputs: readonly Output[], verb: string): void {
  const printed = outputs.filter(({ file }) => file === undefined).map(({ format }) => format);
  const whole = printed.find((format) => wholeDocuments.has(format));
  if (whole === undefined || printed.length === 1) return;
  const other = printed.find((format) => format !== whole) ?? whole;
  throw usage(
    `${whole} and ${other} can't both go to standard output: add --output FILE to one of them.`,
    verb,
  );
}

export function maxWarningsOf(value: string | undefined, verb = "check"): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(value)) return Number(value);
  throw usage(`--max-warnings is a number from 0, not “${value}”.`, verb);
}

function jobsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw usage(`--jobs is a number from 1 to 999, not “${value}”.`);
}

/** Whether there are such rules is for `requireKnownRules` to say: it needs all of them. */
export function levelsOf(values: readonly string[], verb = "check"): RuleLevels {
  return Object.fromEntries(
    values.map((value) => {
      const [id = "", level] = value.split("=");
      if (level === undefined)
        throw usage(`--rule is ID=LEVEL, as in --rule ${id}=off, not “${value}”.`, verb);
      const known = levels.find((each) => each === level);
      if (known === undefined) {
        throw new UsageError(`The level of a rule is ${either(levels)}, not “${level}”.`, verb, {
          name: level,
          candidates: levels,
        });
      }
      return [id, known];
    }),
  );
}

function usage(message: string, verb = "check"): UsageError {
  return new UsageError(message, verb);
}
