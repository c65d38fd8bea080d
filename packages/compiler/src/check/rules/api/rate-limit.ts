import { defineRule } from "../../../findings/rule.ts";
import { type Document, spanOf } from "../../../parse/document.ts";
import type { MemberNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { hasMember, memberAt } from "../http/at.ts";

const rateLimitFlat = defineRule<{ scope: string }>({
  id: "api/rate-limit-flat",
  severity: "hint",
  core: "error",
  summary: "A rate limit without `read` and `write`",
  why: "The specification has one quota for reading (GET, HEAD, OPTIONS) and one for writing. Older configs put `requests` and `period` directly below the scope, and we use that number for each of the two. A strict platform finds no quota there, and customers run into the limit of the service.",
  guards: [
    "api.rate_limit",
    "rate_limit.requests",
    "rate_limit.period",
    "rate_limit.read",
    "rate_limit.write",
    "limit.rate_limit",
    "limit.quota",
    "D21",
    "D41",
  ],
  message: ({ scope }) =>
    `\`requests\` and \`period\` belong in \`read\` and \`write\`, not directly below \`${scope}\`. Here they count for both.`,
  examples: [
    {
      in: "outbound",
      at: "/api",
      bad: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {«"requests"»: 100, "period": 60}}}',
      good: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": 60}}}}',
      fixed:
        '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": 60}, "write": {"requests": 100, "period": 60}}}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const scope = memberAt(document, at)?.parent;
    const requests = scope?.member("requests");
    const period = scope?.member("period");
    const mixed = scope?.member("read") !== undefined || scope?.member("write") !== undefined;
    if (requests?.value === undefined || period?.value === undefined || mixed) return [];
    const quota = `{"requests": ${text(document, requests)}, "period": ${text(document, period)}}`;
    // Each takes the place of one of the old members, so commas and lines stay as they are.
    const [first, second] = requests.start < period.start ? [requests, period] : [period, requests];
    const edits = [
      { start: first.start, end: first.end, newText: `"read": ${quota}` },
      { start: second.start, end: second.end, newText: `"write": ${quota}` },
    ];
    return [{ title: "Split into `read` and `write`", safe: true, edits }];
  },
});

const incompleteQuota = defineRule<{ scope: string; missing: string; found: string }>({
  id: "api/incomplete-quota",
  severity: "error",
  summary: "A rate limit has only one of `requests` and `period`",
  why: "A quota is a number of requests in a number of seconds. With only one of the two there is no limit.",
  guards: ["api.rate_limit", "rate_limit.requests", "rate_limit.period", "limit.quota", "D41"],
  message: ({ scope, missing, found }) =>
    `\`${found}\` directly below \`${scope}\` needs \`${missing}\` beside it.`,
  help: () => "Better: write `read` and `write`, each as `{requests, period}` with the period in seconds.",
  examples: [
    {
      in: "outbound",
      at: "/api",
      bad: '{"base_url": "https://api.example.com/v1", "rate_limit": {«"user"»: {"requests": 100}}}',
      good: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": 1}}}}',
    },
  ],
});

const periodUnit = defineRule<{ period: number }>({
  id: "api/period-unit",
  severity: "warning",
  summary: "The period of a rate limit looks like milliseconds",
  why: "`period` counts seconds. A minute written as 60000 is more than sixteen hours: once a customer's quota is used up, nothing is sent for the rest of the day.",
  guards: ["rate_limit.period", "limit.quota"],
  message: ({ period }) =>
    `\`period\` is in seconds. ${period} looks like milliseconds; as seconds it is ${lengthOf(period)}.`,
  because: ({ period }) => [
    `the quota is for ${lengthOf(period)}`,
    "once it is used up, every request waits that long",
  ],
  help: ({ period }) => `Write ${period / 1000}.`,
  examples: [
    {
      in: "outbound",
      at: "/api",
      bad: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": «60000»}}}}',
      good: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": 60}}}}',
      fixed:
        '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": 60}}}}',
    },
  ],
  fixes: ({ at, args: { period } }, { document }) => [
    {
      title: `Change to ${period / 1000}`,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: `${period / 1000}` }],
    },
  ],
});

const highRate = defineRule<{ requests: number; period: number; rate: number }>({
  id: "api/high-rate",
  severity: "warning",
  summary: "A rate limit that no service gives",
  why: "A quota of thousands of requests in a second holds nothing back. Mostly a number was written in thousandths, or the period of a minute in seconds is meant for an hour: customers run into the limit of the service, and their records fail.",
  guards: ["rate_limit.requests", "rate_limit.period", "limit.quota"],
  message: ({ requests, period, rate }) =>
    `${requests} requests in ${period} s are ${rate} a second, more than services allow one app.`,
  because: ({ requests, period, rate }) => [`${requests} / ${period} s: ${rate} requests a second`],
  help: () => "Look up how many requests are allowed; `period` counts seconds.",
  examples: [
    {
      in: "outbound",
      at: "/api",
      bad: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": «100000», "period": 60}}}}',
      good: '{"base_url": "https://api.example.com/v1", "rate_limit": {"user": {"read": {"requests": 100, "period": 60}}}}',
    },
  ],
});

/** More requests in a second aren't given to one customer, and to an app of all customers. */
const most: Readonly<Record<string, number>> = { user: 500, app: 1_000 };

/** A second, ten, a minute, five, ten, a quarter of an hour, half an hour, an hour, a day: in milliseconds. */
const inMilliseconds: ReadonlySet<number> = new Set([
  1_000, 10_000, 60_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 86_400_000,
]);

function lengthOf(seconds: number): string {
  const hours = seconds / 3600;
  if (hours < 1) return `${Math.round(seconds / 60)} minutes`;
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
}

const module: RuleModule = {
  rules: [rateLimitFlat, incompleteQuota, periodUnit, highRate],
  checks: {
    api({ node }, report) {
      const limits = node.get("rate_limit");
      if (limits?.kind !== "object") return;
      for (const scope of ["user", "app"]) {
        const quotas = limits.get(scope);
        if (quotas?.kind !== "object") continue;
        for (const quota of [quotas, quotas.get("read"), quotas.get("write")]) {
          const given = quota?.kind === "object" ? quota.get("period") : undefined;
          if (given?.kind === "number" && inMilliseconds.has(given.value))
            report(periodUnit, given, { period: given.value });
          const requests = quota?.kind === "object" ? quota.get("requests") : undefined;
          if (given?.kind !== "number" || requests?.kind !== "number" || given.value <= 0) continue;
          const rate = Math.round(requests.value / given.value);
          if (rate >= most[scope]!)
            report(highRate, requests, { requests: requests.value, period: given.value, rate });
        }
        const requests = quotas.member("requests");
        const period = quotas.member("period");
        if (requests !== undefined && period !== undefined) report(rateLimitFlat, requests.key, { scope });
        else if (requests !== undefined && !hasMember(quotas, "period"))
          report(incompleteQuota, ownerOf(quotas), { scope, missing: "period", found: "requests" });
        // A lonely period lacks everything, which is said by `structure/member-group`.
        else if (
          period !== undefined &&
          !hasMember(quotas, "requests") &&
          (quotas.member("read") ?? quotas.member("write")) !== undefined
        )
          report(incompleteQuota, ownerOf(quotas), { scope, missing: "requests", found: "period" });
      }
    },
  },
};
export default module;

function text(document: Document, { value }: MemberNode): string {
  return document.text.slice(value!.start, value!.end);
}
