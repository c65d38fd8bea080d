import { existsSync } from "node:fs";
import { basename } from "node:path";
import { startStdioServer } from "@configc/language-server";
import { editorFiles } from "../files/editor-files.ts";
import { pathOf } from "../files/uri.ts";
import { titleOf, withPlaces } from "../named-template.ts";
import { packageInfo, readTemplate } from "../package-info.ts";
import { templateNames, templatePurposes } from "../template-names.ts";
import { note } from "../terminal/output.ts";

/** For agents, who ask without an editor: what answers it is in the same file of the build. */
export { completionsIn } from "../mcp/completions-in.ts";

/** @returns at once; the process ends with the client's `exit` */
export function run(): number {
  if (process.stdin.isTTY)
    note(
      "configc: the language server waits for an editor on standard input; Ctrl-C ends it. Editors: docs/editors.md",
    );
  startStdioServer({
    version: packageInfo().version,
    ...docs(),
    ...editorFiles(),
    templatesFor: (uri) => {
      const title = titleOf(nameOf(uri));
      return templateNames.map((name) => ({
        name,
        purpose: templatePurposes[name],
        ...withPlaces(readTemplate(name), title),
      }));
    },
    // Loaded when something is run: checking needs no network.
    runWorld: async (options) => (await import("../run/editor-environment.ts")).editorEnvironment(options),
    simulator: async (options) => (await import("../simulate/editor-simulator.ts")).editorSimulator(options),
    scaffolder: {
      propose: async (params) => (await import("../scaffold/editor-scaffold.ts")).proposeInEditor(params),
      write: async (params) => (await import("../scaffold/editor-scaffold.ts")).writeInEditor(params),
    },
    login: async (options) => (await import("../run/editor-login.ts")).editorLogin(options),
  });
  return 0;
}

/** What a document is called, without its ending; empty where it has no name yet. */
function nameOf(uri: string): string {
  return basename(pathOf(uri) ?? "").replace(/\.app\.jsonc?$/, "");
}

/** The pages of the rules come with the command; from sources they are the repository's. */
function docs(): { readonly docsBase?: string } {
  const bases = [new URL("./", import.meta.url), new URL("../../../../", import.meta.url)];
  const base = bases.find((each) => existsSync(new URL("docs/rules", each)));
  return base === undefined ? {} : { docsBase: base.href };
}
