import { basename } from "node:path";
import { commandTypes, compile } from "@configc/compiler";
import { findNode, layOutType } from "@configc/compiler/internal";
import { expect, test } from "vitest";
import { pointerTo } from "../../src/findings/pointer.ts";
import { validConfigs } from "../support/configs.ts";

/**
 * The types of every command of every example, nested ones too, with the samples that stand beside some: read the files as somebody who knows the API,
 * and after a wanted change (`-u`) read the difference.
 */
test.each(
  validConfigs().map(({ path, ...config }) => ({
    ...config,
    name: basename(path).replace(/\.app\.jsonc?$/, ""),
    path,
  })),
)("$name", async ({ name, path, text, samples }) => {
  const { model } = compile(text, { uri: path, samples });
  const lines = model.commands.flatMap((command) => {
    const found = findNode(model, pointerTo(command.node));
    if (!("node" in found)) throw new Error(`${pointerTo(command.node)} isn't found.`);
    const [type] = commandTypes(model, found.node);
    if (type === undefined) return [];
    // What a step of a pipe takes is what the one before it gives.
    const input = command.parent === undefined ? [`  input   ${indented(layOutType(type.input))}`] : [];
    return [`${type.pointer} ${type.key}`, ...input, `  output  ${indented(layOutType(type.output))}`, ""];
  });
  await expect(`${lines.join("\n")}`).toMatchFileSnapshot(`examples/${name}.txt`);
});

function indented(text: string): string {
  return text.replaceAll("\n", "\n          ");
}
