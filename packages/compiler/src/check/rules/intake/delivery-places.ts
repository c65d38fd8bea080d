import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";

const place = { in: "inbound-webhook", at: "/data_intake/0/verification" } as const;
const probed = (chosenBy: string): string =>
  `{"!pipe": [{"!switch": {"jq": "if ${chosenBy} then 0 else 1 end", "cases": [{"!respond": {"code": 200, "body": {"probe": "\${piped_content.0.query.probe}"}}}, {"!respond": {"process_payload": true}}]}}]}`;

const otherPlace = defineRule<{ name: string; read: string; given: string }>({
  id: "intake/other-place",
  severity: "warning",
  summary: "The check of the URL is looked for in another place than its answer takes it from",
  why: "A sender tries the URL before it uses it, and wants what it sent back. If it is looked for where it isn't, the check gets another answer, and the service never sends anything.",
  guards: ["D31"],
  message: ({ name, read, given }) =>
    `This looks for \`${name}\` in \`${read}\`, but the answer gives back \`${given}.${name}\`.`,
  because: ({ name, read, given }) => [
    `the service sends \`${name}\` in \`${given}\``,
    `\`${read}\` has none, so this answer is never given`,
  ],
  help: ({ name, given }) => `Look for \`.${given}.${name}\`.`,
  examples: [
    {
      title: "D31",
      ...place,
      bad: probed(".«body.probe» != null"),
      good: probed(".query.probe != null"),
    },
  ],
});

const parsed = (separator: string): string =>
  `{"!pipe": [{"!jq": "(.headers[\\"x-signature\\"] // \\"\\" | split(\\"${separator}\\") | map(select(startswith(\\"t=\\")) | ltrimstr(\\"t=\\")) | first) as $t | {value_to_encrypt: \\"\\\\($t).\\\\(.raw_body)\\"}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if (\${piped_content.0.headers.x-signature | default} | split(\\",\\") | index(\\"v1=\\" + \${piped_content.2.hash})) != null then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const otherSeparator = defineRule<{ name: string; separator: string; other: string }>({
  id: "intake/other-separator",
  severity: "warning",
  summary: "`verification` splits one header at two separators",
  why: "A header is written in one way. Split at something that it doesn't have, it stays whole, so the time or the signature in it is wrong, and no delivery of any customer is ever accepted.",
  guards: ["D31"],
  message: ({ name, separator, other }) =>
    `This splits \`${name}\` at \`${separator}\`, and another step splits it at \`${other}\`.`,
  because: ({ separator, other }) => [
    `one of \`${separator}\` and \`${other}\` isn't in the header`,
    "there the header stays whole, and no delivery is accepted",
  ],
  help: () => "Split it in the same way in both places.",
  examples: [
    {
      title: "D31",
      ...place,
      bad: parsed(";").replace('\\";\\"', '«\\";\\"»'),
      good: parsed(","),
    },
  ],
});

const module: RuleModule = {
  rules: [otherPlace, otherSeparator],
  checks: {
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      for (const { at, ...args } of otherPlaces(all, root, intake, model)) report(otherPlace, at, args);
      const splits = all.flatMap(splitsIn);
      for (const split of splits) {
        const others = splits.filter(({ name }) => name === split.name);
        const { name, separator, at } = split;
        // The first one is likelier wrong than all that follow.
        if (others[0] !== split || others.length !== 2 || others[1]!.separator === separator) continue;
        report(otherSeparator, at, { name, separator, other: others[1]!.separator }, [
          { message: "split here, too", at: others[1]!.at },
        ]);
      }
    },
  },
};
export default module;

const placed = /(?<![\w\]])\.(body|query|query_params|headers)(?:\.([A-Za-z_]\w*)|\["([\w-]+)"\])/g;

/** An answer that gives back something of the request. */
interface Answer {
  /** Members of the request by which it is chosen. */
  readonly reads: readonly {
    readonly read: string;
    readonly name: string;
    readonly from: number;
    readonly to: number;
  }[];
  readonly program: JqProgram;
  /** Where in the request it takes what it gives back, and under which name. */
  readonly where: string;
  readonly name: string;
}

/** The answers that a switch at the beginning chooses. */
function answersOf(
  all: readonly Command[],
  root: Command,
  intake: IntakeSymbol,
  model: Model,
): readonly Answer[] {
  const { expansions } = partOfUnit(intake, model);
  return all.flatMap(({ key, program, children, parent }) => {
    // What comes in is the request.
    const isFirst = parent === undefined || (parent === root && parent.children[0]?.program === program);
    if (key !== "!switch" || program === undefined || program.diagnostics.length > 0 || !isFirst) return [];
    const reads = [...program.node.value.matchAll(placed)].map((match) => ({
      read: match[1]!,
      name: (match[2] ?? match[3])!,
      from: match.index + 1,
      to: match.index + match[0].length,
    }));
    return children.flatMap((answer) => {
      if (answer?.key !== "!respond") return [];
      return expansions.flatMap(({ command, root: from, syntax }) => {
        const [, index, where, name, ...rest] = syntax.path.map(({ text }) => text);
        const isOfRequest = command === answer && from === "piped_content" && index === "0";
        return isOfRequest && name !== undefined && rest.length === 0
          ? [{ reads, program, where: where!, name }]
          : [];
      });
    });
  });
}

/** What chooses an answer by a member of one place in the request, where the answer gives back the member of that name from another. */
function otherPlaces(...of: Parameters<typeof answersOf>): readonly {
  readonly name: string;
  readonly read: string;
  readonly given: string;
  readonly at: StringPart;
}[] {
  return answersOf(...of).flatMap(({ reads, program, where, name }) => {
    const found = reads.filter((each) => each.name === name);
    const [first] = found;
    if (first === undefined || found.some(({ read }) => read === where)) return [];
    const at = { node: program.node, from: first.from, to: first.to };
    return [{ name, read: first.read, given: where, at }];
  });
}

const split =
  /\bheaders(?:\.([\w-]+)(?: *\|[^|}]*)?\}|\["([\w-]+)"\])(?: *\/\/ *"")?\)? *\| *split\(("[^"\\]+")\)/g;

/** Where a program splits a header, as it came. */
function splitsIn({ program }: Command) {
  if (program === undefined || program.diagnostics.length > 0) return [];
  const { node } = program;
  return [...node.value.matchAll(split)].map((match) => {
    const to = match.index + match[0].length - 1;
    const written = match[3]!;
    const at: StringPart = { node, from: to - written.length, to };
    return { name: (match[1] ?? match[2])!, separator: written.slice(1, -1), at };
  });
}
