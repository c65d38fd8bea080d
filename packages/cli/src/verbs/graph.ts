import { basename, resolve } from "node:path";
import { compile } from "@configc/compiler";
import { type Graph, graphOf, partOf, toDot, toMermaid } from "@configc/compiler/graph";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { readNamedFile } from "../files/read.ts";
import { writeAtomically } from "../files/write.ts";
import { nearestSettings } from "../settings/nearest.ts";
import { note, print } from "../terminal/output.ts";

/** Draws an app, as far as its config can be read. */
export async function run(args: Arguments): Promise<number> {
  const file = args.operands[0]!;
  const { model, diagnostics } = compile(readNamedFile(file, "graph"), {
    uri: file,
    settings: nearestSettings().ofFile(resolve(file)),
  });
  if (diagnostics.some(({ severity }) => severity === "error"))
    note(`configc: ${file} has mistakes, so the picture may lack something: configc check ${file}`);
  const whole = graphOf(model);
  const workflow = args.value("workflow");
  const graph = workflow === undefined ? whole : partOf(whole, workflow);
  if (graph === undefined)
    throw new UsageError(`There is no workflow “${workflow}” in ${file}.`, "graph", {
      name: workflow ?? "",
      candidates: model.workflows.flatMap(({ name }) => name ?? []),
    });
  const text = await drawn(graph, args.value("format") ?? "mermaid", basename(file));
  const output = args.value("output");
  if (output === undefined) {
    print(text);
    return 0;
  }
  try {
    writeAtomically(output, text);
  } catch (error) {
    throw new UsageError(`${output} can't be written: ${reasonOf(error)}.`, "graph");
  }
  return 0;
}

async function drawn(graph: Graph, format: string, title: string): Promise<string> {
  if (format === "mermaid") return toMermaid(graph);
  if (format === "dot") return toDot(graph);
  const { toSvg } = await import("./graph-svg.ts");
  return toSvg(graph, { title });
}
