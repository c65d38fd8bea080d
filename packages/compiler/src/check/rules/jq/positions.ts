import type { RuleExample } from "../../../findings/rule.ts";
import { jqModule, jqRule } from "./diagnostic-rule.ts";

const invalidKey = jqRule("invalid-key", {
  summary: "An object key in a jq program isn't a string",
  why: "Keys of JSON objects are strings. jq doesn't convert other values, so the program fails here.",
  guards: ["command.!jq", "D23"],
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, («1»): .first}"}',
      good: '{"!jq": "{email: .email, \\"1\\": .first}"}',
    },
  ],
});

/** A program in the pipeline that reads the field `list`. */
const program = (title: string, bad: string, good: string): RuleExample => ({
  title: `D10: ${title}`,
  in: "outbound",
  at: "/workflows/0/data_pipeline/target",
  bad: pipe(bad),
  good: pipe(good),
});
const pipe = (jq: string) =>
  `{"!pipe": [{"!jq": ${JSON.stringify(jq)}}, {"!http": {"method": "POST", "path": "/lists/\${custom_data.list.value}/subscribers", "body": "\${piped_content.1}"}}]}`;

const list = "${custom_data.list.value}";
const marked = `«${list}»`;

const holePosition = jqRule("hole-position", {
  summary: "jq can't have a value where this expansion is",
  why: "An expansion isn't pasted into the program. Its value is bound like a variable, so no customer's data can change what the program does. An expansion can be a term (`. + ${piped_content.2}`), part of a string, a member after a dot (`.${custom_data.field.value}`) or the key of an object; in a comment it is ignored. It can't be the name of a function or variable, or part of a name.",
  guards: ["command.!jq", "D10"],
  examples: [
    program("a term", `{id: .email ${marked}}`, `{id: (.email + ${list})}`),
    program("behind a dot", `{name: .list_${marked}}`, `{name: .${list}}`),
    program("a key", `{list_${marked}: 1}`, `{${list}: 1}`),
    program("inside a string", `{kind: ${marked.replace("«", "«@")}}`, `{kind: @uri "list-${list}"}`),
    program("a variable's name", `.email as ${marked} | {id: .}`, `.email as $id | {id: $id, list: ${list}}`),
    program("a variable", `{id: ${marked.replace("«", "«$")}}`, `{id: ${list}} # ${list}`),
    program("a function's name", `def ${marked}: 1; {id: .email}`, `def one: ${list}; {id: one}`),
    program("a part of a name", `{id: tostring${marked}}`, `{id: (${list} | tostring)}`),
  ],
});

export default jqModule({ "invalid-key": invalidKey, "hole-position": holePosition });
