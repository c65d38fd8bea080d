import type { Comparison, Expression, JqDiagnostic, JqDiagnosticCode } from "@configc/jq";
import { types, walk } from "@configc/jq";
import { isIdentifier } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { rootPaths } from "../../../bind/roots-input.ts";
import type { Args, Finding, Fix, FixContext, Rule, RuleExample } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { jqRule } from "../jq/diagnostic-rule.ts";

/** What the types that flow into a program say of it: `@configc/jq` finds it, the config gives the types. */

const guards = ["command.!jq", "command.!switch", "D23", "D16"];
const source = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;
const example = (bad: string, good: string): RuleExample => ({ ...source, bad, good });
const fails =
  "This fails for any input, and the step fails with it: for every customer, on every item that gets here.";

const cannotIndex = jqRule("cannot-index", {
  summary: "The value has no members or items to read",
  why: `${fails} A response is always an object: if an API answers with a list, that list is \`.body\`.`,
  guards: [...guards, "D20"],
  examples: [
    {
      title: "D20: an API that answers with a list",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq",
      bad: '".«[0]» | {account_id: .id, description: .name}"',
      good: '".body[0] | {account_id: .id, description: .name}"',
    },
    example(
      '{"!jq": "(.name | split(\\" \\")) as $names | {email, first_name: $names«.first»}"}',
      '{"!jq": "(.name | split(\\" \\")) as $names | {email, first_name: $names[0]}"}',
    ),
  ],
});

const cannotSlice = jqRule("cannot-slice", {
  summary: "Only strings and lists can be sliced",
  why: fails,
  guards,
  examples: [
    example(
      '{"!jq": "{email, year: (now | floor | .«[0:4]»)}"}',
      '{"!jq": "{email, year: (now | todate | .[0:4])}"}',
    ),
  ],
});

const cannotIterate = jqRule("cannot-iterate", {
  summary: "`[]` needs a list or an object",
  why: fails,
  guards,
  examples: [
    example(
      '{"!jq": "{email, _tags: [.tags | join(\\",\\") | .«[]»]}"}',
      '{"!jq": "{email, _tags: [.tags[]]}"}',
    ),
  ],
});

