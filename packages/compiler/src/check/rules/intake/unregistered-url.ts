import { walk } from "@configc/jq";
import { derived, derivedFromText } from "../../../bind/derived.ts";
import { mayHaveLostMembers } from "../../../bind/lost-members.ts";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../../../bind/model.ts";
import { textOf } from "../../../bind/model.ts";
import { takesRoots } from "../../../bind/roots-input.ts";
import { readMethods } from "../../../language/commands/http.ts";
import type { Location } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";
import { allIn } from "../workflow/commands.ts";

const unregisteredUrl = defineRule<Record<string, never>>({
  id: "intake/unregistered-url",
  severity: "warning",
  summary: "`create` never passes `${webhook.url}` on",
  why: "The platform makes a new address for each registration, and only `create` can tell the third party. A registration without it points nowhere, or at an old address: the workflow looks active, and no event ever arrives.",
  guards: ["webhook.create", "expansion.webhook", "D32"],
  message: () => "The third party never learns where to send, because `create` doesn't use `${webhook.url}`.",
  help: () => "Put `${webhook.url}` into the request that registers the webhook, usually into its `body`.",
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

const module: RuleModule = {
  rules: [unregisteredUrl],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "webhook" || usesUrl(model).has(intake)) return;
      if (mayHaveLostMembers(model.document, intake.node)) return;
      const create = intake.commands.get("create");
      // An empty pipe is a mistake of its own.
      if (create?.key === "!pipe" && create.children.length === 0) return;
      const all = create === undefined ? undefined : allIn(create);
      if (create !== undefined && all !== undefined) report(unregisteredUrl, placeFor(create, all), {});
    },
  },
};
export default module;

/** Intakes whose `create` uses the address, or may: what isn't certain counts as a use. */
const usesUrl = derived((model): ReadonlySet<IntakeSymbol> => {
  const found = new Set<IntakeSymbol>();
  for (const expansion of model.expansions) {
    const intake = created(expansion.command);
    if (intake !== undefined && !found.has(intake) && mayBeUrl(expansion)) found.add(intake);
  }
  for (const program of model.programs) {
    const intake = created(program.command);
    if (intake !== undefined && !found.has(intake) && mayReadUrl(program)) found.add(intake);
  }
  return found;
});

function created(command: Command | undefined): IntakeSymbol | undefined {
  if (command?.place.name !== "intake.create") return undefined;
  return command.unit?.kind === "intake" ? command.unit : undefined;
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
const passesInput = derivedFromText((tree): boolean => {
  let whole = false;
  walk(tree, {
    enter(node) {
      if (node.kind === "Postfix" && node.head.kind === "Identity" && node.suffixes[0]?.kind === "Field")
        return false;
      whole ||= node.kind === "Identity" || node.kind === "RecurseDefault" || node.kind === "Call";
      return !whole;
    },
  });
  return whole;
});

/** The body of the request that registers, where the address is most likely missing. */
function placeFor(create: Command, all: readonly Command[]): Location {
  const requests = all.filter(({ key, argument }) => {
    const method = (textOf(argument, "method") ?? "GET").toUpperCase();
    return key === "!http" && !(readMethods as readonly string[]).includes(method);
  });
  const [request, another] = requests;
  if (request === undefined || another !== undefined) return create.member.key;
  const body = request.argument?.kind === "object" ? request.argument.member("body") : undefined;
  return (body ?? request.member).key;
}
