import { groupBy, nearest } from "@configc/jq/internal";
import type { WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derived, derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, capitalized, didYouMean } from "../../message-text.ts";
import { renameFix } from "./edits.ts";
import { otherIntake, secondWorkflow, severalInbound } from "./example-workflow.ts";
import { Repeated } from "./repeated.ts";
import { expansionsFirst, type FieldMeaning, legalUsesIn } from "./uses.ts";

type UnknownField = {
  id: string;
  /** The workflows whose fields can be read. */
  workflows: readonly string[];
  /** The ids that each of them has. */
  known: readonly string[];
  suggestion: string | undefined;
  /** Other workflows that have a field with this id. */
  elsewhere: readonly string[];
};

const unknownField = defineRule<UnknownField>({
  id: "expansion/unknown-field",
  severity: "error",
  summary: "The form field doesn't exist",
  why: "`${custom_data.ID.value}` reads what the customer chose in the form field with that id, in the current workflow. Without such a field the command fails for every customer.",
  guards: ["D12", "D16", "expansion.custom_data", "D5"],
  message: ({ id, workflows, known, suggestion, elsewhere }) => {
    if (suggestion === undefined && elsewhere.length > 0)
      return `\`${id}\` is a form field of ${workflowNames(elsewhere)}, not of ${workflowNames(workflows)}. A workflow can only read its own fields.`;
    if (known.length === 0 && workflows.length === 1)
      return `There is no form field \`${id}\`. ${capitalized(workflowNames(workflows))} ${workflows.length > 1 ? "have" : "has"} no form fields.`;
    return `${capitalized(workflowNames(workflows))} ${workflows.length > 1 ? "have" : "has"} no form field \`${id}\`.${didYouMean(suggestion)}`;
  },
  help: ({ known, suggestion }) => {
    if (suggestion !== undefined) return undefined;
    return known.length === 0
      ? "Add a field with this id to `setup.select.form_fields`."
      : `Form fields: ${allNames(known)}.`;
  },
  examples: [
    {
      title: "D12: misspelled",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/lists/${custom_data.«lists».value}/subscribers"',
      good: '"/lists/${custom_data.list.value}/subscribers"',
      fixed: '"/lists/${custom_data.list.value}/subscribers"',
    },
    {
      title: "D12: used several times, one finding",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body/fields",
      bad: '{"a": "${custom_data.«lits».value}", "b": "${custom_data.lits.display}"}',
      good: '{"a": "${custom_data.list.value}", "b": "${custom_data.list.display}"}',
      fixed: '{"a": "${custom_data.list.value}", "b": "${custom_data.list.display}"}',
    },
    {
      title: "D12: a field of another workflow",
      in: "inbound-webhook",
      settings: severalInbound,
      with: { "/data_intake/1": otherIntake, "/workflows/1": secondWorkflow("folder", "other.created") },
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!http": {"method": "POST", "path": "/folders/${custom_data.«folder».value}"}}',
      good: '{"!http": {"method": "POST", "path": "/folders/${custom_data.form.value}"}}',
    },
    {
      title: "D12: in an intake, of the workflow that uses it",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/path",
      bad: '"/shops/${custom_data.«shop».value}/customers"',
      good: '"/shops/${custom_data.list.value}/customers"',
    },
    {
      title: "D16: in a jq program that reads the roots",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/resource_id/!jq",
      bad: '".custom_data.«from».value"',
      good: '".custom_data.form.value"',
      fixed: '".custom_data.form.value"',
    },
  ],
  fixes: (finding, { document }) => renameFix(finding, document, finding.args.suggestion),
});

type NotShared = { id: string; intake: string; lacking: readonly string[] };

const fieldNotShared = defineRule<NotShared>({
  id: "expansion/field-not-shared",
  severity: "error",
  summary: "An intake reads a form field that some of its workflows don't have",
  why: "An intake runs for each workflow that uses it. A workflow without this field has no value to read, so its customers get nothing.",
  guards: ["D12", "expansion.custom_data"],
  message: ({ id, intake, lacking }) =>
    `The intake \`${intake}\` also runs for ${workflowNames(lacking)}, which ${lacking.length > 1 ? "have" : "has"} no form field \`${id}\`.`,
  because: ({ id, lacking }) => [
    `a customer sets up ${workflowNames(lacking)}`,
    `there is no \`${id}\` to fill in: the intake fails`,
  ],
  help: ({ id }) => `Add a field \`${id}\` there, or give that workflow its own intake.`,
  examples: [
    {
      title: "D12: two workflows, only one of them with the field",
      in: "inbound-webhook",
      settings: severalInbound,
      with: { "/workflows/1": secondWorkflow("folder", "submission.created") },
      at: "/data_intake/0/create/!pipe/0/!http/path",
      bad: '"/forms/${custom_data.«form».value}/hooks"',
      good: '"/hooks"',
    },
  ],
});

