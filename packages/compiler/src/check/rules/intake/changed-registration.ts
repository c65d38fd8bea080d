import type { Command, Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type StringPart, spanOf } from "../../../parse/document.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { readsOf } from "../state/reads.ts";
import { allIn } from "../workflow/commands.ts";
import { isSaid } from "./said-of-intake.ts";
import { named } from "./saved-id.ts";

const changedUrl = defineRule<{ text: string }>({
  id: "intake/changed-url",
  severity: "warning",
  summary: "A path is appended to the webhook's URL",
  why: "The platform answers at the URL that it made, and at nothing below it. Deliveries to a longer URL get 404: the workflow looks active, but none arrives.",
  guards: ["webhook.create", "webhook.update", "expansion.webhook", "D32"],
  message: ({ text }) => `\`${text}\` isn't a URL that the platform serves, so deliveries get 404.`,
  because: ({ text }) => [`the service sends to \`${text}\``, "the platform has no such URL: 404"],
  help: () => "Send `${webhook.url}` unchanged.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http/body/url",
      bad: '"${webhook.url}«/submissions»"',
      good: '"${webhook.url}"',
      fixed: '"${webhook.url}"',
    },
  ],
  fixes: ({ at }, { document }) => [
    { title: "Remove it", safe: false, edits: [{ ...spanOf(document, at), newText: "" }] },
  ],
});

const secondRegistration = defineRule<{ path: string; isSaved: boolean }>({
  id: "intake/second-registration",
  severity: "warning",
  summary: "`update` registers the webhook a second time",
  why: "`update` posts to the list of registrations, like `create`, and doesn't name the one that is there. Each change of the setup adds one more, and each event arrives several times. `delete` removes only the one whose id is saved.",
  guards: ["webhook.update", "D32"],
  message: ({ path, isSaved }) =>
    isSaved
      ? `\`update\` posts to \`${path}\` like \`create\`, without the saved id. That makes another registration, and nothing removes the first one.`
      : `\`update\` posts to \`${path}\` like \`create\`. That makes another registration, and nothing saves its id.`,
  because: ({ path, isSaved }) => [
    `\`create\`: registration 1 at \`${path}\`, its id is saved`,
    `\`update\`: registration 2 at \`${path}\`${isSaved ? ", its id replaces the first one" : ""}`,
    isSaved
      ? "`delete` removes registration 2; 1 stays forever"
      : "`delete` removes registration 1; 2 stays forever",
  ],
  help: () =>
    "Change the saved registration with `PUT` or `PATCH` and its id. Or remove `update`: the platform then makes a new registration and deletes the old one.",
  examples: [
    {
      title: "D32",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}',
      },
      bad: '{«"!http"»: {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
    },
  ],
});

