import { plural } from "@configc/compiler/internal";
import type { PartReport, Verdict } from "./report.ts";

/** What was tried of a workflow, what broke because of what, and what wasn't tried, in lines for people. */
export function partSummary(part: PartReport): readonly string[] {
  const {
    kind,
    untried,
    failsAnyway = false,
    notTried,
    laws,
    worlds,
    cycles,
    requests,
    arrived,
    again,
    missing,
  } = part;
  if (untried !== undefined)
    return [sentence(`${failsAnyway ? "It can't run with any service" : "Not tried"}: ${untried}`)];
  const held = laws.filter(({ isBroken }) => !isBroken).map(({ name }) => name);
  const step = kind === "polling" || kind === "history" ? "cycle" : "step";
  const items = kind === "setup" ? "" : `; ${plural(arrived, "item")} arrived, ${again} of them again`;
  return [
    ...verdictsTold(part),
    `Tried: ${plural(worlds, "world")} with ${plural(cycles, step)} and ${plural(requests, "request")}${items}.`,
    ...(missing === undefined
      ? []
      : [
          `Look at this: ${missing.records} of ${plural(missing.of, "record")} arrived in no world: ${missing.because}. So what isn't broken says little.`,
        ]),
    `Not broken in these: ${held.join(", ") || "none"}.`,
    ...(notTried.length === 0 ? [] : [`Not tried: ${notTried.join("; ")}.`]),
  ];
}

/** What ends with another's message may have its full stop. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What was supposed, a line for each topic of which there is more than one: nobody can say “not with my service”. */
function verdictsTold({ hypotheses }: PartReport): readonly string[] {
  const topics = [...new Set(hypotheses.map(({ topic }) => topic))];
  const lines = topics.flatMap((topic) => {
    const values = hypotheses.filter((each) => each.topic === topic);
    if (values.length < 2 && values.every(({ broken }) => broken.length === 0)) return [];
    const broken = values.filter((each) => each.broken.length > 0).map(brokenTold);
    const held = values.filter((each) => each.broken.length === 0);
    return [`  ${topic}: ${[...broken, ...heldTold(held)].join("; ")}`];
  });
  return lines.length === 0 ? [] : ["What was supposed, and what broke because of it:", ...lines];
}

function brokenTold({ told, worlds, broken }: Verdict): string {
  const laws = broken.map(({ law, worlds: count }) => `${law} in ${count}`);
  return `${told} – ${laws.join(", ")} of ${plural(worlds, "world")}`;
}

function heldTold(held: readonly Verdict[]): readonly string[] {
  const [first, ...others] = held;
  if (first === undefined) return [];
  if (others.length === 0) return [`${first.told} – nothing in ${plural(first.worlds, "world")}`];
  const rest = others.map(({ told, worlds }) => `${told} (${worlds})`);
  return [`nothing – ${[`${first.told} (${plural(first.worlds, "world")})`, ...rest].join(", ")}`];
}
