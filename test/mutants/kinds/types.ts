import type { Config } from "../config.ts";
import { type Kind, replacing } from "../kind.ts";

type TypeName = "text" | "flag" | "count" | "object" | "texts" | "list" | "command";

const step = "workflows.*.setup";
const field = `${step}.select.form_fields.*`;
const option = `${step}.map.describe_target.options.*`;

/** Types of members as the specification gives them. */
const types: Readonly<Record<TypeName, readonly string[]>> = {
  text: [
    "$version",
    "auth.*.type",
    "auth.*.configuration.client_id",
    "auth.*.configuration.client_secret",
    "auth.*.configuration.token_url",
    "auth.*.configuration.authorization_base_url",
    "auth.*.configuration.refresh_url",
    "auth.*.configuration.verify_url",
    "auth.*.configuration.header_key",
    "auth.*.defined_fields.*.label",
    "api.base_url",
    "api.pagination.style.type",
    "api.pagination.style.limit.param",
    "api.pagination.style.page_number.param",
    "data_intake.*.type",
    "data_intake.*.name",
    "data_intake.*.scope",
    "data_intake.*.import_option",
    "workflows.*.name",
    "workflows.*.label",
    "workflows.*.description",
    "workflows.*.type",
    "workflows.*.resource_type",
    "workflows.*.auth",
    "workflows.*.data_intake",
    "workflows.*.historical_data_intake",
    `${step}.connect.label`,
    `${step}.connect.help_text`,
    `${step}.select.label`,
    `${step}.map.label`,
    `${step}.map.default_group`,
    `${step}.map.describe_source.label`,
    `${step}.schedule.label`,
    `${step}.schedule.description`,
    `${step}.schedule.import_options.*.type`,
    `${step}.review_events.header`,
    `${step}.review_objects.description`,
    `${field}.label`,
    `${field}.id`,
    `${field}.type`,
    `${field}.placeholder`,
    `${field}.help_text`,
    `${field}.search_term`,
    `${option}.title`,
    `${option}.group`,
    `${option}.schemaId`,
  ],
  flag: [`${field}.required`, `${option}.required`, "auth.*.configuration.include_client_id"],
  count: [
    `${step}.schedule.frequency`,
    "data_intake.*.frequency",
    "api.rate_limit.*.read.requests",
    "api.rate_limit.*.write.period",
  ],
  object: [
    "auth",
    "auth.*",
    "auth.*.configuration",
    "auth.*.defined_fields",
    "api",
    "api.rate_limit",
    "api.pagination",
    "api.pagination.style",
    "api.pagination.parser",
    "data_intake.*",
    "workflows.*",
    "workflows.*.setup",
    "workflows.*.data_pipeline",
    "workflows.*.resource_labels",
    `${step}.connect`,
    `${step}.select`,
    `${step}.map`,
    `${step}.schedule`,
    `${step}.select.describe_selection`,
    `${step}.map.describe_source`,
    `${step}.map.describe_target`,
    field,
    option,
  ],
  texts: ["auth.*.configuration.scopes", "workflows.*.resource_labels.*"],
  list: [
    "data_intake",
    "workflows",
    "objects",
    `${step}.select.form_fields`,
    `${step}.schedule.import_options`,
    `${option}.source_fields`,
  ],
  command: [
    `${step}.connect.describe_connection`,
    "workflows.*.data_pipeline.source",
    "workflows.*.data_pipeline.target",
    "data_intake.*.create",
    "data_intake.*.update",
    "data_intake.*.delete",
    "data_intake.*.initial_setup",
    "data_intake.*.pre_poll",
    "data_intake.*.request",
    "data_intake.*.post_poll",
    `${step}.select.describe_selection.resource_id`,
    `${step}.select.describe_selection.display`,
    "api.pagination.parser.*",
  ],
};

const samples = {
  text: '"text"',
  number: "7",
  negative: "-7",
  fraction: "1800.5",
  flag: "true",
  flagText: '"true"',
  null: "null",
  object: '{ "a": 1 }',
  list: "[]",
  textList: '["a"]',
  numberList: "[1]",
} as const;

/** What people write instead, by type. */
const instead: Readonly<Record<TypeName, readonly (keyof typeof samples)[]>> = {
  text: ["number", "flag", "null", "object", "textList"],
  flag: ["flagText", "number", "null", "textList"],
  count: ["text", "negative", "fraction", "null", "flag"],
  object: ["text", "list", "null", "number"],
  texts: ["text", "object", "numberList", "null"],
  list: ["object", "text", "null"],
  command: ["text", "number", "list", "null"],
};

function wrong(type: TypeName, given: keyof typeof samples): Kind {
  return replacing(
    `type/${given}-for-${type}`,
    "error",
    `A wrong value (${samples[given]}).`,
    function* (config) {
      for (const node of sites(config, type)) {
        // Where there is one workflow, an empty value would also take away everything that refers to it; that is one mistake.
        yield [node, samples[given]];
      }
    },
  );
}

function* sites(config: Config, type: TypeName) {
  for (const path of types[type]) {
    for (const node of config.select(path)) {
      if (node.parent?.kind === "member" && /^(?:_comment|extra)$/.test(node.parent.name)) continue;
      // Options may be a command: its `!pipe` isn't an option.
      if (path === option && node.kind !== "object") continue;
      yield node;
    }
  }
}

const given = (Object.keys(instead) as TypeName[]).flatMap((type) =>
  instead[type].map((sample) => wrong(type, sample)),
);

export const typeKinds: readonly Kind[] = [
  ...given,
  replacing(
    "type/quoted-count",
    "error",
    "A number in quotes, where the specification gives an integer.",
    function* (config) {
      for (const node of sites(config, "count")) if (node.kind === "number") yield [node, `"${node.value}"`];
    },
  ),
  replacing(
    "type/empty-text",
    "error",
    "An empty string where a name or a label must stand.",
    function* (config) {
      for (const name of ["name", "label", "type", "auth"]) {
        for (const node of config.strings(`workflows.*.${name}`)) yield [node, '""'];
      }
      for (const node of config.strings(`${field}.id`)) yield [node, '""'];
    },
  ),
  replacing("type/no-workflow", "error", "An app without a workflow.", function* (config) {
    for (const node of config.select("workflows")) yield [node, "[]"];
  }),
];
