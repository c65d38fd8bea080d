import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { unitsAround } from "../../../flow/counted.ts";
import { documentedSample } from "../../../flow/documented-samples.ts";
import { anyTime } from "../../../flow/documented-units.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf, type RequestRead } from "../../../flow/protocol/request-reads.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

type Kind = "seconds" | "milliseconds" | "date";

const documentedBound = defineRule<{ param: string; wanted: Kind; key: string; kind: Kind }>({
  id: "polling/documented-bound",
  severity: "warning",
  summary: "A time is asked for in another form than a comment says",
  why: "A service that counts in milliseconds takes seconds for a day in January 1970 and lists everything in each cycle. The other way round nothing is ever new.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ param, wanted, key, kind }) =>
    `A comment says that \`${param}\` is ${described[wanted]}, but \`polling_state.${key}\` is ${described[kind]}.`,
  because: ({ param, wanted, key, kind }) => [
    `\`${param}\`: ${described[wanted]}`,
    `\`${key}\`: ${described[kind]}`,
  ],
  help: ({ wanted }) => `Keep or send it ${wanted === "date" ? "as a date" : described[wanted]}.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/_comment": '"updated_since is in milliseconds."',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "updated_since": "${polling_state.since}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: {page: 1, since: «(now - 86400 | floor)»}}"}',
      good: '{"!jq": "{polling_state: {page: 1, since: ((now - 86400) * 1000 | floor)}}"}',
    },
  ],
});

const described: Readonly<Record<Kind, string>> = {
  seconds: "in seconds",
  milliseconds: "in milliseconds",
  date: "a date",
};

const module: RuleModule = {
  rules: [documentedBound],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !hasComments(model) || !isReadable(intake, model)) return;
      for (const read of askedBy(intake, model)?.reads ?? []) {
        const param = paramOf(read);
        const wanted = param === undefined ? undefined : documentedKind(param, read, model);
        if (param === undefined || wanted === undefined) continue;
        const written = kindsWritten(intake, model).filter(({ key }) => key === read.key);
        // Where only some are of another kind, they are told as mixed.
        if (written.some(({ kind }) => !isKind(kind) || kind === wanted.kind)) continue;
        const [first] = written;
        if (first === undefined || !isKind(first.kind)) continue;
        const at = { node: first.program.node, from: first.value.start, to: first.value.end };
        const args = { param, wanted: wanted.kind, key: read.key, kind: first.kind };
        report(documentedBound, at, args, [{ message: "the comment", at: wanted.comment }]);
      }
    },
  },
};
export default module;

const isKind = (kind: string): kind is Kind => kind in described;

/** How a parameter is written by what comments show or say of it, or of all times. */
function documentedKind(
  param: string,
  { command }: RequestRead,
  model: Model,
): { readonly kind: Kind; readonly comment: StringNode } | undefined {
  // `updated_from` is a bound of `updated_at`, `after_settled_at` one of `settled_at`.
  const subject = boundName(param)?.subject;
  const names = subject === undefined ? [param] : [param, subject, `${subject}_at`];
  const shown = names.map((name) => documentedSample(name, command.node)).find((each) => each !== undefined);
  if (shown !== undefined) {
    const { value, comment } = shown;
    if (typeof value === "number") return { kind: value > 1e11 ? "milliseconds" : "seconds", comment };
    return /^\d{4}-\d\d-\d\d/.test(value) ? { kind: "date", comment } : undefined;
  }
  const units = unitsAround(command, model);
  const said =
    units?.(param) ??
    (subject === undefined ? undefined : (units?.(subject) ?? units?.(`${subject}_at`) ?? units?.(anyTime)));
  return said !== undefined && isKind(said.unit) ? { kind: said.unit, comment: said.comment } : undefined;
}
