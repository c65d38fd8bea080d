import { type Failure, type PartReport, partSummary, type Report } from "@configc/simulate";
import { plural } from "../command-line/phrases.ts";
import { PlacedCoverage } from "../coverage/placed-coverage.ts";
import type { LoadedConfig } from "../run/config.ts";
import { inlineCode, type Style, styleOf } from "../terminal/style.ts";
import { rangeAt } from "./findings.ts";

/** The report for a person: for each workflow what was supposed, what broke, and what was tried. */
export function pretty({ parts, coverage }: Report, loaded: LoadedConfig, colour: boolean): string {
  const style = styleOf(colour);
  const all = parts.flatMap(({ failures }) => failures);
  const broken = all.filter(({ isDoubtful }) => !isDoubtful).length;
  const doubtful = all.length - broken;
  const tried = parts.filter(({ untried }) => untried === undefined);
  const worlds = tried.reduce((sum, part) => sum + part.worlds, 0);
  const failing = parts.filter(({ failsAnyway = false }) => failsAnyway).length;
  const summary =
    broken === 0 && failing > 0
      ? `${plural(failing, "workflow")} can't run with any service.`
      : broken === 0 && tried.every(({ kind }) => kind === "setup")
        ? `Nothing${tried.length === 0 ? "" : " but the guided setup"} could be tried.`
        : `${plural(worlds, "world")} tried: ${verdict(broken, doubtful)}.`;
  return [
    ...parts.flatMap((part) => [...partLines(part, loaded, style), ""]),
    ...(coverage === undefined
      ? []
      : [...new PlacedCoverage(coverage, loaded).pretty(style.bold("Ran in any world"), style), ""]),
    (broken + failing === 0 ? style.green : style.red)(summary),
    "",
  ].join("\n");
}

function verdict(broken: number, doubtful: number): string {
  if (broken === 0)
    return doubtful === 0
      ? "no law broke in them"
      : `no law broke for certain, ${plural(doubtful, "way")} in doubt`;
  return `${plural(broken, "way")} found in which a law breaks${doubtful === 0 ? "" : `, and ${doubtful} in doubt`}`;
}

function partLines(part: PartReport, loaded: LoadedConfig, style: Style): string[] {
  const { kind, workflow, intake, untried, roles, assumptions, failures } = part;
  const how = {
    polling: "which polls",
    history: "which imports",
    webhook: "with the webhook",
    outbound: "",
    setup: "",
  };
  const name = kind === "setup" ? `${workflow}, its guided setup` : workflow;
  const title = style.bold(intake === undefined ? name : `${workflow}, ${how[kind]} ${intake}`);
  const tried = partSummary(part).map((line) => `  ${line}`);
  if (untried !== undefined) return [title, ...tried];
  const lines = [
    title,
    "  The service is taken for this:",
    ...roles.map((role) => `    ${inlineCode(style, role)}`),
  ];
  if (assumptions.length > 0) lines.push("  By the world file:", ...assumptions.map((each) => `    ${each}`));
  for (const failure of failures) lines.push("", ...failureLines(failure, loaded, style));
  return [...lines, "", ...tried];
}

const doubt =
  "So the service may be derived wrongly instead. Compare the story with your service, and say in the world file what differs.";

/** A broken law with its story. */
export function failureLines(
  { law, message, needs, isDoubtful, story, cure, pointer, seed }: Failure,
  { file, model }: LoadedConfig,
  style: Style,
): string[] {
  const { line, column } = rangeAt(model, pointer).start;
  return [
    `  ${isDoubtful ? style.yellow("doubtful") : style.red("broken")} ${style.bold(law)}  ${style.dim(`${file}:${line}:${column}`)}`,
    `    ${inlineCode(style, message)}`,
    `    ${needs.length === 0 ? "It takes nothing special of the service." : `It takes ${needs.join(", ")}.`}`,
    ...(isDoubtful ? [`    ${doubt}`] : []),
    "",
    ...story.map((each) => `      ${each}`),
    "",
    `    ${style.cyan("cure")}: ${inlineCode(style, cure)}${seed === 0 ? "" : ` (seed ${seed})`}`,
  ];
}
