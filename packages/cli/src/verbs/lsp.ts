import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { noSamples, type Samples } from "@configc/compiler";
import { startStdioServer } from "@configc/language-server";
import { sampleFiles } from "../check/tasks.ts";
import { named, titleOf } from "../named-template.ts";
import { packageInfo, readTemplate } from "../package-info.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { templateNames, templatePurposes } from "../template-names.ts";
import { note } from "../terminal/output.ts";

/** @returns at once; the process ends with the client's `exit` */
export function run(): number {
  if (process.stdin.isTTY)
    note(
      "configc: the language server waits for an editor on standard input; Ctrl-C ends it. Editors: docs/editors.md",
    );
  const files = sampleFiles();
  startStdioServer({
    version: packageInfo().version,
    ...docs(),
    settingsOf: (uri) => ofProject(uri, {}, (settings, path) => settings.ofFile(path)),
    samplesOf: (uri, changed) =>
      ofProject(uri, noSamples, (settings, path): Samples => {
        const sources = settings.samplesOf(path);
        if (sources !== undefined)
          void files.load(path, sources).then((isNew) => {
            if (isNew) changed();
          });
        return files.of(path, sources);
      }),
    templatesFor: (uri) => {
      const title = titleOf(nameOf(uri));
      const nameFor = (text: string): string => (title === "" ? text : named(text, title));
      return templateNames.map((name) => ({
        name,
        purpose: templatePurposes[name],
        text: nameFor(readTemplate(name)),
      }));
    },
    // Loaded when something is run: checking needs no network.
    runWorld: async (options) => (await import("../run/editor-world.ts")).editorWorld(options),
    login: async (options) => (await import("../run/editor-login.ts")).editorLogin(options),
  });
  return 0;
}

/** What a document is called, without its ending; empty where it has no name yet. */
function nameOf(uri: string): string {
  if (!uri.startsWith("file:")) return "";
  return basename(decodeURIComponent(new URL(uri).pathname)).replace(/\.app\.jsonc?$/, "");
}

/** The pages of the rules come with the command; from sources they are the repository's. */
function docs(): { readonly docsBase?: string } {
  const bases = [new URL("./", import.meta.url), new URL("../../../../", import.meta.url)];
  const base = bases.find((each) => existsSync(new URL("docs/rules", each)));
  return base === undefined ? {} : { docsBase: base.href };
}

/** Looked for each time: the file may have changed. Documents that aren't on disk have none. */
function ofProject<T>(uri: string, otherwise: T, read: (settings: SettingsFinder, path: string) => T): T {
  if (!uri.startsWith("file:")) return otherwise;
  try {
    return read(nearestSettings(), fileURLToPath(uri));
  } catch (error) {
    // A wrong settings file mustn't take the diagnostics of all documents away; `configc check` tells what is wrong with it.
    note(`configc: ${error instanceof Error ? error.message : error}`);
    return otherwise;
  }
}
