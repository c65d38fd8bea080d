import { defineRule } from "../../../findings/rule.ts";
import type { RootName } from "../../../language/expansion-names.ts";
import { roots } from "../../../language/index.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { Repeated } from "./repeated.ts";
import { obstructedUses, type RootUse, written } from "./uses.ts";

type OutOfScope = {
  /** As it is written. */
  text: string;
  root: RootName;
  /** Where this is, in words. */
  place: string;
  reason: "place" | "shared-registration" | "no-subdomain";
  /** Of a webhook that several installations share. */
  scope: string | undefined;
  auth: string | undefined;
};

const outOfScope = defineRule<OutOfScope>({
  id: "expansion/out-of-scope",
  severity: "error",
  summary: "An expansion reads a value that isn't available here",
  why: "A command sees only what exists when it runs: a polling intake has no webhook URL, and the customer hasn't chosen anything yet when `describe_connection` runs. A webhook of scope `connection` or `application` is registered once for many installations, so it can't know what was chosen in one of them.",
  guards: [
    "D11",
    "D16",
    "D31",
    "expansion.webhook",
    "expansion.data",
    "expansion.custom_data",
    "expansion.polling_state",
    "expansion.piped_content",
  ],
  message: ({ text, root, place, reason, scope, auth }) => {
    switch (reason) {
      case "shared-registration":
        return `\`${text}\` isn't available in ${place} of scope \`${scope}\`: it runs once for ${
          scope === "application" ? "all customers" : "all workflows of an account"
        }, and this value belongs to one installation of a workflow.`;
      case "no-subdomain":
        return `\`${text}\` has no value: ${
          auth === undefined ? "no auth entry" : `the auth entry \`${auth}\``
        } ${auth === undefined ? "asks" : "doesn't ask"} the customer for a subdomain.`;
      default:
        return `\`${text}\` isn't available in ${place}. It is available in ${roots[root].legalIn}.`;
    }
  },
  help: ({ root, reason, place }) => {
    if (reason === "no-subdomain")
      return 'Add `"defined_fields": {"subdomain": {"label": "Subdomain"}}` to the auth entry.';
    if (reason === "shared-registration") {
      return root === "data"
        ? "Save it in the intake's scope and read it from there."
        : "Give the intake the scope `workflow`, or remove the form field.";
    }
    if (root === "custom_data" && place.includes("describe_connection"))
      return "The customer fills in the form after connecting.";
    if (root === "piped_content") return "Put the command into a `!pipe`.";
    return undefined;
  },
  examples: [
    {
      title: "D11: `webhook.url` outside of a webhook intake",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/note",
      bad: '"${«webhook.url»}"',
      good: '"${custom_data.note.value | default}"',
    },
    {
      title: "D11: `polling_state` in a webhook intake",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/body/url",
      bad: '"${«polling_state.page»}"',
      good: '"${webhook.url}"',
    },
    {
      title: "D11: `webhook.url` in a polling intake",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params/page",
      bad: '"${«webhook.url»}"',
      good: '"${polling_state.page}"',
    },
    {
      title: "D11: `custom_data` before any field is filled in",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path",
      bad: '"/forms/${«custom_data.form.value»}"',
      good: '"/me"',
    },
    {
      title: "D11: `piped_content` outside of a pipe",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«piped_content.0.id»}"',
      good: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D11: anything but `subdomain` in a URL of `api`",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"https://api.example.com/${«data.connection.version»}"',
      good: '"https://api.example.com"',
    },
    {
      title: "D11: `subdomain` that nothing asks for",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http",
      bad: '{"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}", "headers": {"x-shop": "${«subdomain»}"}}',
      good: '{"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}',
    },
    {
      title: "D11: `subdomain` in a URL of `api` that no auth entry asks for",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"https://${«subdomain»}.example.com"',
      good: '"https://api.example.com"',
    },
    {
      title: "D11: `subdomain` in `base_url`, and a workflow whose auth entry doesn't ask for it",
      in: "inbound-webhook",
      with: {
        "/auth":
          '{"acme": {"type": "token", "header_key": "x-key", "verify_url": "https://acme.example.com/me", "defined_fields": {"token": {"label": "Key"}}}, "shops": {"type": "token", "header_key": "x-key", "verify_url": "https://acme.example.com/me", "defined_fields": {"token": {"label": "Key"}, "subdomain": {"label": "Shop"}}}}',
      },
      at: "/api/base_url",
      bad: '"https://${«subdomain»}.example.com"',
      good: '"https://acme.example.com"',
    },
    {
      title: "D31: `custom_data` in a webhook of an account",
      in: "inbound-webhook",
      at: "/data_intake/0",
      bad: '{"type": "webhook", "name": "submission.created", "scope": "connection", "resource_id": {"!jq": ".form_id"}, "create": {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "form": "${«custom_data.form.value»}"}}}, "delete": {"!http": {"method": "DELETE", "path": "/hooks"}}}',
      good: '{"type": "webhook", "name": "submission.created", "scope": "connection", "resource_id": {"!jq": ".form_id"}, "create": {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, "delete": {"!http": {"method": "DELETE", "path": "/hooks"}}}',
    },
    {
      title: "D31: `data.workflow` in a webhook of an account",
      in: "inbound-webhook",
      at: "/data_intake/0",
      bad: '{"type": "webhook", "name": "submission.created", "scope": "connection", "resource_id": {"!jq": ".form_id"}, "create": {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "connection"}}]}, "delete": {"!http": {"method": "DELETE", "path": "/hooks/${«data.workflow».hook_id}"}}}',
      good: '{"type": "webhook", "name": "submission.created", "scope": "connection", "resource_id": {"!jq": ".form_id"}, "create": {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "connection"}}]}, "delete": {"!http": {"method": "DELETE", "path": "/hooks/${data.connection.hook_id}"}}}',
      also: ["reference/unknown-saved-key"],
    },
    {
      title: "D16: in a jq program that reads the roots",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{"!pipe": [{"!jq": "{since: .«polling_state».since}"}, {"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"since": "${piped_content.1.since}"}}}]}',
      good: '{"!pipe": [{"!jq": "{since: .webhook.url}"}, {"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"since": "${piped_content.1.since}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [outOfScope],
  checks: {
    document(model, report) {
      // Where an intake or workflow can't have a root, all uses there are one mistake; a missing subdomain is one of the auth
      // entry, however many URLs want it.
      const repeated = new Repeated<OutOfScope>();
      for (const use of obstructedUses(model)) {
        const { obstacle, root } = use;
        if (obstacle === undefined || (use.expansion === undefined && use.tentative())) continue;
        const args: OutOfScope = {
          text: written(use),
          root,
          place: placeOf(use),
          reason: obstacle.reason,
          scope: obstacle.reason === "shared-registration" ? obstacle.scope : undefined,
          auth: obstacle.reason === "no-subdomain" ? obstacle.auth : undefined,
        };
        const scope = obstacle.reason === "shared-registration" && root === "data" ? use.names[0]?.text : "";
        const key =
          obstacle.reason === "no-subdomain"
            ? `${obstacle.auth}`
            : JSON.stringify([obstacle.reason, startOf(use), root, scope, args.place]);
        repeated.add(key, locate(use), () => args);
      }
      repeated.report(report, outOfScope);
    },
  },
};
export default module;

/** Tells one unit from another. */
function startOf({ unit }: RootUse): number {
  return unit?.node?.start ?? -1;
}

/** The path of an expansion; in jq the root, and for `data` the scope that is the mistake. */
function locate({ expansion, root, rootAt, names, obstacle }: RootUse): StringPart {
  const last = root === "data" && obstacle?.reason === "shared-registration" ? names[0] : names.at(-1);
  return expansion === undefined || last === undefined ? rootAt : { ...rootAt, to: last.to };
}

/** Where a use is, as it reads in a message. */
function placeOf({ command, unit, rootAt, obstacle }: RootUse): string {
  if (obstacle?.reason === "shared-registration") return "a webhook intake";
  if (command !== undefined) return command.place.title;
  const member = rootAt.node.parent?.kind === "member" ? `\`${rootAt.node.parent.name}\`` : "a URL";
  return unit?.kind === "auth" ? `${member} of an auth entry` : `${member} of \`api\``;
}
