import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { render } from "@configc/compiler";
import { plural } from "../command-line/phrases.ts";
import { isUsageError } from "../command-line/usage-error.ts";
import { SETTINGS_NAME } from "../settings/finder.ts";
import { visible } from "../terminal/text.ts";
import { compileConfig, type LoadedConfig } from "./config.ts";

type ChangedConfig =
  | { readonly config: LoadedConfig }
  /** Why it can't be used as it is now, for people. */
  | { readonly problem: string };

/** Milliseconds between two looks. A person who saves and looks at the terminal doesn't notice them. */
const EVERY = 250;
/** Errors that are told; with one mended, there may be fewer. */
const MOST_ERRORS = 5;

/**
 * Compiles a config again whenever it or its settings change, wherever above it those stand or appear. Samples don't count: what runs
 * doesn't depend on them. The few files are looked at now and then, since what a system reports of changes differs and is sometimes missing.
 *
 * @param loaded what runs at first
 * @param onChange is told each version that isn't as the one before
 */
export function watchConfig(
  loaded: LoadedConfig,
  onChange: (changed: ChangedConfig) => void,
): { end(): void } {
  const { file } = loaded;
  const paths = watchedPaths(file);
  // Nothing is known yet: it may have changed since it was loaded.
  let before = "";
  let told = contentOf(loaded);
  const timer = setInterval(() => {
    const now = stateOf(paths);
    if (now === before) return;
    before = now;
    const { content, changed } = compiled(file);
    // Saved as it was: nothing has changed for anybody.
    if (content === told) return;
    told = content;
    onChange(changed);
  }, EVERY);
  return { end: () => clearInterval(timer) };
}

function watchedPaths(file: string): string[] {
  const paths = [resolve(file)];
  for (let at = dirname(resolve(file)); ; at = dirname(at)) {
    paths.push(join(at, SETTINGS_NAME));
    if (dirname(at) === at) return paths;
  }
}

function stateOf(paths: readonly string[]): string {
  const states = paths.map((path) => {
    try {
      const { size, mtimeMs, ino } = statSync(path);
      return [size, mtimeMs, ino];
    } catch {
      return undefined;
    }
  });
  return JSON.stringify(states);
}

function compiled(file: string): { readonly content: string; readonly changed: ChangedConfig } {
  try {
    const { errors, ...config } = compileConfig(file, "dev");
    const content = contentOf(config);
    if (errors.length === 0) return { content, changed: { config } };
    const lines = errors.slice(0, MOST_ERRORS).map((error) => {
      const { range, message, rule } = render(config.model, error, { fixes: false });
      const { line, column } = range.start;
      return `${file}:${line}:${column}: ${visible(message.replace(/\s+/g, " "))} [${rule}]`;
    });
    if (errors.length > MOST_ERRORS) lines.push(`… ${plural(errors.length - MOST_ERRORS, "more error")}`);
    return { content, changed: { problem: lines.join("\n") } };
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { content: error.message, changed: { problem: error.message } };
  }
}

function contentOf({ model, settings }: LoadedConfig): string {
  return JSON.stringify([model.document.text, settings]);
}
