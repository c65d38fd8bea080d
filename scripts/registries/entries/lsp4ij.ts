import { type Entry, missingAddresses } from "../entry.ts";

const FILE = "configc/template.json";

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
      properties: { workingDir: "$USER_HOME$/.lsp4ij/lsp/configc" },
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
                windows: `\${workingDir}/node_modules/.bin/${command}.cmd ${args.join(" ")}`,
                default: `\${workingDir}/node_modules/.bin/${command} ${args.join(" ")}`,
              },
              update: true,
            },
          },
        },
      },
    };
    return { [FILE]: pretty(template), "configc/installer.json": pretty(installer) };
  },
  problems(files) {
    const template = JSON.parse(files[FILE] ?? "{}") as Record<string, unknown>;
    return ["id", "name", "programArgs", "fileTypeMappings"]
      .filter((member) => !(member in template))
      .map((member) => `\`${member}\` is missing`);
  },
  missing: missingAddresses,
};

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
