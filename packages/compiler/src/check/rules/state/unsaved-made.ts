import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { scopesOf } from "../../../flow/saved.ts";
import { madeBy } from "../../../flow/step-members.ts";
import type { SavedKeys } from "../../../flow/type-flow.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { isSaidInAnswer } from "./saved-answer.ts";

const registered = {
  in: "inbound-webhook",
  at: "/data_intake/0/create/!pipe",
  with: {
    "/data_intake/0/update":
      '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "headers": {"x-key": "${data.workflow.hook_key}"}, "body": {"url": "${webhook.url}"}}}',
    "/data_intake/0/delete":
      '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}", "headers": {"x-key": "${data.workflow.hook_key}"}}}',
  },
} as const;
const order = '{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}';
const shape = '{"!jq": "{hook_id: .id, hook_key: .key}"}';
const wake = '{"!http": {"method": "POST", "path": "/hooks/${piped_content.2.hook_id}/wake"}}';

const unsavedMade = defineRule<{ key: string; scope: string; course: "answer" | "case" }>({
  id: "state/unsaved-made",
  severity: "warning",
  summary: "A value is made to be saved, but something else is saved, or nothing",
  why: "`!save` stores what the step right before it gives. If a request stands between, its answer is stored. If only one case of a `!switch` saves, the value is missing after the others, or still the one of an earlier run: a wrong record is changed.",
  guards: ["command.!save", "command.!switch", "expansion.data", "D24"],
  message: ({ key, scope, course }) =>
    course === "answer"
      ? `This saves the answer of the request before it. \`${key}\`, which an earlier step made and \`\${data.${scope}.${key}}\` reads, isn't saved anywhere.`
      : `This case makes \`${key}\`, but only another case saves it, and \`\${data.${scope}.${key}}\` is read afterwards.`,
  because: ({ key, course }) => [
    course === "answer" ? `a step makes \`${key}\`` : `the case without \`!save\` makes \`${key}\``,
    course === "answer" ? "a request comes, and its answer is saved" : "nothing saves it",
    `what is read as \`${key}\` isn't there, or is from an earlier run`,
  ],
  help: ({ key, course }) =>
    course === "answer"
      ? `Move the \`!save\` right behind the step that makes \`${key}\`.`
      : "Save it in each case, or once behind the `!switch`.",
  examples: [
    {
      title: "Behind another request",
      ...registered,
      bad: `[${order}, ${shape}, ${wake}, {«"!save"»: {"scope": "workflow"}}]`,
      good: `[${order}, ${shape}, {"!save": {"scope": "workflow"}}, ${wake.replace("2", "3")}]`,
    },
    {
      title: "In one case only",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/circles", "params": {"name": "new"}}}, {"!switch": {"jq": "if (.circles | length) == 0 then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/circles"}}, {"!jq": "{circle_id: .id}"}, {"!save": {"scope": "workflow"}}]}, {«"!jq"»: "{circle_id: .circles[0].id}"}]}}, {"!http": {"method": "PUT", "path": "/circles/${data.workflow.circle_id}/friends"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/circles", "params": {"name": "new"}}}, {"!switch": {"jq": "if (.circles | length) == 0 then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/circles"}}, {"!jq": "{circle_id: .id}"}]}, {"!jq": "{circle_id: .circles[0].id}"}]}}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "PUT", "path": "/circles/${data.workflow.circle_id}/friends"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unsavedMade],
  checks: {
    // Other parts save and read the same keys.
    reach: "saved",
    part(part, report, model) {
      for (const save of part.commands) {
        const [scope, ...others] = save.key === "!save" ? scopesOf(save) : [];
        const saved = scope === undefined ? undefined : savedKeys(model).get(scope);
        if (scope === undefined || saved === undefined || others.length > 0) continue;
        const key = keyBehindRequest(save, saved, scope, part);
        if (key !== undefined && !isSaidInAnswer(key, save, model))
          report(unsavedMade, save.member.key, { key, scope, course: "answer" });
        for (const { key: left, at } of casesWithout(save, saved, scope, part))
          report(unsavedMade, at.member.key, { key: left, scope, course: "case" }, [
            { message: "saved here", at: save.member.key },
          ]);
      }
    },
  },
};
export default module;

/** What reads a saved value in a part. */
const readsOfKey = ({ expansions }: Part, scope: string, key: string): readonly Expansion[] =>
  expansions.filter(
    ({ root, rootExact, syntax }) =>
      root === "data" && rootExact && syntax.path[1]?.text === scope && syntax.path[2]?.text === key,
  );

/** A key that an earlier step of the pipe makes and no later one reads there, where a `!save` gets the answer of a request and nothing else saves it. */
function keyBehindRequest(
  save: Command,
  { keys, saves }: SavedKeys,
  scope: string,
  part: Part,
): string | undefined {
  const { pipe, parent, stepsRun } = save;
  if (pipe === undefined || parent !== pipe || pipe.children[stepsRun - 1]?.key !== "!http") return undefined;
  const known = new Set([...keys.values()].flat());
  if (saves.some((each) => each !== save && !known.has(each))) return undefined;
  for (let index = stepsRun - 2; index >= 0; index--) {
    const step = pipe.children[index];
    const [made, ...ways] = step?.key === "!jq" ? (madeBy(step) ?? []) : [];
    if (made === undefined || ways.length > 0) continue;
    // What the steps between read may be there for them alone.
    const readHere = new Set(
      part.expansions.flatMap(({ root, syntax, command }) =>
        root === "piped_content" && command?.pipe === pipe && syntax.path[1]?.text === `${index + 1}`
          ? [syntax.path[2]?.text]
          : [],
      ),
    );
    const between = pipe.children.slice(index + 1, stepsRun);
    if (readHere.has(undefined) || between.some((each) => each?.key !== "!http")) return undefined;
    return made.find(
      ({ name }) => !readHere.has(name) && !keys.has(name) && readsOfKey(part, scope, name).length > 0,
    )?.name;
  }
  return undefined;
}

/** The cases of the `!switch` around a `!save` that make what it saves, and save nothing, where a later step of the same pipe reads it. */
function casesWithout(
  save: Command,
  { keys, complete }: SavedKeys,
  scope: string,
  part: Part,
): readonly { readonly key: string; readonly at: Command }[] {
  let chosen = save.parent;
  while (chosen !== undefined && chosen.key !== "!switch") chosen = chosen.parent;
  const around = chosen?.pipe;
  if (chosen === undefined || around === undefined || !complete) return [];
  const choice = chosen;
  const inChoice = ({ node }: Pick<Command, "node">): boolean =>
    choice.node.start <= node.start && node.end <= choice.node.end;
  return [...keys].flatMap(([key, by]) => {
    if (!by.includes(save) || by[0] !== save || !by.every(inChoice)) return [];
    const reads = readsOfKey(part, scope, key).filter(
      ({ node }) => around.node.start <= node.start && node.end <= around.node.end,
    );
    const isReadBehind = reads.some(
      ({ node, syntax }) => node.start > choice.node.end && syntax.filters.length === 0,
    );
    // What is asked for before may have been saved in an earlier run.
    if (!isReadBehind || reads.some(({ node }) => node.start < choice.node.end)) return [];
    return choice.children.flatMap((each) => {
      const inside = each === undefined ? undefined : allIn(each);
      if (each === undefined || inside === undefined || inside.some(({ key: name }) => name === "!save"))
        return [];
      const [way, ...ways] = madeBy(each) ?? [];
      const made = ways.length > 0 ? undefined : way?.find(({ name }) => name === key);
      return made === undefined ? [] : [{ key, at: made.program.command }];
    });
  });
}
