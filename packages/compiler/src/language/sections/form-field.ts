import type { Section } from "../schema.ts";
import { boolean, commandOr, list, oneOf, scalar, section, text } from "../values.ts";

const fieldOption: Section = {
  name: "field option",
  title: "An option of a form field",
  doc: "A value that the customer can choose.",
  source: "spec: setup object, select",
  members: {
    display: { value: scalar, required: true, doc: "Shown text.", example: "Newsletter" },
    value: { value: scalar, required: true, doc: "The value that is saved.", example: "newsletter" },
  },
};

export const formField: Section = {
  name: "form field",
  title: "A form field",
  doc: "Something that the customer fills in; read as `${custom_data.ID.value}`.",
  source: "spec: setup object, select",
  declares: "field",
  members: {
    label: { value: text({ nonEmpty: true }), required: true, doc: "Shown label.", example: "Form" },
    id: {
      value: text({ nonEmpty: true, format: "name" }),
      required: true,
      doc: "Unique within the workflow. Recommended: the label in lower case with dashes.",
      example: "form",
    },
    required: { value: boolean, default: true, doc: "Whether the customer must fill it in.", example: false },
    type: {
      value: oneOf("text", "textarea", "dropdown", "multiselect"),
      required: true,
      doc: "`text` for short strings, `textarea` for long ones, `dropdown` and `multiselect` to choose.",
      example: "dropdown",
    },
    placeholder: { value: text(), doc: "Shown before a value is entered.", example: "Choose a form" },
    search_term: {
      value: text({ nonEmpty: true }),
      doc: "Query parameter that carries what the customer types into the field's `!http`.",
      example: "q",
    },
    personalize: {
      value: { kind: "either", of: [text({ format: "resource" }), boolean] },
      where: { sibling: "type", is: ["textarea"] },
      doc: '`textarea` only. `"PlatformContact"` lets the customer insert contact fields as `%FIELD%`; `false` turns that off.',
      example: "PlatformContact",
    },
    options: {
      value: commandOr("field.options", list(section(() => fieldOption)), "ext"),
      // D41 tolerates `text` without options with a rule of its own, since only that type is excused.
      required: { sibling: "type", is: ["dropdown", "multiselect"] },
      doc: "Gives the choices, a list of `{display, value}`.",
      example: {
        "!pipe": [{ "!http": { path: "/forms" } }, { "!jq": "[.items[] | {display: .title, value: .id}]" }],
      },
    },
    help_text: {
      value: text({ format: "markdown" }),
      doc: "Guidance under the field.",
      example: "Only published forms are listed.",
    },
  },
};
