import { resolve } from "node:path";
import { type CommandType, commandTypes, compile } from "@configc/compiler";
import { findNode, layOutType } from "@configc/compiler/internal";
import { sampleFiles, tasksOf } from "../check/tasks.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { readNamedFile } from "../files/read.ts";
import { notFound } from "../run/not-found.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { hasColour, print } from "../terminal/output.ts";
import { styleOf } from "../terminal/style.ts";

/** What a command, or each command below a node, takes and gives. */
export async function run(args: Arguments): Promise<number> {
  const [file = "", path = ""] = args.operands;
  const content = readNamedFile(file, "type");
  const settings = nearestSettings();
  const [task] = await tasksOf([{ path: file, absolute: resolve(file) }], settings, sampleFiles());
  const { model } = compile(content, { ...task, uri: file });
  const found = findNode(model, path);
  if (!("node" in found)) throw new UsageError(notFound(found, file), "type");
  const types = commandTypes(model, found.node);
  if (types.length === 0) throw new UsageError(`there is no command at “${path}”.`, "type");
  print(args.value("format") === "json" ? asJson(types) : types.map(asText).join("\n"));
  return 0;
}

function asText({ pointer, key, input, output, because }: CommandType): string {
  const style = styleOf(hasColour(process.stdout));
  return `${style.bold(pointer)} ${style.dim(key)}\ninput   ${indented(layOutType(input))}\noutput  ${indented(layOutType(output))}\n${because.map((text) => `        ${indented(style.dim(text))}\n`).join("")}`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n        ");
}

function asJson(types: readonly CommandType[]): string {
  const commands = types.map(({ pointer, key, input, output, because }) => ({
    pointer,
    command: key,
    input: layOutType(input, Number.POSITIVE_INFINITY),
    output: layOutType(output, Number.POSITIVE_INFINITY),
    because,
  }));
  return `${JSON.stringify({ version: 1, commands }, undefined, 2)}\n`;
}
