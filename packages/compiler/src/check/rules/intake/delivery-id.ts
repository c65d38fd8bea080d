import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { Location } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { memberWith } from "../value/other-role.ts";
import { registersSeveral } from "./unregistered-event.ts";

/**
 * Why several deliveries have it: they are routed by it, the customer chose it, programs compare it with constants, it is the number of a
 * record of which several events tell, or a time.
 */
type Shared = "route" | "choice" | "kind" | "record" | "time";

const sharedDeliveryId = defineRule<{ text: string; name: string; shared: Shared }>({
  id: "intake/shared-delivery-id",
  severity: "warning",
  summary: "`delivery_id` is the same for many deliveries",
  why: "A delivery whose id was seen before counts as repeated and is dropped. What says whose a delivery is, what the customer chose, or what kind of event it is, is the same in many deliveries: the first one arrives, and no other ever does.",
  guards: ["webhook.delivery_id", "D51"],
  message: ({ text, name, shared }) =>
    shared === "route"
      ? `\`${text}\` is what deliveries are routed by: all of one customer have the same.`
      : shared === "choice"
        ? `\`${text}\` is the \`${name}\` that the customer chose: all deliveries have the same.`
        : shared === "kind"
          ? `\`${text}\` is one of a few constants: all deliveries of a kind have the same.`
          : shared === "record"
            ? `\`${text}\` is the number of a record: all its events have the same.`
            : `\`${text}\` is a time. Two deliveries may share it, and a repeated delivery may have another.`,
  because: ({ text }) => [
    `two deliveries: the same \`${text}\``,
    "the second one counts as repeated, and is dropped",
  ],
  help: () => "Take the number of the delivery or of the event.",
  examples: [
    {
      title: "D51",
      in: "inbound-webhook",
      at: "/data_intake/0/delivery_id",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "form_id": "${custom_data.form.value}"}}',
        "/data_intake/0/update/!http/body":
          '{"url": "${webhook.url}", "form_id": "${custom_data.form.value}"}',
      },
      bad: '{"!jq": "«.body.form_id»"}',
      good: '{"!jq": ".body.event_id"}',
    },
    {
      title: "D51: the record of which an event tells",
      in: "inbound-webhook",
      at: "/data_intake/0/delivery_id",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created", "submission.changed"]}',
      },
      bad: '{"!jq": "«.body.submission.id»"}',
      good: '{"!jq": ".body.event_id"}',
    },
    {
      title: "D51: a time",
      in: "inbound-webhook",
      at: "/data_intake/0/delivery_id",
      bad: '{"!jq": "«.body.sent_at»"}',
      good: '{"!jq": ".body.event_id"}',
    },
    {
      title: "D51: the kind of an event",
      in: "inbound-webhook",
      at: "/data_intake/0/delivery_id",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if .event == \\"submission.created\\" then {email: .email} else null end"}',
      },
      bad: '{"!jq": "«.body.event»"}',
      good: '{"!jq": ".body.event_id"}',
    },
  ],
});

const module: RuleModule = {
  rules: [sharedDeliveryId],
  checks: {
    // Pipelines of other parts read the payload.
    reach: "linked",
    intake(intake, report, model) {
      const own = readBy(intake.commands.get("delivery_id"));
      if (intake.type !== "webhook" || own === undefined || own.path[0] !== "body") return;
      const path = own.path.slice(1).join(".");
      const routes = ["resource_id", "account_id"].map((name) => readBy(intake.commands.get(name)));
      const name = own.path.at(-1) ?? "";
      const route = routes.find((each) => each?.path.join(".") === path);
      const chosen = route === undefined ? chosenAs(name, intake, model) : undefined;
      const kind = (route ?? chosen) === undefined ? comparedIn(own.path.slice(1), intake, model) : undefined;
      const other = route?.at ?? chosen ?? kind;
      const { node, from, to } = own.at;
      if (other === undefined) {
        const isTime = roleOf(name) === "time" || /^(?:at|time|sent|timestamp)$/.test(name);
        const isRecord =
          own.path.length === 3 &&
          isNumbering.test(name) &&
          !ofDelivery.test(own.path[1]!) &&
          registersSeveral(intake, isOfMaking);
        const shared = isTime ? "time" : isRecord ? "record" : undefined;
        if (shared !== undefined)
          report(sharedDeliveryId, own.at, { text: node.value.slice(from, to), name, shared });
        return;
      }
      const shared = route !== undefined ? "route" : chosen !== undefined ? "choice" : "kind";
      report(sharedDeliveryId, own.at, { text: node.value.slice(from, to), name, shared }, [
        {
          message: { route: "routed by", choice: "chosen here", kind: "compared with a constant" }[shared],
          at: other,
        },
      ]);
    },
  },
};
export default module;