const module: RuleModule = {
  rules: [unknownField, fieldNotShared],
  checks: {
    document(model, report) {
      const unknown = new Repeated<UnknownField>();
      const notShared = new Repeated<NotShared>();
      for (const use of expansionsFirst(inexactUses(model))) {
        const { names, unit, expansion, meanings } = use;
        const [id] = names;
        if (id === undefined) continue;
        const lacking = meanings.filter(({ exact, workflow }) => !exact && isFormKnown(workflow, model));
        if (lacking.length === 0) continue;
        const where = meanings.map(({ workflow }) => workflow.index).join();
        const key = `${where} ${id.text}`;
        if (lacking.length === meanings.length) {
          const suggestion = meanings.find(({ field }) => field !== undefined)?.field?.id;
          // A guarded read in jq may try fields that a workflow doesn't have; a near miss is still a misspelling.
          if (suggestion === undefined && use.tentative()) continue;
          // Of a form that isn't there at all, every use says the same.
          const formless = meanings.every(({ workflow }) => workflow.fields.length === 0);
          const mistake = formless && !fieldsById(model).has(id.text) ? where : key;
          unknown.add(mistake, id, () => unknownArgs(id.text, meanings, suggestion, model));
        } else if (expansion !== undefined && lacking.length + exactCount(meanings) === meanings.length) {
          const intake = unit?.kind === "intake" ? (unit.name ?? "") : "";
          const args = { id: id.text, intake, lacking: lacking.map(({ workflow }) => nameOf(workflow)) };
          notShared.add(key, id, () => args);
        }
      }
      unknown.report(report, unknownField);
      notShared.report(report, fieldNotShared);
    },
  },
};
export default module;

/** Uses of an id that a workflow has no field for. */
const inexactUses = derivedByPart(
  (part, model) =>
    legalUsesIn(part, model, "custom_data").filter(({ meanings }) => meanings.some(({ exact }) => !exact)),
  "linked",
);

function unknownArgs(
  id: string,
  meanings: readonly FieldMeaning[],
  suggestion: string | undefined,
  model: Model,
): UnknownField {
  const [first, ...others] = meanings.map(({ workflow }) =>
    workflow.fields.flatMap((field) => field.id ?? []),
  );
  const known = (first ?? []).filter((name) => others.every((ids) => ids.includes(name)));
  const elsewhere = [
    ...new Set(
      fieldsById(model)
        .get(id)
        ?.map(({ workflow }) => nameOf(workflow)),
    ),
  ];
  return { id, workflows: meanings.map(({ workflow }) => nameOf(workflow)), known, suggestion, elsewhere };
}

const fieldsById = derived(({ workflows }) =>
  groupBy(
    workflows.flatMap(({ fields }) => fields.filter(({ id }) => id !== undefined)),
    ({ id }) => id,
  ),
);

/**
 * Whether all fields of a workflow are known: its form is whole, or it certainly has none. A missing `select` or a field
 * without an id is reported by itself; that names aren't found then is its consequence.
 */
const isFormKnown = derivedOf(formIsWhole);

function formIsWhole({ node, fields, direction }: WorkflowSymbol): boolean {
  const setup = node.get("setup");
  if (setup?.kind !== "object") return false;
  const select = setup.member("select");
  if (select === undefined) {
    const misspelled = setup.members.some(({ name }) => nearest(name, ["select"]) !== undefined);
    return direction === "outbound" && !misspelled && !hasStrayForm(node, setup);
  }
  if (select.value?.kind !== "object") return false;
  const form = select.value.get("form_fields");
  return (
    form?.kind === "array" &&
    objectItems(form).length === form.items.length &&
    fields.length === form.items.length &&
    fields.every(({ id }) => id !== undefined)
  );
}

/** Whether the form stands a level too high or too low: then that is the mistake, and its fields are not unknown. */
function hasStrayForm(workflow: ObjectNode, setup: ObjectNode): boolean {
  const inner = setup.members.flatMap(({ value }) => (value?.kind === "object" ? value : []));
  return [workflow, setup, ...inner].some(
    (object) => object.member("select") !== undefined || object.member("form_fields") !== undefined,
  );
}

function exactCount(meanings: readonly FieldMeaning[]): number {
  return meanings.filter(({ exact }) => exact).length;
}

function nameOf({ name, index }: WorkflowSymbol): string {
  return name ?? `number ${index + 1}`;
}

function workflowNames(names: readonly string[]): string {
  const quoted = names.slice(0, 3).map((name) => `\`${name}\``);
  if (names.length > 3) quoted.push(`${names.length - 3} more`);
  const list = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}` : quoted.join("");
  return names.length > 1 ? `the workflows ${list}` : `the workflow ${list}`;
}
