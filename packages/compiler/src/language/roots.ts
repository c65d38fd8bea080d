import type { RootName } from "./expansion-names.ts";
import type { Tier } from "./schema.ts";

/** The roots that an expansion can have (D11). Where each is legal stands in `places.ts`. */
export interface RootSpec {
  readonly name: RootName;
  readonly tier: Tier;
  /** How it is written in full. */
  readonly form: string;
  readonly doc: string;
  /** Where it is legal, for people. */
  readonly legalIn: string;
  readonly type: string;
  readonly example: string;
}

export const roots: Readonly<Record<RootName, RootSpec>> = {
  webhook: {
    name: "webhook",
    tier: "core",
    form: "webhook.url",
    doc: "The URL that the platform created to receive inbound data.",
    legalIn: "`create`, `update`, `delete` and `verification` of a webhook intake",
    type: "string",
    example: "${webhook.url}",
  },
  data: {
    name: "data",
    tier: "core",
    form: "data.<scope>.<key>",
    doc: "A value that a `!save` of that scope stored.",
    legalIn: "all commands",
    type: "what the scope's `!save` commands store",
    example: "${data.workflow.hook_id}",
  },
  custom_data: {
    name: "custom_data",
    tier: "core",
    form: "custom_data.<field id>.value or .display",
    doc: "What the customer chose in a form field of the workflow.",
    legalIn:
      "the setup steps after the field (options of a later field, describe_selection, map), `data_pipeline`, and intakes of scope `workflow` or of type polling that the workflow uses",
    type: "from the field",
    example: "${custom_data.form.value | default}",
  },
  polling_state: {
    name: "polling_state",
    tier: "core",
    form: "polling_state or polling_state.<key>",
    doc: "The state that a polling intake keeps between requests and cycles; `{}` before anything was saved.",
    legalIn: "commands of a polling intake",
    type: "what the lifecycle commands return as `polling_state`",
    example: "${polling_state.page}",
  },
  piped_content: {
    name: "piped_content",
    tier: "core",
    form: "piped_content.<n> and paths below it",
    doc: "The initial input of the pipe (0), or the output of its step n.",
    legalIn: "steps of a `!pipe`; index 0 also in any command of a `data_pipeline`",
    type: "the input of the pipe or the output of the step",
    example: "${piped_content.1.id}",
  },
  subdomain: {
    name: "subdomain",
    tier: "ext",
    form: "subdomain",
    doc: "The subdomain that the customer typed when connecting.",
    legalIn:
      "everywhere once the workflow's auth has `defined_fields.subdomain`, also in the URLs of `api` and `auth`",
    type: "string",
    example: "https://${subdomain}.example.com",
  },
};