/** `booking.created`: a record is made once, so its number is that of one delivery. */
const isOfMaking = (event: string): boolean =>
  /[._/:-](?:created|added|made|new|submitted|opened|received)$/i.test(event);

/** `.event.id`, `.notification.uuid`: what came has a number of its own. */
const ofDelivery =
  /^(?:event|notification|message|delivery|hook|webhook|call|change|activity|entry|log|history|update|meta|envelope|audit)(?:_?(?:entry|log|event|info))?$/i;

/** What numbers a record: the `id` of `.body.booking.id`. */
const isNumbering = /^(?:id|uuid|no|number|key|ref|reference|code)$/i;

/** The path that a command's one program reads. */
function readBy(command: Command | undefined) {
  const { program } = command ?? {};
  const body = program === undefined || program.diagnostics.length > 0 ? undefined : plainBody(program);
  if (program === undefined || body?.kind !== "Postfix" || body.head.kind !== "Identity") return undefined;
  const path = stepsOf(body.suffixes);
  const at = { node: program.node, from: body.start, to: body.end };
  return path === undefined || path.length === 0 ? undefined : { path, at };
}

/** Where `create` sends or saves what the customer chose under a name. */
function chosenAs(name: string, intake: IntakeSymbol, model: Model): Location | undefined {
  for (const expansion of partOfUnit(intake, model).expansions) {
    const { root, syntax, node, command } = expansion;
    if (root !== "custom_data" || syntax.path[2]?.text !== "value") continue;
    if (command?.place.name !== "intake.create") continue;
    const at = { node, from: syntax.start, to: syntax.end };
    if (memberWith(expansion) === name || isNamedByPath(expansion, name)) return at;
    const { program } = command;
    const isHole = (value: Expression | undefined): boolean => {
      const inner = value === undefined ? undefined : bare(value);
      return inner?.kind === "Hole" && program?.holes[inner.hole] === expansion;
    };
    if (program?.holes.includes(expansion) !== true) continue;
    for (const { entries } of nodesOfKind(program, "Object"))
      if (entries.some(({ key, value }) => nameOf(key) === name && isHole(value))) return at;
  }
  return undefined;
}

/** Where a pipeline of the intake compares that member of the payload with a text: what numbers deliveries is no constant. */
function comparedIn(path: readonly string[], intake: IntakeSymbol, model: Model): Location | undefined {
  const written = `.${path.join(".")}`;
  for (const workflow of usersOf(intake))
    for (const program of partOfUnit(workflow, model).programs) {
      if (program.command.place.name !== "data_pipeline.source" || program.diagnostics.length > 0) continue;
      const { node } = program;
      for (const { operator, left, right } of nodesOfKind(program, "Comparison")) {
        const isSame = operator === "==" && node.value.slice(left.start, left.end) === written;
        const constant = isSame ? constantOf(right) : undefined;
        if (typeof constant === "string" && constant !== "") return { node, from: left.start, to: right.end };
      }
    }
  return undefined;
}

/** Whether a path has it below a list that is called as it is: `fleet_id` in `/fleets/ID`. */
function isNamedByPath({ position, node, syntax }: Expansion, name: string): boolean {
  const [, list] = /([\w-]+)\/$/.exec(node.value.slice(0, syntax.start)) ?? [];
  return position === "path" && list !== undefined && name === `${singular(list)}_id`;
}
