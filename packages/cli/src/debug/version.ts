import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { compile } from "@configc/compiler";
import type { SavedRun } from "@configc/host";
import { changesSince, digestOf } from "@configc/host/internal";
import type { LoadedConfig } from "../run/config.ts";

/** Versions of a file that are looked through at most. */
const MOST = 200;

/**
 * The config with which a run was saved: the present one if that is it, else the version of it that git has.
 *
 * @returns notes for people where it is another one, or where none can be found
 */
export async function versionOf(
  present: LoadedConfig,
  saved: SavedRun,
): Promise<{
  readonly loaded: LoadedConfig;
  readonly isOtherText: boolean;
  readonly notes: readonly string[];
}> {
  const changes = await changesSince(present.app, saved);
  if ((await digestOf(present.app)) === saved.config)
    return { loaded: present, isOtherText: false, notes: changes };
  const { file, settings } = present;
  for await (const { commit, text } of earlierVersions(file)) {
    const { model, app } = compile(text, { uri: file, settings });
    if ((await digestOf(app)) !== saved.config) continue;
    return {
      loaded: { ...present, model, app },
      isOtherText: true,
      notes: [
        `The config has changed since. This is the one that was run then, of commit ${commit.slice(0, 12)}.`,
      ],
    };
  }
  return {
    loaded: present,
    isOtherText: false,
    notes: [`${changes.join(" ")} That version isn't in git here, so the present one is run on its answers.`],
  };
}

async function* earlierVersions(
  file: string,
): AsyncGenerator<{ readonly commit: string; readonly text: string }> {
  const git = async (...args: readonly string[]): Promise<string | undefined> => {
    try {
      const { stdout } = await promisify(execFile)("git", ["-C", dirname(file), ...args], {
        maxBuffer: 64e6,
      });
      return stdout;
    } catch {
      // No git, or no repository: then nothing is known of before.
      return undefined;
    }
  };
  const name = basename(file);
  const log = await git("log", `--max-count=${MOST}`, "--format=%H", "--", name);
  for (const commit of log?.split("\n").filter((line) => line !== "") ?? []) {
    const text = await git("show", `${commit}:./${name}`);
    if (text !== undefined) yield { commit, text };
  }
}
