import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { readMethods } from "../../../language/commands/http.ts";
import { dialectOf } from "../../../options/settings.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { describedRequests } from "../../../samples/openapi/described.ts";
import type { RuleModule } from "../../checks.ts";

const cycleOverPeriod = defineRule<{
  requests: number;
  kind: Kind;
  quota: number;
  period: number;
  needs: number;
  frequency: number;
}>({
  id: "polling/cycle-over-period",
  severity: "hint",
  summary: "A full cycle takes longer than the time until the next one, at the declared limit",
  why: "A cycle ends after 1,000 results. If each of them takes requests of its own, the limit decides how long that is. A cycle that is still running when the next one is due delays it: a customer with many changes falls behind, and a first import takes days. `configc capacity` reckons both.",
  guards: ["polling.request", "api.rate_limit", "limit.quota", "D33", "D43"],
  message: ({ requests, kind, quota, period, needs, frequency }) =>
    `A cycle of 1,000 records sends up to ${requests.toLocaleString("en")} ${kind} requests. At ${quota} in ${period} s that takes ${minutes(needs)}, but the next cycle is due after ${minutes(frequency)}.`,
  help: () =>
    "Ask for related data in the list itself, poll less often with `schedule.frequency`, or declare the higher limit of the plan that customers have.",
  examples: [
    {
      in: "inbound-polling",
      at: "/api/rate_limit",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.id}"}}, {"!jq": "{email, name, city: .address.city}"}]}',
      },
      bad: '{"user": {"read": «{"requests": 30, "period": 60}»}}',
      good: '{"user": {"read": {"requests": 120, "period": 60}}}',
    },
  ],
});

const undeclaredLimit = defineRule<{ requests: number; source: string }>({
  id: "polling/undeclared-limit",
  severity: "hint",
  summary: "The service limits requests, a cycle sends a thousand, and no limit is declared",
  why: "With `api.rate_limit` requests wait for their turn. Without it they are sent as fast as answers come, and the service refuses some. Each refused one is tried again later, and after a few refusals the record counts as failed.",
  guards: ["polling.request", "api.rate_limit", "limit.quota", "D33"],
  message: ({ requests, source }) =>
    `The service refuses too many requests (${source}), and a cycle of 1,000 records sends up to ${requests.toLocaleString("en")}. No \`rate_limit\` is declared.`,
  help: () =>
    'Declare what the service allows: `"rate_limit": {"user": {"read": {"requests": 100, "period": 60}}}`. Use `app` instead of `user` if all customers share it.',
  examples: [
    {
      in: "inbound-polling",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{«"!http"»: {"path": "/people/${piped_content.0.id}"}}, {"!jq": "{email, name, city: .address.city}"}]}',
      good: '{"!jq": "{email, name, city: .address.city}"}',
      samples: {
        responses: [
          {
            name: "get-person.json",
            method: "GET",
            url: "https://api.example.com/v1/people/7",
            status: 429,
            body: { error: "too many requests" },
          },
        ],
      },
    },
  ],
});

type Kind = "read" | "write";

/** Results after which a cycle ends (D33). */
const RESULTS = 1_000;
/** Seconds between two cycles (D43). */
const PERIOD = 1_800;

const module: RuleModule = {
  rules: [cycleOverPeriod, undeclaredLimit],
  checks: {
    workflow(workflow, report, model) {
      const intake = workflow.intake?.target;
      if (intake?.type !== "polling") return;
      const each = requestsOfItem(workflow, model);
      const limits = model.api?.node.get("rate_limit");
      if (limits === undefined) {
        const sent = each.commands.find((command) => isLimited(command, model) !== undefined);
        const source = sent === undefined ? undefined : isLimited(sent, model);
        if (sent !== undefined && source !== undefined)
          report(undeclaredLimit, sent.member.key, { requests: (each.read + each.write) * RESULTS, source });
        return;
      }
      const frequency = frequencyOf(workflow, intake.node);
      for (const kind of ["read", "write"] as const) {
        const quota = quotaOf(limits, kind);
        if (quota === undefined) continue;
        const requests = each[kind] * RESULTS;
        const needs = (requests / quota.requests) * quota.period;
        if (needs > frequency)
          report(cycleOverPeriod, quota.node, {
            requests,
            kind,
            quota: quota.requests,
            period: quota.period,
            needs,
            frequency,
          });
      }
    },
  },
};
export default module;

