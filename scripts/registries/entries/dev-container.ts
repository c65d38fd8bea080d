import { readFileSync } from "node:fs";
import type { Entry } from "../entry.ts";
import { root } from "../facts.ts";

const FILE = ".devcontainer/devcontainer.json";

export const devContainer: Entry = {
  id: "dev-container",
  name: "Dev container",
  goes: `read from ${FILE} by VS Code, Codespaces and others`,
  files: () => ({}),
  problems() {
    const { image, build, dockerComposeFile } = JSON.parse(readFileSync(`${root}${FILE}`, "utf8")) as Record<
      string,
      unknown
    >;
    return image === undefined && build === undefined && dockerComposeFile === undefined
      ? [`${FILE} says nothing to start from`]
      : [];
  },
  missing: () => [],
};
