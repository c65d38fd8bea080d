import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { savedKeys } from "../../../flow/flow.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const deleteUnnamed = defineRule<{
  path: string;
  key: string;
  scope: string;
  list: string | undefined;
  /** The path of `create`, of which a part is left out. It is left out elsewhere, so that fingerprints of known findings stay. */
  owner?: string;
}>({
  id: "intake/delete-unnamed",
  severity: "warning",
  summary: "`delete` doesn't name the registration that `create` made and saved",
  why: "Each customer who activates the workflow has a registration of their own. A `delete` that names none removes those of others too, or none at all: then events keep coming to an address that no longer exists.",
  guards: ["webhook.delete", "webhook.update", "D24", "D32"],
  message: ({ path, key, list, owner }) =>
    owner !== undefined
      ? `\`create\` makes the registration at \`${owner}\`, but \`${path}\` leaves out whose it is.`
      : list === undefined
        ? `\`update\` names the registration by the saved \`${key}\`, but \`${path}\` names none.`
        : `\`create\` makes one of \`${list}\` and saves its \`${key}\`, but \`${path}\` is a whole list of them.`,
  because: ({ key, path, owner }) =>
    owner !== undefined
      ? [`\`create\`: \`${owner}\``, `here: \`${path}\`, where the service has no registrations`]
      : [
          `\`create\` saves \`${key}\` of the registration that it made`,
          `\`delete\` doesn't read it: \`${path}\` is that of any registration, or of all`,
        ],
  help: ({ key, scope, owner }) =>
    owner !== undefined
      ? "Write the same path as in `create`, and the id behind it. What the customer may choose anew has to be saved by `create`."
      : `Name it by the saved \`\${data.${scope}.${key}}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
      },
      bad: '{«"!http"»: {"method": "DELETE", "path": "/forms/${custom_data.form.value}/hooks/all"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
    {
      title: "Without whose it is",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/forms/${custom_data.form.value}/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, form_id: ${custom_data.form.value}}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update": undefined,
      },
      bad: '{«"!http"»: {"method": "DELETE", "path": "/forms/hooks/${data.workflow.hook_id}"}}',
      good: '{"!http": {"method": "DELETE", "path": "/forms/${data.workflow.form_id}/hooks/${data.workflow.hook_id}"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [deleteUnnamed],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      for (const { request, ...args } of withoutOwner(intake))
        report(deleteUnnamed, request.member.key, args);
      const found = unnamedDelete(intake, model);
      if (found === undefined) return;
      const { request, path, key, list } = found;
      report(deleteUnnamed, request.member.key, { path, key, list, scope: intake.scope! });
    },
  },
};
export default module;

/** An expansion that is a whole segment of a path. */
const segment = /^(?:\$\{[^{}]+\}|\$<[^<>]+>)$/;
const savedSegment = /^(?:\$\{\s*|\$<\s*)data\.(\w+)\.([\w-]+)\s*[}>]$/;

/** Requests of `update` and `delete` to the path of `create`, without what stands between its names: `/forms/hooks/ID` for `/forms/FORM/hooks/ID`. */
function withoutOwner({ scope, type, commands }: IntakeSymbol) {
  const create = commands.get("create");
  const made = type !== "webhook" || create === undefined ? undefined : madeAt(create);
  const own = made === undefined ? [] : segmentsOf(made);
  const names = own.filter((each) => !segment.test(each));
  // The last one is the list; before it stands whose it is.
  if (
    made === undefined ||
    own.length === names.length ||
    own.at(-1) !== names.at(-1) ||
    segment.test(own[0]!)
  )
    return [];
  return ["update", "delete"].flatMap((name) =>
    commandsIn(commands.get(name)).flatMap((request) => {
      const path = request.key === "!http" ? textOf(request.argument, "path") : undefined;
      const [last, ...before] = path === undefined ? [] : segmentsOf(path).toReversed();
      const [, , key] = savedSegment.exec(last ?? "") ?? [];
      const isShort = before.length === names.length && before.toReversed().join("/") === names.join("/");
      return key !== undefined && isShort
        ? [{ request, path: path!, key, scope: scope!, list: undefined, owner: made }]
        : [];
    }),
  );
}

const commandsIn = (command: Command | undefined): readonly Command[] =>
  (command === undefined ? undefined : allIn(command)) ?? [];

const segmentsOf = (path: string): readonly string[] =>
  path
    .split("?")[0]!
    .split("/")
    .filter((each) => each !== "");

/** A `delete` whose one request reads nothing but what customers chose, where `create` saved what names the registration. */
export function unnamedDelete(intake: IntakeSymbol, model: Model) {
  const { scope, type, commands, node } = intake;
  const [create, remove] = [commands.get("create"), commands.get("delete")];
  if (type !== "webhook" || scope === undefined || create === undefined || remove === undefined)
    return undefined;
  const [request, ...others] = allIn(remove)?.filter(({ key }) => key !== "!pipe") ?? [];
  const path = textOf(request?.argument, "path");
  if (request?.key !== "!http" || path === undefined || others.length > 0) return undefined;
  // What looks like an expansion and is none is told as that.
  if (/[${}<>%]/.test(path.replaceAll(/\$\{[^{}]+\}|\$<custom_data\.[^<>]+>/g, ""))) return undefined;
  const made = madeAt(create);
  const reads = partOfUnit(intake, model).expansions.filter(
    ({ command }) => command !== undefined && outermostCommand(command) === remove,
  );
  // In the path of the very list, what is saved says of whom: `/facilities/${data.workflow.facility_id}/hooks`.
  const isOfOwner = made !== undefined && made !== path && listOf(made) === listOf(path);
  const isChosen = reads.every(
    ({ root, syntax, position }) =>
      syntax.problem === undefined &&
      (root === "custom_data" || (root === "data" && isOfOwner && position === "path")),
  );
  if (!isChosen || mayBeIncomplete(model.document, node)) return undefined;
  // The very list that it was made in is told as that.
  if (
    made === undefined ||
    made === path ||
    [...commentsBelow(node)].some(({ value }) => saysOnly.test(value))
  )
    return undefined;
  const said = new Set(reads.map(({ syntax }) => syntax.path[2]?.text));
  const keys = keysSavedBy(create, scope, model).filter((key) => !said.has(key));
  const named = keys.find((key) => isNamedBy(key, intake, model));
  if (named !== undefined) return { request, path, key: named, list: undefined };
  const [list, own] = [made, path].map((each) => /([A-Za-z][\w-]*s)\/?$/.exec(each)?.[1]);
  const id = list !== undefined && list === own ? keys.find((key) => /(?:^|_)id$|Id$/.test(key)) : undefined;
  return id === undefined ? undefined : { request, path, key: id, list };
}

/** The keys that `create` saves in the intake's scope. */
export function keysSavedBy(create: Command, scope: SaveScope, model: Model): readonly string[] {
  return [...(savedKeys(model).get(scope)?.keys ?? [])].flatMap(([key, saves]) =>
    saves.some((save) => outermostCommand(save) === create) ? [key] : [],
  );
}

/** Where there is one registration only, it needs no name. */
const saysOnly =
  /\b(?:one|only|single) (?:\w+ )?(?:hook|webhook|registration|subscription|endpoint|callback|listener)\b|\bremoves all\b/i;

/** A path, whatever its expansions read: `/facilities/…/hooks`. */
const listOf = (path: string): string =>
  path.replaceAll(/\$\{[^{}]*\}|\$<[^<>]*>/g, "…").replace(/^\/|\/$/g, "");

/** The path to which `create` posts its URL. */
function madeAt(create: Command): string | undefined {
  const paths = (allIn(create) ?? []).flatMap(({ key, argument }) =>
    key === "!http" && textOf(argument, "method")?.toUpperCase() === "POST"
      ? (textOf(argument, "path") ?? [])
      : [],
  );
  return paths.length === 1 ? paths[0] : undefined;
}

/** Whether `update` names what it changes by a saved key, at the end of its path. */
function isNamedBy(key: string, intake: IntakeSymbol, model: Model): boolean {
  return partOfUnit(intake, model).expansions.some(
    ({ root, position, syntax, command, node }) =>
      root === "data" &&
      position === "path" &&
      command?.place.name === "intake.update" &&
      syntax.path[2]?.text === key &&
      syntax.end === node.value.length,
  );
}
