import { readdirSync } from "node:fs";

const start = [
  ["configc init NAME", "write a config to start from"],
  ["configc init --from FILE", "write one for an API: from OpenAPI, a HAR file or cURL commands"],
] as const;
const goOn = [
  ["configc check", "find what is wrong with the configs"],
  ["configc simulate FILE", "run one against a simulated service"],
  ["configc dev FILE", "serve one on this machine"],
] as const;

/**
 * What to do next, for somebody who typed no verb: where no config stands yet, how to get one.
 *
 * @param folder where the command was started; one that can't be read counts as empty
 * @returns lines for a terminal
 */
export function firstSteps(folder: string): string {
  const found = hasConfigs(folder);
  const steps = found ? goOn : start;
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    found ? "what shall it do? For instance:" : "there is no config here yet. Start with:",
    ...steps.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`),
  ].join("\n");
}

/** Looks into the folder itself only: the answer has to come at once. */
function hasConfigs(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.app\.jsonc?$/.test(name));
  } catch {
    return false;
  }
}
