import { defineTool } from "../tool.ts";
import { config, node } from "./inputs.ts";

export const type = defineTool({
  name: "type",
  title: "Show types",
  description:
    "Shows what a command, or each command below a node, takes and gives, inferred from the config, from samples and from OpenAPI documents. Call it before writing a jq program, to see what comes in.",
  input: { path: config, node },
  async run({ path, node: name }, { workspace, command, signal }) {
    return (await command.run(["type", workspace.inside(path), name], signal)).stdout;
  },
});