interface Sent {
  readonly read: number;
  readonly write: number;
  readonly commands: readonly Command[];
}

const nothing: Sent = { read: 0, write: 0, commands: [] };

/** What a record takes in the pipeline: of a `!switch` the case that sends most, as `configc capacity` counts. */
function requestsOfItem({ node }: WorkflowSymbol, model: Model): Sent {
  const pipeline = node.get("data_pipeline");
  if (pipeline?.kind !== "object") return nothing;
  return ["source", "target"]
    .map((name) => sentBy(flowOf(model).commandAt(pipeline.get(name)), model))
    .reduce(together, nothing);
}

function sentBy(command: Command | undefined, model: Model): Sent {
  if (command === undefined) return nothing;
  const below = command.children.map((child) => sentBy(child, model));
  switch (command.key) {
    case "!pipe":
      return below.reduce(together, nothing);
    case "!switch":
      return below.reduce((most, each) => (totalOf(each) > totalOf(most) ? each : most), nothing);
    case "!http": {
      const { argument } = command;
      const target = textOf(argument, "target") ?? "connection";
      // Requests to others have no part in the limits of the API (D21).
      if (target !== "connection" || target === dialectOf(model.settings).target) return nothing;
      const method = (textOf(argument, "method") ?? "GET").toUpperCase();
      const reads = readMethods.has(method);
      return { read: reads ? 1 : 0, write: reads ? 0 : 1, commands: [command] };
    }
    default:
      return nothing;
  }
}

function together(a: Sent, b: Sent): Sent {
  return { read: a.read + b.read, write: a.write + b.write, commands: [...a.commands, ...b.commands] };
}

function totalOf({ read, write }: Sent): number {
  return read + write;
}

/** Who says that the service refuses too many requests: its OpenAPI document, or an answer that was recorded. */
function isLimited(command: Command, model: Model): string | undefined {
  const responses = describedRequests(model).get(command)?.operation?.node["responses"];
  if (typeof responses === "object" && responses !== null && "429" in responses)
    return "its OpenAPI document names an answer 429";
  return model.samples.responses.some(({ status }) => status === 429)
    ? "a recorded answer has status 429"
    : undefined;
}

/** The quota of a kind of requests, where it stands in the config as numbers. */
function quotaOf(limits: JsonNode, kind: Kind) {
  if (limits.kind !== "object") return undefined;
  for (const scope of ["user", "app"]) {
    const quotas = limits.get(scope);
    const quota = quotas?.kind === "object" ? (quotas.get(kind) ?? quotas) : undefined;
    if (quota?.kind !== "object") continue;
    const requests = numberOf(quota, "requests");
    const period = numberOf(quota, "period");
    if (requests !== undefined && period !== undefined) return { node: quota, requests, period };
  }
  return undefined;
}

function numberOf(node: ObjectNode, name: string): number | undefined {
  const value = node.get(name);
  return value?.kind === "number" && value.value > 0 ? value.value : undefined;
}

function frequencyOf({ node }: WorkflowSymbol, intake: ObjectNode): number {
  const setup = node.get("setup");
  const schedule = setup?.kind === "object" ? setup.get("schedule") : undefined;
  const chosen = schedule?.kind === "object" ? numberOf(schedule, "frequency") : undefined;
  return chosen ?? numberOf(intake, "frequency") ?? PERIOD;
}

function minutes(seconds: number): string {
  const count = Math.max(1, Math.round(seconds / 60));
  return count === 1 ? "a minute" : `${count} minutes`;
}
