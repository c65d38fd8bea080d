import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const updateDeletes = defineRule<{ path: string }>({
  id: "intake/update-deletes",
  severity: "warning",
  summary: "`update` only deletes the registration",
  why: "`update` runs because the setup was changed, and the workflow goes on. If it deletes the registration and makes no other, no event arrives after the first change, and nothing says so.",
  guards: ["webhook.update", "D32"],
  message: ({ path }) => `After \`DELETE ${path}\` there is no registration, and \`update\` makes no other.`,
  because: () => [
    "a customer changes the setup: `update` deletes the registration",
    "the workflow is still active, but no event arrives",
  ],
  help: () =>
    "Change the registration with `PUT` or `PATCH`. Or remove `update`: the platform then makes a new registration and deletes the old one.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      bad: '{«"!http"»: {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
    },
  ],
});

const updateWithoutId = defineRule<{ method: string; path: string }>({
  id: "intake/update-without-id",
  severity: "warning",
  summary: "`update` doesn't say which registration it changes",
  why: "`create` saves the id of the registration, and `delete` names it by that id. An `update` of the whole list without the id changes nothing, or all registrations of the account.",
  guards: ["webhook.update", "D24", "D32"],
  message: ({ method, path }) =>
    `\`${method} ${path}\` names no registration. This is the list that \`create\` posts to.`,
  because: ({ path }) => [
    `\`create\`: POST \`${path}\` makes a registration, whose id is saved`,
    `\`update\` sends no id: which of \`${path}\` it means isn't said`,
  ],
  help: () => "Name it by the saved id, as `delete` does.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}',
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      },
      bad: '{«"!http"»: {"method": "PUT", "path": "/hooks", "body": {"url": "${webhook.url}"}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
    },
  ],
});

const otherList = defineRule<{ list: string; known: string; other: string }>({
  id: "intake/other-list",
  severity: "warning",
  summary: "`update` or `delete` uses another list than the one where the registration was made",
  why: "The saved id is that of a registration. In another list nothing has this id, or something else has. A change doesn't arrive. A 404 on `delete` counts as success, while events keep coming.",
  guards: ["webhook.update", "webhook.delete", "D32"],
  message: ({ list, known, other }) =>
    `\`create\` and \`${other}\` use \`${known}\`, but this looks for the saved id in \`${list}\`.`,
  because: ({ list, known }) => [
    `the registration is one of \`${known}\``,
    `its id is none of \`${list}\`: 404`,
  ],
  help: ({ known }) => `Name it in \`${known}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}',
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
      },
      bad: '{«"!http"»: {"method": "DELETE", "path": "/forms/${data.workflow.hook_id}"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [updateDeletes, updateWithoutId, otherList],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const [create, update, remove] = ["create", "update", "delete"].map((name) =>
        onlyRequest(intake, name),
      );
      const [made, removed] = [create, remove].map((request) => targetOf(request, intake, model));
      if (update === undefined) return;
      const changed = targetOf(update, intake, model);
      if (changed === undefined) return;
      const { method, path } = changed;
      if (method === "DELETE") {
        report(updateDeletes, update.member.key, { path });
        return;
      }
      if (made?.method !== "POST" || removed === undefined || remove === undefined) return;
      const isOnList = (method === "PUT" || method === "PATCH") && path === made.path;
      if (isOnList && !changed.readsSaved && removed.key !== undefined)
        report(updateWithoutId, update.member.key, { method, path });
      else if (changed.key !== undefined && changed.key === removed.key) {
        const known = made.path.split("/").at(-1)!;
        const [first, second] = [changed.list, removed.list];
        if (first === undefined || second === undefined) return;
        if (first === known && second !== known)
          report(otherList, remove.member.key, { list: second, known, other: "update" });
        else if (second === known && first !== known)
          report(otherList, update.member.key, { list: first, known, other: "delete" });
      }
    },
  },
};
export default module;

function onlyRequest({ commands }: IntakeSymbol, name: string): Command | undefined {
  const root = commands.get(name);
  const requests = (root === undefined ? undefined : allIn(root))?.filter(({ key }) => key === "!http") ?? [];
  return requests.length === 1 ? requests[0] : undefined;
}

/** What a request is sent to. */
interface Target {
  readonly method: string;
  readonly path: string;
  /** The saved value that is the last segment of its path, and the list before it. */
  readonly key: string | undefined;
  readonly list: string | undefined;
  /** Whether anything in it may name a registration. */
  readonly readsSaved: boolean;
}

function targetOf(request: Command | undefined, intake: IntakeSymbol, model: Model): Target | undefined {
  const argument = request?.argument;
  const [path, method] = [textOf(argument, "path"), textOf(argument, "method")?.toUpperCase()];
  if (path === undefined || method === undefined) return undefined;
  const own = partOfUnit(intake, model).expansions.filter(({ command }) => command === request);
  // What a broken expansion means isn't known.
  if (own.some(({ syntax }) => syntax.problem !== undefined)) return undefined;
  const last = own.find(
    ({ root, node, syntax }) => root === "data" && node.value === path && syntax.end === path.length,
  );
  const key = last?.syntax.path[2]?.text;
  const list = last === undefined ? undefined : /([\w-]+)\/$/.exec(path.slice(0, last.syntax.start))?.[1];
  const readsSaved = own.some(
    ({ root, rootExact }) => root !== "custom_data" && (root !== "webhook" || !rootExact),
  );
  return { method, path, key, list, readsSaved };
}
