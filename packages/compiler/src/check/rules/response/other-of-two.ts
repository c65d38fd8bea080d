import { escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { ownInputs } from "../../../flow/protocol/stage-before.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const choose =
  '{"_comment": "A team answers {id, title}, a company {room: {id, title}}.", "!switch": {"jq": "if .kind == \\"team\\" then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/teams/rooms", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/rooms", "body": {"email": "${piped_content.0.email}"}}}]}}';
const target = (read: string): string =>
  `{"!pipe": [{"!http": {"path": "/me"}}, ${choose}, {"!jq": "{room_id: ${read}}"}, {"!http": {"method": "POST", "path": "/rooms/\${piped_content.3.room_id}/open"}}]}`;

const otherOfTwo = defineRule<{ read: string; other: string }>({
  id: "response/other-of-two",
  severity: "warning",
  summary: "A step behind two kinds of requests reads the answer of one of them only",
  why: "A comment shows that the cases of a `!switch` are answered in two ways. What is read in one way alone is null behind the other case: an id that is missing then is saved, or put into a path.",
  guards: ["command.!switch", "command.!jq", "D3", "D23"],
  message: ({ read, other }) =>
    `A comment shows two answers, but only \`${read}\` is read: where it is \`${other}\`, this is null.`,
  because: ({ read, other }) => [
    `one case is answered with \`${other}\``,
    `\`${read}\` isn't there: it is null`,
  ],
  help: ({ read, other }) => `Read both: \`${read} // ${other}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: target("«.id»"),
      good: target("(.id // .room.id)"),
    },
  ],
});

const module: RuleModule = {
  rules: [otherOfTwo],
  checks: {
    part({ commands }, report, model) {
      if (!hasComments(model)) return;
      for (const command of commands) {
        const shown = command.key === "!switch" ? twoAnswers(command) : undefined;
        const program = shown === undefined ? undefined : nextProgram(command);
        if (shown === undefined || program === undefined) continue;
        const { names, wrapper, comment } = shown;
        const inputs = ownInputs(program);
        const reads = nodesOfKind(program, "Postfix").flatMap((node) => {
          const path = inputs.has(node.head) ? inputPath(node) : undefined;
          return path === undefined ? [] : [{ node, path: path.join(".") }];
        });
        const namesWrapper = new RegExp(String.raw`(?<!\w)${escapedPattern(wrapper)}(?!\w)`).test(
          program.node.value.replace(/\$[{<][^}>]*[}>]/g, ""),
        );
        for (const name of names) {
          const [plain, wrapped] = [name, `${wrapper}.${name}`].map((path) =>
            reads.find((read) => read.path === path),
          );
          const only =
            plain !== undefined && !namesWrapper
              ? plain
              : plain === undefined && wrapped !== undefined
                ? wrapped
                : undefined;
          if (only === undefined) continue;
          const other = only === plain ? `.${wrapper}.${name}` : `.${name}`;
          report(otherOfTwo, partAt(program, only.node), { read: `.${only.path}`, other }, [
            { message: "the comment", at: comment },
          ]);
          break;
        }
      }
    },
  },
};
export default module;

const members = String.raw`\{([^{}]{1,60})\}`;
const within = String.raw`\{["\`]?(\w+)["\`]?: ?${members}[^{}]{0,20}\}`;
/** `answers {id, …}, a region {hook: {id, …}}` */
const plainFirst = new RegExp(
  String.raw`\b(?:answers?|gets?|gives?|returns?)\b[^{}.;]{0,40}${members}[^{}.;]{0,40}${within}`,
);
const plainLast = new RegExp(
  String.raw`\b(?:answers?|gets?|gives?|returns?)\b[^{}.;]{0,40}${within}[^{}.;]{0,40}${members}`,
);

/** The names that two answers to the cases of a `!switch` have in common, one of them below another name; as its own comment says. */
function twoAnswers({ node, children }: Command) {
  if (children.length < 2 || children.some((child) => child?.key !== "!http")) return undefined;
  const comment = node.get("_comment");
  const lines = comment?.kind === "array" ? comment.items : [comment];
  for (const line of lines) {
    if (line?.kind !== "string") continue;
    const [, first, wrapper, second] = plainFirst.exec(line.value) ?? [];
    const [, other, inner, outer] = plainLast.exec(line.value) ?? [];
    const found =
      wrapper !== undefined
        ? { plain: first!, wrapper, wrapped: second! }
        : other !== undefined
          ? { plain: outer!, wrapper: other, wrapped: inner! }
          : undefined;
    if (found === undefined) continue;
    const [plain, wrapped] = [found.plain, found.wrapped].map(namesIn) as [string[], string[]];
    if (plain.includes(found.wrapper)) continue;
    const names = plain.filter((name) => wrapped.includes(name));
    return names.length === 0
      ? undefined
      : { names, wrapper: found.wrapper, comment: line satisfies StringNode };
  }
  return undefined;
}

const namesIn = (text: string): string[] =>
  text.split(",").flatMap((part) => /^\s*["`]?([A-Za-z_]\w*)/.exec(part)?.[1] ?? []);

/** The program of the step behind a command. */
function nextProgram(command: Command): JqProgram | undefined {
  const { pipe, parent } = command;
  if (pipe === undefined || parent !== pipe) return undefined;
  const next = pipe.children[pipe.children.indexOf(command) + 1];
  const program = next?.key === "!jq" ? next.program : undefined;
  return program?.diagnostics.length === 0 ? program : undefined;
}
