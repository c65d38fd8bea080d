import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type {
  ProposeConfigParams,
  ProposedConfig,
  WriteConfigParams,
  WrittenConfig,
} from "@configc/language-server";
import type { ProposeOptions } from "@configc/scaffold";
import { pathOf } from "../files/uri.ts";
import { candidatesOf } from "./candidates.ts";
import { prepare, writePrepared } from "./prepare.ts";
import { readDescription } from "./read-description.ts";

/** What an editor shows before anything is written. */
export async function proposeInEditor(params: ProposeConfigParams): Promise<ProposedConfig> {
  const path = fileOf(params.from);
  const read = await readDescription(path);
  const { proposal, name, text } = prepare(read, basename(path), optionsOf(params));
  const title = params.title ?? read.description.title;
  return { name, title, text, told: proposal.told, choices: candidatesOf(read.description) };
}

/** @throws Error where the config is there already */
export async function writeInEditor(params: WriteConfigParams): Promise<WrittenConfig> {
  const [path, config] = [fileOf(params.from), fileOf(params.config)];
  if (existsSync(config)) throw new Error(`${basename(config)} exists already.`);
  const read = await readDescription(path);
  const prepared = prepare(read, basename(path), optionsOf(params));
  return { notes: await writePrepared(config, prepared, read, path, dirname(config)) };
}

function optionsOf({ title, read, write }: ProposeConfigParams): ProposeOptions {
  return { read, write, ...(title === undefined || title.trim() === "" ? {} : { title }) };
}

function fileOf(uri: string): string {
  const path = pathOf(uri);
  if (path === undefined) throw new Error("Only files on this machine can be read.");
  return path;
}
