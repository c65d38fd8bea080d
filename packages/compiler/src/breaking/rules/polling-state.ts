import { printType } from "@configc/jq";
import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import { allNames } from "../../check/message-text.ts";
import { Cycle } from "../../check/rules/state/cycle.ts";
import { defineRule } from "../../findings/rule.ts";
import { flowOf } from "../../flow/flow.ts";
import { comparison } from "../comparison.ts";
import { mismatchOf } from "../mismatch.ts";
import type { Pair, Versions } from "../versions.ts";

const missing = defineRule<{ key: string; intake: string; before: readonly string[] }>({
  id: "breaking/state-key-missing",
  severity: "error",
  concerns: ["state"],
  summary: "A command reads a polling-state key that the published version never saved",
  why: "Existing customers continue with the `polling_state` of the published version: `initial_setup` doesn't run again. A key that only the new version saves is missing, so every cycle fails from the next one on.",
  guards: ["expansion.polling_state", "polling.initial_setup", "D33", "D40"],
  message: ({ key, intake }) =>
    `The published version of \`${intake}\` saved no \`${key}\` in \`polling_state\`. The next cycle of existing customers starts with the old state and fails here.`,
  help: ({ key, before }) =>
    `Read it with a default, \`\${polling_state.${key} | default:TEXT}\`, or set it in \`pre_poll\` if it is missing.${before.length === 0 ? "" : ` The old state has ${allNames(before)}.`}`,
  examples: [
    {
      title: "D40",
      in: "inbound-polling",
      at: "/data_intake/0",
      published: intake("page", "1", "(${polling_state.page} + 1)", "page"),
      bad: intake("cursor", '\\"\\"', ".next", "«cursor»"),
      good: intake("page", "1", "(${polling_state.page} + 1)", "page"),
    },
  ],
});

const type = defineRule<{ name: string; intake: string; kept: string; wanted: string; lacks: boolean }>({
  id: "breaking/state-type",
  severity: "error",
  concerns: ["state"],
  summary: "A polling-state key has a different type than in the published version",
  why: "Existing customers continue with the `polling_state` of the published version, so the first cycle of the new version reads the old value. Arithmetic on a string fails, and a request may send a string instead of a number.",
  guards: ["expansion.polling_state", "polling.polling_state", "D33", "D40"],
  message: ({ name, intake, kept, wanted, lacks }) =>
    lacks
      ? `\`\${polling_state.${name}}\` is \`${wanted}\` in this version of \`${intake}\`, but the next cycle starts with the published version's state, which lacks it.`
      : `\`\${polling_state.${name}}\` is \`${wanted}\` in this version of \`${intake}\`, but the next cycle starts with the published version's state, where it is \`${kept}\`.`,
  help: () => "Use a new key for the new value, and set it in `pre_poll` from the old one.",
  examples: [
    {
      title: "D40",
      in: "inbound-polling",
      at: "/data_intake/0",
      published: intake("page", "1", "(${polling_state.page} + 1)", "page"),
      bad: intake("page", '\\"first\\"', '\\"next\\"', "«page»"),
      good: intake("page", "0", "(${polling_state.page} + 1)", "page"),
    },
  ],
});

function intake(key: string, first: string, next: string, read: string): string {
  return `{"type": "polling", "name": "customers", "initial_setup": {"!jq": "{polling_state: {${key}: ${first}}}"}, "request": {"!pipe": [{"!http": {"path": "/customers", "params": {"from": "\${polling_state.${read}}"}}}, {"!jq": "{results: .items, iterate: .more, polling_state: {${key}: ${next}}}"}]}}`;
}

export const pollingStateRules = comparison([missing, type], (versions, report) => {
  for (const pair of versions.intakes.pairs) {
    if (pair.previous.type !== "polling" || pair.current.type !== "polling") continue;
    compareStates(pair, versions, report);
  }
});

function compareStates(
  { previous: old, current: now, name: intake }: Pair<IntakeSymbol>,
  { previous, current }: Versions,
  report: Parameters<typeof pollingStateRules.compare>[1],
): void {
  const kept = flowOf(previous).state(old);
  const wanted = flowOf(current).state(now);
  if (kept.kind !== "object") return;
  const told = new Set<string>();
  for (const { key, at } of new Cycle(now, current).readsOfKept()) {
    if (told.has(key)) continue;
    const member = kept.members.get(key);
    if (member === undefined) {
      if (kept.rest !== undefined) continue;
      told.add(key);
      report(missing, at, { key, intake, before: [...kept.members.keys()] });
      continue;
    }
    const other = wanted.kind === "object" ? wanted.members.get(key) : undefined;
    const found = other === undefined ? undefined : mismatchOf(member.type, other.type);
    if (found === undefined) continue;
    told.add(key);
    const name = [key, ...found.path].join(".").replaceAll(".[]", "[]");
    const { lacks } = found;
    report(type, at, { name, intake, lacks, kept: printType(found.kept), wanted: printType(found.wanted) });
  }
}
