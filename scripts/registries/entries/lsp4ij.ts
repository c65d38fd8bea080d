import { type Entry, missingAddresses } from "../entry.ts";

const FILE = "configc/template.json";
const INSTALLER = "configc/installer.json";

export const lsp4ij: Entry = {
  id: "lsp4ij",
  name: "JetBrains IDEs (LSP4IJ)",
  goes: "a pull request to redhat-developer/lsp4ij, below src/main/resources/templates/lsp; or each user imports the folder as a template",
  files({ server: [command, ...args], patterns, languageId }) {
    const template = {
      id: "configc",
      name: "configc",
      programArgs: {
        windows: [`${command}.cmd`, ...args].join(" "),
        default: [command, ...args].join(" "),
      },
      fileTypeMappings: [{ fileType: { patterns }, languageId }],
    };
    const installer = {
      id: "configc",
      name: "configc",
      executeOnStartServer: false,
      // npm installs beside the nearest package.json or node_modules, so in a bare folder that may be the user's own.
      properties: { workingDir: "$USER_HOME$/.lsp4ij/lsp/configc/node_modules" },
      check: { exec: { name: "Trying configc", command: "${server.command}", timeout: 5000 } },
      run: {
        exec: {
          name: "Install configc",
          workingDir: "${workingDir}",
          ignoreStderr: true,
          command: { windows: "npm.cmd install configc", default: "npm install configc" },
          onSuccess: {
            configureServer: {
              name: "Configure configc",
              command: {
                windows: `\${workingDir}/.bin/${command}.cmd ${args.join(" ")}`,
                default: `\${workingDir}/.bin/${command} ${args.join(" ")}`,
              },
              update: true,
            },
          },
        },
      },
    };
    return { [FILE]: pretty(template), [INSTALLER]: pretty(installer) };
  },
  problems(files) {
    const template = JSON.parse(files[FILE] ?? "{}") as Record<string, unknown>;
    const problems = ["id", "name", "programArgs", "fileTypeMappings"]
      .filter((member) => !(member in template))
      .map((member) => `\`${member}\` is missing`);
    const { properties } = JSON.parse(files[INSTALLER] ?? "{}") as { properties?: { workingDir?: string } };
    if (properties?.workingDir?.endsWith("/node_modules") !== true)
      problems.push("npm would install beside any package.json above: `workingDir` has to be a node_modules");
    return problems;
  },
  missing: missingAddresses,
};

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
