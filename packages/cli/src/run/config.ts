import { resolve } from "node:path";
import { type App, compile, type Diagnostic, type Model, type Settings } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { nodeKind } from "@configc/runtime/internal";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { readNamedFile } from "../files/read.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { note } from "../terminal/output.ts";
import { notFound } from "./not-found.ts";

/** A config that can be run. */
export interface LoadedConfig {
  readonly file: string;
  readonly model: Model;
  readonly app: App;
  readonly settings: Partial<Settings>;
}

/**
 * Reads and compiles a config. Its errors are mentioned and don't stop it: what could be read runs.
 *
 * @throws UsageError if it can't be opened
 */
export function loadConfig(file: string, verb: string): LoadedConfig {
  const { errors, ...config } = compileConfig(file, verb);
  noteErrors(file, errors);
  return config;
}

/** Mentions that a config has errors. */
export function noteErrors(file: string, errors: readonly Diagnostic[]): void {
  if (errors.length > 0)
    note(`configc: ${file} has ${plural(errors.length, "error")}; “configc check ${file}” tells which.`);
}

/** @throws UsageError if it can't be opened, or its settings are wrong */
export function compileConfig(
  file: string,
  verb: string,
): LoadedConfig & { readonly errors: readonly Diagnostic[] } {
  const settings = nearestSettings().ofFile(resolve(file));
  const { model, app, diagnostics } = compile(readNamedFile(file, verb), { uri: file, settings });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { file, model, app, settings, errors };
}

/** Finds what a person named, something that can be run, or says what is there instead. */
export function findRunnable(
  { file, model, app }: LoadedConfig,
  path: string,
): { readonly pointer: string } | { readonly problem: string } {
  const found = findNode(model, path);
  if (!("node" in found)) return { problem: notFound(found, file) };
  const pointer = pointerTo(found.node);
  if (nodeKind(app, pointer) !== undefined) return { pointer };
  const below = Object.keys(app.commands).filter(
    (id) => id.startsWith(`${pointer}/`) && !/\/!\w+(\/|$)/.test(id.slice(pointer.length)),
  );
  const shown = below.slice(0, 8).join(", ");
  const more = below.length > 8 ? ` and ${below.length - 8} more` : "";
  const hint = below.length === 0 ? "" : ` The commands in it are ${shown}${more}.`;
  return { problem: `“${path}” isn't a command.${hint}` };
}

/** The app with another `api.base_url`. */
export function withBaseUrl(app: App, url: string | undefined, verb: string): App {
  if (url === undefined) return app;
  if (!URL.canParse(url)) throw new UsageError(`--base-url is a URL, not “${url}”.`, verb);
  return { ...app, api: { ...app.api, baseUrl: [url] } };
}
