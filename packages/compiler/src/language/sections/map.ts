import type { Member, Section, Value } from "../schema.ts";
import { boolean, commandOr, integer, list, section, text } from "../values.ts";

const id: Value = { kind: "either", of: [text({ nonEmpty: true }), integer()] };
const source = "spec: setup object, map";

const sourceField: Section = {
  name: "source field",
  title: "A fixed value of `source_fields`",
  doc: "A value that the customer can choose instead of a source field.",
  source,
  members: {
    title: {
      value: text({ nonEmpty: true }),
      required: true,
      doc: "Shown text.",
      example: "Always subscribed",
    },
    id: { value: id, required: true, doc: "The value written to the target field.", example: "subscribed" },
  },
};

const mapOption: Section = {
  name: "map option",
  title: "An option of a map step",
  doc: "A field that can be mapped.",
  source,
  members: {
    title: { value: text({ nonEmpty: true }), required: true, doc: "Shown text.", example: "Email" },
    id: { value: id, required: true, doc: "Unique per group.", example: "email" },
    required: {
      value: boolean,
      default: false,
      doc: "Must be mapped; has an effect only in `describe_target`.",
      example: true,
    },
    group: { value: text({ nonEmpty: true }), doc: "Group of a grouped mapping.", example: "Contact" },
    schemaId: {
      value: text({ nonEmpty: true }),
      doc: "Custom object field schema; only for groups of custom objects.",
      example: "ticket",
    },
    source_fields: {
      value: list(section(() => sourceField)),
      doc: "`describe_target` only: fixed values that the customer can choose for this target.",
      example: [{ title: "Subscribed", id: "subscribed" }],
    },
  },
};

const defaultGroup: Member = {
  value: text({ nonEmpty: true, refersTo: "group" }),
  doc: "For moving from a flat to a grouped mapping: the group that saved flat mappings belong to.",
  example: "Contact",
};

const describe = (side: "source" | "target", more: Readonly<Record<string, Member>> = {}): Section => ({
  name: `map ${side}`,
  title: `\`describe_${side}\``,
  doc: `The fields of the ${side} side.`,
  source,
  members: {
    label: { value: text({ nonEmpty: true }), required: true, doc: "Heading of this side.", example: "Acme" },
    options: {
      value: commandOr(`describe_${side}.options`, list(section(() => mapOption))),
      required: true,
      doc: "The fields: a static list, or a command that gives one.",
      example: { "!resource": "PlatformContact.fields" },
    },
    ...more,
  },
});
const describeSource = describe("source");
const describeTarget = describe("target", {
  default_group: {
    ...defaultGroup,
    tier: "ext",
    source: "D45",
    doc: "As in `map`, which counts if both have one.",
  },
});

export const map: Section = {
  name: "map step",
  title: "`map`",
  doc: "The customer maps source fields to target fields.",
  source,
  declares: "map",
  members: {
    label: {
      value: text({ nonEmpty: true }),
      required: true,
      doc: "Name of the step.",
      example: "Map fields",
    },
    describe_source: {
      value: section(() => describeSource),
      required: true,
      doc: "The source side.",
      example: { label: "Acme", options: [] },
    },
    describe_target: {
      value: section(() => describeTarget),
      required: true,
      doc: "The target side.",
      example: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
    },
    default_group: defaultGroup,
  },
};