const deletedByUrl = defineRule<{ key: string; scope: string }>({
  id: "intake/deleted-by-url",
  severity: "warning",
  summary: "`delete` names the registration by the webhook's URL instead of the saved id",
  why: "`create` saves the id that the service gave. An API with ids doesn't find a registration by its URL. It answers 404, the platform takes that as deleted, and events keep coming.",
  guards: ["webhook.delete", "expansion.webhook", "D32"],
  message: ({ key }) =>
    `This is the webhook's URL. \`create\` saves the id as \`${key}\`, which \`delete\` doesn't read.`,
  ...named,
  examples: [
    {
      title: "D32",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: { "/data_intake/0/update": undefined },
      bad: '{"!http": {"method": "DELETE", "path": "/hooks/«${webhook.url}»"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      fixed: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [changedUrl, secondRegistration, deletedByUrl],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      for (const at of suffixes(intake, model)) report(changedUrl, at, { text: excerpt(at.node.value, 60) });
      const again = registersAgain(intake, model);
      if (again !== undefined && !isSaid(replaces, intake, model))
        report(secondRegistration, again.member.key, {
          path: textOf(again.argument, "path") ?? textOf(again.argument, "url") ?? "",
          isSaved: allIn(intake.commands.get("update")!)?.some(({ key }) => key === "!save") === true,
        });
      const key = unreadKey(intake, model);
      const named = key === undefined ? undefined : namedByUrl(intake, model);
      if (key !== undefined && named !== undefined && !isSaid(byUrl, intake, model))
        report(deletedByUrl, named, { key, scope: intake.scope ?? "workflow" });
    },
  },
};
export default module;

/** `POST /hooks replaces it`, `a URL that is known is changed`: then it makes no second one. */
const replaces =
  /\bPOST\b[^.;]{0,80}\b(?:replaces?|changes?|updates?|overwrites?|keeps|idempotent|no second)\b|\bupserts?\b/i;
const byUrl = /\/[:{<$]{1,2}url\b|\bby (?:its|the|their)(?: own)? (?:\w+ )?URL\b/i;

function ofCommand(intake: IntakeSymbol, name: string, model: Model): readonly Expansion[] {
  const outermost = intake.commands.get(name);
  return partOfUnit(intake, model).expansions.filter(
    ({ command }) =>
      command !== undefined && outermost !== undefined && outermostCommand(command) === outermost,
  );
}

/** What stands behind `${webhook.url}` where that begins a value; a query is the platform's to ignore. */
function suffixes(intake: IntakeSymbol, model: Model): readonly StringPart[] {
  return ["create", "update"].flatMap((name) =>
    ofCommand(intake, name, model).flatMap(({ root, rootExact, syntax, node, position }): StringPart[] => {
      const isUrl = root === "webhook" && rootExact && syntax.problem === undefined;
      const rest = node.value.slice(syntax.end);
      if (!isUrl || position !== "value" || syntax.start !== 0 || !/^\/[\w-]/.test(rest)) return [];
      return [{ node, from: syntax.end, to: node.value.length }];
    }),
  );
}

/** The request by which `update` posts to where `create` does, with nothing of what was saved. */
function registersAgain(intake: IntakeSymbol, model: Model): Command | undefined {
  const [create, update] = ["create", "update"].map((name) => {
    const command = intake.commands.get(name);
    return command === undefined ? undefined : allIn(command);
  });
  if (create === undefined || update === undefined) return undefined;
  if (!create.some(({ key }) => key === "!save")) return undefined;
  const requests = update.filter(({ key }) => key === "!http");
  const [request, ...others] = requests.filter((each) => isPost(each) && sendsUrl(each));
  // One that removes, or changes, is what a registration that is there is for.
  if (request === undefined || others.length > 0 || requests.some(changesOne)) return undefined;
  if (!create.some((each) => isPost(each) && sendsUrl(each) && addressOf(each) === addressOf(request)))
    return undefined;
  const reads = ofCommand(intake, "update", model);
  if (update.some(({ program }) => program !== undefined && /\bdata\b/.test(program.node.value)))
    return undefined;
  return reads.some(({ root }) => root === "data" || root === undefined) ? undefined : request;
}

const changesOne = ({ argument }: Command): boolean =>
  /^(?:DELETE|PUT|PATCH)$/i.test(textOf(argument, "method") ?? "");

/** Where a request goes. */
const addressOf = ({ argument }: Command): string | undefined =>
  textOf(argument, "path") ?? textOf(argument, "url");

/** Whether a request has the webhook's URL in its body, or what a step before made. */
function sendsUrl({ argument }: Command): boolean {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  return body !== undefined && hasUrl(body);
}

function hasUrl(node: JsonNode): boolean {
  if (node.kind === "string")
    return /webhook(?:\.|::)url|^[$][{<]\s*piped_content\.\d+\s*[}>]$/.test(node.value);
  if (node.kind === "array") return node.items.some(hasUrl);
  return node.kind === "object" && node.members.some(({ value }) => value !== undefined && hasUrl(value));
}

function isPost({ key, argument }: Command): boolean {
  return key === "!http" && textOf(argument, "method")?.toUpperCase() === "POST";
}

/** The id that `create` saves in the intake's own scope, where it is the only one or called so, and nothing but `update` reads it. */
function unreadKey(intake: IntakeSymbol, model: Model): string | undefined {
  const create = intake.commands.get("create");
  const own = new Set(create === undefined ? [] : (allIn(create) ?? []));
  const saved = savedKeys(model).get((intake.scope ?? "workflow") as "workflow");
  if (saved === undefined || !saved.complete) return undefined;
  const reads = readsOf(model, "data");
  if (readsWhole(model)) return undefined;
  // That `update` names the registration by its id says that there is one to name.
  const update = intake.commands.get("update");
  const isRead = (key: string): boolean =>
    reads.some(({ path, command }) => path[1]?.text === key && outermostCommand(command) !== update);
  const keys = [...saved.keys].flatMap(([key, by]) => (by.every((save) => own.has(save)) ? [key] : []));
  const [only, ...others] = keys;
  const id = others.length === 0 ? only : keys.find(isIdName);
  return id === undefined || isRead(id) ? undefined : id;
}

/** Whether something may read any saved key. */
const readsWhole = derived(
  (model: Model) =>
    readsOf(model, "data").some(({ path }) => path.length < 2) || model.parts.some(readsUnknownRoot),
);

const readsUnknownRoot = derivedInPart(({ expansions }) => expansions.some(({ root }) => root === undefined));

/** `${webhook.url}` as a segment of a path of `delete`. A parameter for it says that the service finds registrations by their URLs. */
function namedByUrl(intake: IntakeSymbol, model: Model): StringPart | undefined {
  const found = ofCommand(intake, "delete", model).find(
    ({ root, rootExact, syntax, node, position }) =>
      root === "webhook" &&
      rootExact &&
      syntax.problem === undefined &&
      position === "path" &&
      node.value.charAt(syntax.start - 1) === "/" &&
      /^(?:[/?]|$)/.test(node.value.slice(syntax.end)),
  );
  return found === undefined
    ? undefined
    : { node: found.node, from: found.syntax.start, to: found.syntax.end };
}
