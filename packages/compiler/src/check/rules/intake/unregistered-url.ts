import { children, type Node } from "@configc/jq";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived, derivedFromText } from "../../../bind/derived.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { takesRoots } from "../../../bind/roots-input.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { isExpression } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { readMethods } from "../../../language/commands/http.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { areAlternatives } from "./event-lists.ts";
import { builtBy, holds, registrationSent, type Sent, type SentValue, sentBy } from "./registration-body.ts";
import { isOfPart, isSaid } from "./said-of-intake.ts";

const unregisteredUrl = defineRule<Record<string, never>>({
  id: "intake/unregistered-url",
  severity: "warning",
  summary: "`create` never sends `${webhook.url}`",
  why: "The platform makes a new URL for each registration, and only `create` can send it to the service. Without it the registration points nowhere, or to an old URL: the workflow looks active, but no event ever arrives.",
  guards: ["webhook.create", "expansion.webhook", "D32"],
  message: () => "`create` doesn't send `${webhook.url}`, so the service doesn't know where to send events.",
  because: () => [
    "the platform makes a URL for this registration",
    "the service doesn't know it, so no event arrives",
  ],
  help: () => "Put `${webhook.url}` into the request that registers the webhook, usually in its `body`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http",
      bad: '{"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", «"body"»: {"event": "submission.created"}}',
      good: '{"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"event": "submission.created", "url": "${webhook.url}"}}',
    },
    {
      title: "without a request",
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      bad: '{«"!pipe"»: [{"!jq": "{hook_id: 1}"}, {"!save": {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const updateWithoutUrl = defineRule<{
  method: string;
  /** Where what it sends is the same after each change. It is left out elsewhere, so that fingerprints of known findings stay. */
  isFixed?: true;
}>({
  id: "intake/update-without-url",
  severity: "warning",
  summary: "`update` replaces a registration and leaves out the webhook's URL",
  why: "`PUT` and `POST` replace the registration at the service. Without `${webhook.url}` it has no URL, or an old one that no longer works: the workflow looks active, but no event arrives.",
  guards: ["webhook.update", "expansion.webhook", "D32"],
  message: ({ method, isFixed }) =>
    isFixed
      ? "This sends nothing that a change of the setup changes: neither `${webhook.url}` nor what the customer chose."
      : method === "PATCH"
        ? "This sends again what `create` sent, and leaves out only `${webhook.url}`."
        : `This \`${method}\` replaces the registration, but \`update\` doesn't send \`\${webhook.url}\`.`,
  because: () => [
    "the setup changes: the platform makes a new URL, and the old one answers 410",
    "the service has no URL, or the old one: no event arrives",
  ],
  help: ({ method, isFixed }) =>
    `Send \`\${webhook.url}\` as \`create\` does, or change ${method === "PATCH" || isFixed ? "only what the customer chose" : "single members with `PATCH`"}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{«"!http"»: {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"event": "submission.created"}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"event": "submission.created", "url": "${webhook.url}"}}}',
    },
    {
      title: "All but the URL",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"form": "${custom_data.form.value}", "event": "submission.created", "url": "${webhook.url}"}',
      },
      bad: '{«"!http"»: {"method": "PATCH", "path": "/hooks/${data.workflow.hook_id}", "body": {"form": "${custom_data.form.value}", "event": "submission.created"}}}',
      good: '{"!http": {"method": "PATCH", "path": "/hooks/${data.workflow.hook_id}", "body": {"form": "${custom_data.form.value}"}}}',
    },
    {
      title: "Nothing of the setup",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"hook": {"url": "${webhook.url}", "events": ["submission.created"], "state": "draft"}}',
      },
      bad: '{«"!http"»: {"method": "PATCH", "path": "/hooks/${data.workflow.hook_id}", "body": {"hook": {"state": "active"}}}}',
      good: '{"!http": {"method": "PATCH", "path": "/hooks/${data.workflow.hook_id}", "body": {"hook": {"url": "${webhook.url}", "state": "active"}}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [unregisteredUrl, updateWithoutUrl],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "webhook") return;
      if (mayBeIncomplete(model.document, intake.node)) return;
      const update = intake.commands.get("update");
      if (update !== undefined) {
        const found = usesUrl(model).has(update) ? lacksUrlBeside(update) : lacksUrl(intake, update, model);
        if (found !== undefined) report(updateWithoutUrl, found.request.member.key, found.args);
      }
      const create = intake.commands.get("create");
      const beside = create === undefined ? undefined : lacksUrlBeside(create);
      if (create !== undefined && beside !== undefined)
        report(unregisteredUrl, placeFor(create, [beside.request]), {});
      if (create !== undefined && usesUrl(model).has(create)) return;
      // An empty pipe is a mistake of its own.
      if (create?.key === "!pipe" && create.children.length === 0) return;
      const all = create === undefined ? undefined : allIn(create);
      if (create !== undefined && all !== undefined) report(unregisteredUrl, placeFor(create, all), {});
    },
  },
};
export default module;

/** Each `create` and `update` that uses the address, or may: what isn't certain counts as a use. */
const usesUrl = derived((model): ReadonlySet<Command> => {
  const found = new Set<Command>();
  for (const expansion of model.expansions) {
    const command = registering(expansion.command);
    if (command === undefined || found.has(command) || isOnlyHashed(expansion.command)) continue;
    if (mayBeUrl(expansion)) found.add(command);
  }
  for (const program of model.programs) {
    const command = registering(program.command);
    if (command === undefined || found.has(command) || isOnlyHashed(program.command)) continue;
    if (mayReadUrl(program)) found.add(command);
  }
  return found;
});

/** Whether what a step makes is hashed by the next one, and nothing else: a token made of the address isn't the address. */
function isOnlyHashed(step: Command | undefined): boolean {
  const next = step?.pipe?.children[step.stepsRun + 1];
  const made = step?.key === "!jq" && next?.key === "!sha" ? step.program : undefined;
  const body = made === undefined || made.diagnostics.length > 0 ? undefined : plainBody(made);
  const [only, ...others] = body?.kind === "Object" ? body.entries : [];
  return only !== undefined && others.length === 0 && nameOf(only.key) === "value_to_encrypt";
}

const hasBody = ({ argument }: Command): boolean =>
  argument?.kind !== "object" || argument.get("body") !== undefined;

/** The one request of an `update` that changes the registration at the service and leaves out the address. */
/** `PUT changes the members that are sent and keeps the others`, `the address of a hook can't be changed` */
const keepsRest =
  /\b(?:keeps?|leaves?) (?:the (?:others?|rest)|all (?:else|others?)|everything else)\b|\bmerge(?:s|d)\b|\b(?:address|URL)\b[^.;]{0,40}\b(?:can't|cannot|can not|never) (?:be )?(?:changed?|moved?|sent again)\b/i;

function lacksUrl(intake: IntakeSymbol, update: Command, model: Model) {
  const create = intake.commands.get("create");
  const requests = (allIn(update) ?? []).filter(({ key }) => key === "!http");
  // What only looks something up, or renews it, has no body.
  const [request, ...others] = requests.length > 1 ? requests.filter(hasBody) : requests;
  const method = textOf(request?.argument, "method")?.toUpperCase();
  // With several requests it may be right.
  if (request === undefined || others.length > 0) return undefined;
  if (method !== "PUT" && method !== "POST" && method !== "PATCH") return undefined;
  if (isSaid(keepsRest, intake, model)) return undefined;
  const sent = sentBy(request);
  const made =
    create === undefined
      ? undefined
      : (registrationSent(create) ??
        waysToRegister(create).find((way) => sent !== undefined && repeatsAll(sent, way)));
  if (isOfPart(request)) return lacksInPart(request, sent, made) ? { request, args: { method } } : undefined;
  if (isUnclear(request, sent, made, update, model)) return undefined;
  const isGraphql = sent?.get("query")?.isText === true;
  if (method !== "PATCH" && !isGraphql) return { request, args: { method } };
  // A change of some members may be right without it, if it is one of what the customer chose.
  if (sent === undefined || made === undefined) return undefined;
  if (!isGraphql && repeatsAll(sent, made)) return { request, args: { method } };
  return isFixed(request, sent, made, model)
    ? { request, args: { method, isFixed: true as const } }
    : undefined;
}

/** What each case of a `create` sends with the address, where it makes a registration or takes over the one that is there. */
function waysToRegister(create: Command): readonly Sent[] {
  const requests = (allIn(create) ?? []).flatMap((request) => {
    const sent = request.key === "!http" ? sentBy(request) : undefined;
    const isSent = sent !== undefined && [...sent.values()].some((value) => holds(value, "webhook.url"));
    return isSent ? [{ request, sent }] : [];
  });
  const [first, ...others] = requests;
  return others.every(({ request }) => areAlternatives(first!.request, request))
    ? requests.map(({ sent }) => sent)
    : [];
}

/** Whether a request to the address of a registration, `/hooks/ID/url`, sends nothing of it, or one that replaces it all but the address. */
function lacksInPart({ argument }: Command, sent: Sent | undefined, made: Sent | undefined): boolean {
  const part = /\/([\w-]+)\/?$/.exec(textOf(argument, "path") ?? "")?.[1] ?? "";
  const isConstant = sent !== undefined && [...sent.values()].every((value) => !holds(value, "$"));
  if (isConstant) return /^(?:(?:target|callback|hook|webhook)[_-]?)?(?:url|address)$/i.test(part);
  const replaces = /^(?:replace|recreate|re-?register)$/i.test(part);
  return replaces && sent !== undefined && made !== undefined && repeatsAll(sent, made);
}

/** A request that sends all of what another case of its `!switch` sends, in the same words, but the address. */
function lacksUrlBeside(command: Command) {
  const requests = (allIn(command) ?? []).filter(({ key }) => key === "!http");
  if (requests.length < 2) return undefined;
  const all = requests.flatMap((request) => {
    const sent = sentBy(request);
    return sent === undefined ? [] : [{ request, sent }];
  });
  for (const { request, sent } of all) {
    const method = textOf(request.argument, "method")?.toUpperCase();
    if (sent.size === 0 || (method !== "POST" && method !== "PUT")) continue;
    if ([...sent].some(([name, value]) => holds(value, "webhook") || /webhook|url/i.test(name))) continue;
    const isBeside = all.some((other) => {
      if (other.request === request || !areAlternatives(other.request, request)) return false;
      const [left, ...more] = [...other.sent].filter(([name]) => !sent.has(name));
      const isSame = [...sent].every(([name, value]) => other.sent.get(name)?.text === value.text);
      return isSame && more.length === 0 && left !== undefined && holds(left[1], "webhook.url");
    });
    if (isBeside) return { request, args: { method } };
  }
  return undefined;
}

/** Whether `update` sends all that `create` sends but its address: also what no customer can have changed. */
function repeatsAll(sent: Sent, made: Sent): boolean {
  const [left, ...others] = [...made].filter(([name]) => !sent.has(name));
  return (
    left !== undefined &&
    others.length === 0 &&
    holds(left[1], "webhook") &&
    [...sent].some(([name, value]) => !holds(value, "$") && made.has(name))
  );
}

/** Whether all that `update` sends of what `create` sends is the same whatever the customer chose, so that it changes nothing. */
function isFixed({ node }: Command, sent: Sent, made: Sent, { expansions }: Model): boolean {
  const repeated = [...sent.keys()].filter((name) => name !== "query" && made.has(name));
  const isOfSetup = expansions.some(
    ({ root, node: at }) => root !== "data" && node.start <= at.start && at.end <= node.end,
  );
  return !isOfSetup && (sent.size === 0 || repeated.length > 0);
}

/** Whether something of what a request sends may have been meant for the address. */
function isUnclear(
  request: Command,
  sent: Sent | undefined,
  made: Sent | undefined,
  { node }: Command,
  { document, expansions }: Model,
): boolean {
  const { argument } = request;
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  if (argument?.kind !== "object" || body === undefined) return true;
  // What a step makes of the body has been read.
  const isBuilt = body.kind === "string" && sent !== undefined && builtBy(body, request) !== undefined;
  const isKnown = sent !== undefined && made !== undefined;
  // What `create` sends beside the address under the same name, in the same words, isn't the address here either.
  const repeated = new Set(
    isKnown
      ? [...sent].flatMap(([name, value]) => (value.text === made.get(name)?.text ? value.node : []))
      : [],
  );
  if (isKnown && [...sent].some((each) => mayMeanUrl(each, made))) return true;
  for (const name of isKnown ? ["params"] : ["body", "params"]) {
    const part = argument.get(name);
    if (part !== undefined && /webhook|url/i.test(document.text.slice(part.start, part.end))) return true;
  }
  return expansions.some(
    (expansion) =>
      node.start <= expansion.node.start &&
      expansion.node.end <= node.end &&
      !(isBuilt && expansion.node === body) &&
      !repeated.has(expansion.node) &&
      mayGiveUrl(expansion),
  );
}

/** Whether a member may be meant for the address: not what `create` sends beside it, the text of a query, or an id that was saved. */
function mayMeanUrl([name, value]: readonly [string, SentValue], made: Sent): boolean {
  const other = made.get(name);
  if (name === "query" && value.isText) return false;
  if (other !== undefined && value.isText === other.isText && value.text === other.text) return false;
  if (value.isText && /^\$[{<]data\.\w+\.\w+[}>]$/.test(value.text) && isIdName(name.split(".").at(-1)!))
    return false;
  return /webhook|url/i.test(name) || holds(value, "webhook") || holds(value, "url") || holds(value, "http");
}

/** Whether an expansion in a command that reads the address nowhere may still give it: what a service answered may have it. */
function mayGiveUrl({ root, rootExact, syntax: { problem, path }, command }: Expansion): boolean {
  if (problem !== undefined || !rootExact) return true;
  if (root === "data" || root === "custom_data" || isOnlyHashed(command)) return false;
  const index = root === "piped_content" ? Number(path[1]?.text) : 0;
  if (!(index > 0) || command?.pipe === undefined || outermostCommand(command) !== command.pipe) return true;
  if (path.length > 2 && notUrl.test(path.at(-1)!.text)) return false;
  return !command.pipe.children.slice(0, index).every((step) => step !== undefined && isOfSetup(step));
}

/** Whether a step gives nothing but what was saved, what customers chose and what it makes itself. */
function isOfSetup(step: Command): boolean {
  if (step.key === "!sha" || isOnlyHashed(step)) return true;
  if (step.key !== "!jq" || step.program === undefined || step.program.diagnostics.length > 0) return false;
  // Another root may have been meant for the address.
  const { members, whole } = inputReads(step.program);
  return (
    !takesRoots(step) || (!whole && [...members].every((name) => name === "data" || name === "custom_data"))
  );
}

const notUrl = /^(?:id|version|rev(?:ision)?|etag|hash|secret|token)$/i;

/** The `create` or `update` that a command is part of. */
function registering(command: Command | undefined): Command | undefined {
  if (command?.place.name !== "intake.create" && command?.place.name !== "intake.update") return undefined;
  return outermostCommand(command);
}

function mayBeUrl({ root, syntax: { problem, path }, command }: Expansion): boolean {
  if (root === "webhook" || root === undefined || problem !== undefined) return true;
  if (root !== "piped_content" || command === undefined) return false;
  const [, index, member] = path.map(({ text }) => text);
  // The input of the outermost pipe are the roots (D16), the address among them; a later value has it only if it is passed on.
  if (index === "0" && takesRoots(command.pipe ?? command))
    return member === undefined || member === "webhook";
  return passesRootsOn(command) && path.some(({ text }) => text === "webhook");
}

function mayReadUrl(program: JqProgram): boolean {
  const { command, node } = program;
  if (takesRoots(command)) return /webhook/.test(node.value) || passesInput(program);
  return passesRootsOn(command) && /webhook/.test(node.value);
}

/** Whether the outermost pipe around a command begins with one that gives what it takes, so that a later step has the roots. */
function passesRootsOn(command: Command): boolean {
  let at = command;
  while (at.parent !== undefined) at = at.parent;
  return allIn(at)?.some((each) => passing.has(each.key) && takesRoots(each)) ?? true;
}

/** Commands that pass their input on, or parts of it. `!jq` may too: that its program does is a use by itself. */
const passing: ReadonlySet<Command["key"]> = new Set(["!save", "!print_c", "!extract"]);

/** Whether a program may pass its input on as a whole. */
const passesInput = derivedFromText(({ body }): boolean => takesWhole(body));

function takesWhole(node: Node): boolean {
  switch (node.kind) {
    case "Identity":
    case "RecurseDefault":
    case "Call":
      return true;
    case "Postfix":
      return (
        !(node.head.kind === "Identity" && node.suffixes[0]?.kind === "Field") &&
        children(node).some(takesWhole)
      );
    case "Pipeline": {
      // What stands behind the first stage gets what that makes; names before it are bound to parts of the input.
      const first = node.stages.findIndex(isExpression);
      return node.stages.slice(0, first + 1).some(takesWhole);
    }
    default:
      return children(node).some(takesWhole);
  }
}

/** The body of the request that registers, where the address is most likely missing. */
function placeFor(create: Command, all: readonly Command[]): Location {
  const requests = all.filter(({ key, argument }) => {
    const method = (textOf(argument, "method") ?? "GET").toUpperCase();
    return key === "!http" && !readMethods.has(method);
  });
  const [request, another] = requests;
  if (request === undefined || another !== undefined) return create.member.key;
  const body = request.argument?.kind === "object" ? request.argument.member("body") : undefined;
  return (body ?? request.member).key;
}