const operandTypes = jqRule("operand-types", {
  summary: "The operator can't work on these values",
  why: `${fails} What a customer types into a form field is a string, even if it looks like a number. Convert it with \`tonumber\`.`,
  guards: [...guards, "D10"],
  examples: [
    example(
      '{"!jq": "{email, age: «(\\"born \\" + (.year | length))»}"}'.replace("«(", "(«").replace(")»", "»)"),
      '{"!jq": "{email, age: (\\"born \\" + (.year | tostring))}"}',
    ),
    {
      title: "D10: a number that the customer typed",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{name, count: («${custom_data.list.value} + 1»)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{name, count: ((${custom_data.list.value} | tonumber) + 1)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{name, count: ((${custom_data.list.value} | tonumber) + 1)}"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"id": "list", "label": "Number of the list", "type": "textarea"}',
        "/workflows/0/setup/map/describe_target/options": '{"!resource": "PlatformContact.fields"}',
      },
    },
  ],
});

const divisionByZero = jqRule("division-by-zero", {
  summary: "A division by zero",
  why: fails,
  guards,
  examples: [
    example('{"!jq": "{email, share: («.amount / 0»)}"}', '{"!jq": "{email, share: (.amount / 100)}"}'),
  ],
});

const cannotNegate = jqRule("cannot-negate", {
  summary: "Only numbers can be negated",
  why: fails,
  guards,
  examples: [
    example('{"!jq": "{email, debt: («-(.amount | tostring)»)}"}', '{"!jq": "{email, debt: (-.amount)}"}'),
  ],
});

const inputType = jqRule("input-type", {
  summary: "A jq function can't work on its input",
  why: fails,
  guards,
  examples: [
    example(
      '{"!jq": "{email, joined: (.tags | length | «keys»)}"}',
      '{"!jq": "{email, joined: (.tags | keys)}"}',
    ),
  ],
});

const argumentType = jqRule("argument-type", {
  summary: "A jq function can't work with its argument",
  why: fails,
  guards,
  examples: [
    example(
      '{"!jq": "{email, first_name: (.name | split(«1») | first)}"}',
      '{"!jq": "{email, first_name: (.name | split(\\" \\") | first)}"}',
    ),
  ],
});

const keyType = jqRule("key-type", {
  summary: "A computed object key isn't a string",
  why: fails,
  guards,
  examples: [
    example('{"!jq": "{email, «(.id | length)»: true}"}', '{"!jq": "{email, (.id | tostring): true}"}'),
  ],
});

const missingMember: Rule<Args> = {
  ...(jqRule("missing-member", {
    summary: "The value certainly doesn't have this member",
    why: "An earlier step makes the value without this member, so it is always null here and a customer's field stays empty without a warning.",
    guards: [...guards, "expansion.piped_content", "D37"],
    examples: [
      {
        title: "of the step before",
        in: "inbound-webhook",
        at: "/workflows/0/data_pipeline/source",
        bad: '{"!pipe": [{"!jq": "{email, title: .form.title}"}, {"!jq": "{email, first_name: «.titel»}"}]}',
        good: '{"!pipe": [{"!jq": "{email, title: .form.title}"}, {"!jq": "{email, first_name: .title}"}]}',
        fixed: '{"!pipe": [{"!jq": "{email, title: .form.title}"}, {"!jq": "{email, first_name: .title}"}]}',
      },
      {
        title: "D37: of what the mapping gives",
        in: "outbound",
        at: "/workflows/0/data_pipeline/target",
        bad: '{"!pipe": [{"!jq": "{address: «.emial»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/subscribers", "body": "${piped_content.1}"}}]}',
        good: '{"!pipe": [{"!jq": "{address: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/subscribers", "body": "${piped_content.1}"}}]}',
        fixed:
          '{"!pipe": [{"!jq": "{address: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/subscribers", "body": "${piped_content.1}"}}]}',
      },
    ],
  }) as Rule),
  severity: "warning",
  fixes: renameMember,
};

const neverEqual: Rule<Args> = {
  ...(jqRule("never-equal", {
    summary: "The compared values are never equal",
    why: "A string never equals a number, even if it looks like one. So the result is always the same, and one branch never runs. What a customer types or chooses is a string, and a customer can only choose an option from the list.",
    guards: [...guards, "D10", "D12"],
    examples: [
      {
        title: "D10: a text with a number",
        in: "outbound",
        at: "/workflows/0/data_pipeline/target",
        bad: '{"!pipe": [{"!jq": "if «${custom_data.list.value} == 5» then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        good: '{"!pipe": [{"!jq": "if (${custom_data.list.value} | tonumber) == 5 then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        fixed:
          '{"!pipe": [{"!jq": "if (${custom_data.list.value} | tonumber) == 5 then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        with: {
          "/workflows/0/setup/select/form_fields/0":
            '{"id": "list", "label": "Number of the list", "type": "textarea"}',
        },
      },
      {
        title: "D12: an option with true",
        in: "outbound",
        at: "/workflows/0/data_pipeline/target",
        bad: '{"!pipe": [{"!jq": "if «${custom_data.list.value} == true» then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        good: '{"!pipe": [{"!jq": "if ${custom_data.list.value} == \\"c\\" then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        with: {
          "/workflows/0/setup/select/form_fields/0":
            '{"id": "list", "label": "List", "type": "dropdown", "options": [{"display": "Customers", "value": "c"}, {"display": "Leads", "value": "l"}]}',
        },
      },
    ],
  }) as Rule),
  severity: "warning",
  fixes: convertHole,
};

const noSuchValue: Rule<Args> = {
  ...(jqRule("no-such-value", {
    summary: "A comparison with a string that the value never is",
    why: "The possible values of static options, of an enumeration and of another step's output are known. A comparison with any other string always has the same result, so one branch runs for no customer.",
    guards: [...guards, "D12"],
    examples: [
      {
        title: "D12: what is shown, where the value is compared",
        in: "outbound",
        at: "/workflows/0/data_pipeline/target",
        bad: '{"!pipe": [{"!jq": "if «${custom_data.list.value} == \\"Customers\\"» then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        good: '{"!pipe": [{"!jq": "if ${custom_data.list.value} == \\"c\\" then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        with: {
          "/workflows/0/setup/select/form_fields/0":
            '{"id": "list", "label": "List", "type": "dropdown", "options": [{"display": "Customers", "value": "c"}, {"display": "Leads", "value": "l"}]}',
        },
      },
      {
        title: "A misspelled option",
        in: "outbound",
        at: "/workflows/0/data_pipeline/target",
        bad: '{"!pipe": [{"!jq": "if «${custom_data.list.value} == \\"custmers\\"» then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        good: '{"!pipe": [{"!jq": "if ${custom_data.list.value} == \\"customers\\" then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        with: {
          "/workflows/0/setup/select/form_fields/0":
            '{"id": "list", "label": "List", "type": "dropdown", "options": [{"display": "Customers", "value": "customers"}, {"display": "Leads", "value": "leads"}]}',
        },
      },
    ],
  }) as Rule),
  severity: "warning",
};

const alwaysOrdered: Rule<Args> = {
  ...(jqRule("always-ordered", {
    summary: "`<` or `>` compares values whose order is always the same",
    why: "jq orders values of different types by type: every number comes before every string, even one that looks like a number. So the result is always the same, and one branch never runs. What a customer types is a string.",
    guards: [...guards, "D10", "D12"],
    examples: [
      {
        title: "D10: a text with a number",
        in: "outbound",
        at: "/workflows/0/data_pipeline/target",
        bad: '{"!pipe": [{"!jq": "if «${custom_data.list.value} > 5» then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        good: '{"!pipe": [{"!jq": "if (${custom_data.list.value} | tonumber) > 5 then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        fixed:
          '{"!pipe": [{"!jq": "if (${custom_data.list.value} | tonumber) > 5 then . else {} end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
        with: {
          "/workflows/0/setup/select/form_fields/0":
            '{"id": "list", "label": "Smallest number", "type": "textarea"}',
        },
      },
    ],
  }) as Rule),
  severity: "warning",
  fixes: convertHole,
};

const rules: Readonly<Partial<Record<JqDiagnosticCode, Rule<Args>>>> = {
  "cannot-index": cannotIndex as Rule,
  "cannot-slice": cannotSlice as Rule,
  "cannot-iterate": cannotIterate as Rule,
  "operand-types": { ...operandTypes, fixes: convertHole } as Rule,
  "division-by-zero": divisionByZero as Rule,
  "cannot-negate": cannotNegate as Rule,
  "input-type": inputType as Rule,
  "argument-type": argumentType as Rule,
  "key-type": keyType as Rule,
  "missing-member": missingMember,
  "never-equal": neverEqual,
  "no-such-value": noSuchValue,
  "always-ordered": alwaysOrdered,
};

const module: RuleModule = {
  rules: Object.values(rules),
  checks: {
    document(model, report) {
      // One misspelled name of one object is one mistake, however often it is read.
      const missing = new Map<string, { args: Args; first: StringPart; others: StringPart[] }>();
      for (const { found, rule, program } of typeMistakes(model)) {
        const at = { node: program.node, from: found.start, to: found.end };
        if (found.code !== "missing-member") {
          report(rule, at, found.args as Args);
          continue;
        }
        const key = JSON.stringify([found.args.name, found.args.members]);
        const known = missing.get(key);
        if (known === undefined) missing.set(key, { args: found.args as Args, first: at, others: [] });
        else known.others.push(at);
      }
      for (const { args, first, others } of missing.values()) {
        const related = others.map((at) => ({ message: "also read here", at }));
        report(missingMember, first, args, related);
      }
    },
  },
};
export default module;

interface TypeMistake {
  readonly program: JqProgram;
  readonly found: JqDiagnostic;
  readonly rule: Rule<Args>;
}

const typeMistakes = derivedByPart(({ programs }, model): TypeMistake[] => {
  const flow = flowOf(model);
  return programs.flatMap((program) => {
    if (program.diagnostics.length > 0) return [];
    return flow.program(program).diagnostics.flatMap((found): TypeMistake | [] => {
      const rule = rules[found.code];
      return rule === undefined || isPollingKey(found, program) ? [] : { program, found, rule };
    });
  });
});

/** `.polling_state.KEY` is told of by `reference/unknown-polling-key`, once for all that read it. */
function isPollingKey({ code, start, end }: JqDiagnostic, program: JqProgram): boolean {
  if (code !== "missing-member") return false;
  return rootPaths(program).some(({ segments: [root, key] }) => {
    return root?.key === "polling_state" && key !== undefined && start <= key.start && key.end <= end;
  });
}

function renameMember({ at, args }: Finding<Args>, { document }: FixContext): Fix[] {
  const { name, suggestion } = args;
  if (typeof name !== "string" || typeof suggestion !== "string") return [];
  const { node, from, to } = at as StringPart;
  const offset = node.value.slice(from, to).indexOf(name);
  // Not written as itself, such as `"a\u0062"`; the key of a pattern may be a variable's name, too.
  if (offset < 0 || node.value[from] === "$" || !isIdentifier(suggestion)) return [];
  const start = from + offset;
  const edits = [replaceInString(document, node, start, start + name.length, suggestion)];
  return [{ title: `Change to \`${suggestion}\``, safe: false, edits }];
}

/** D10: an expansion that gives a string where a number stands on the other side. */
function convertHole({ at }: Finding<Args>, { document, model }: FixContext): Fix[] {
  const { node, from, to } = at as StringPart;
  const program = model.programs.find((candidate) => candidate.node === node);
  if (program === undefined) return [];
  const flow = flowOf(model);
  const found: Expression[] = [];
  walk(program.tree, {
    enter(part) {
      if (
        part.start === from &&
        part.end === to &&
        (part.kind === "Comparison" || part.kind === "Arithmetic")
      )
        found.push(...operandsOf(part));
      return undefined;
    },
  });
  const holes = found.filter((part) => {
    const hole = part.kind === "Hole" ? program.holes[part.hole] : undefined;
    return hole !== undefined && types.partsOf(flow.expansion(hole)).every(({ kind }) => kind === "string");
  });
  const numbers = found.some((part) => part.kind === "Number");
  const [hole] = holes;
  if (hole === undefined || holes.length > 1 || !numbers) return [];
  const edits = [
    replaceInString(document, node, hole.start, hole.start, "("),
    replaceInString(document, node, hole.end, hole.end, " | tonumber)"),
  ];
  return [{ title: "Convert it with `tonumber`", safe: false, edits }];
}

function operandsOf(part: Comparison | Extract<Expression, { kind: "Arithmetic" }>): Expression[] {
  if (part.kind === "Comparison") return [part.left, part.right];
  return [part.first, ...part.rest.map(({ operand }) => operand)];
}
