import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule, type Fix, type FixContext, type Related } from "../../../findings/rule.ts";
import { saveCommands } from "../../../flow/saved.ts";
import { saveScopes } from "../../../language/commands/save.ts";
import { type Location, spanOf } from "../../../parse/document.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

type Scope = (typeof saveScopes)[number];

/** Who shares what is stored in a scope. */
const owners: Readonly<Record<Scope, string>> = {
  workflow: "one installation of the workflow",
  connection: "all workflows of one connected account",
  application: "all customers",
};

const otherScope = defineRule<{ scope: Scope; intake: Scope }>({
  id: "command/save-scope",
  severity: "warning",
  summary: "A webhook intake saves in a scope other than its own",
  why: "A webhook is registered once per installation, connection or app, as the intake's `scope` says. What `create` saves belongs to that registration: in a wider scope the next registration overwrites it, and in a narrower one `delete` doesn't find it. Either way webhooks stay registered at the service.",
  guards: ["D24", "D31", "webhook.create", "webhook.scope", "command.!save"],
  message: ({ scope, intake }) =>
    `This saves for ${owners[scope]} (\`${scope}\`), but the scope of the intake is \`${intake}\`.`,
  because: ({ scope, intake }) => [
    `the webhook is registered once for ${owners[intake]}`,
    `its id is saved once for ${owners[scope]}`,
  ],
  help: ({ intake }) => `Save in \`${intake}\` and read it as \`\${data.${intake}.KEY}\`.`,
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/2/!save/scope",
      bad: '«"connection"»',
      good: '"workflow"',
      fixed: '"workflow"',
    },
  ],
  fixes: ({ at, args, related }, context) => {
    const places = [at, ...related.filter(({ message }) => message === alsoSaved).map((other) => other.at)];
    return [changeTo(args.intake, args.scope, places, context)];
  },
});

/** All of an intake are one mistake: the scope of either side. */
const alsoSaved = "also saved there";

const applicationScope = defineRule<{ intake: Scope | undefined }>({
  id: "command/application-scope",
  severity: "error",
  summary: "One customer's data is saved for all customers",
  why: "All customers of the app share the scope `application`: what one saves, every other reads and overwrites. Only a webhook intake of the scope `application`, whose one registration serves all customers, has something to save there.",
  guards: ["D24", "command.!save"],
  message: () =>
    "All customers share the scope `application`, so each would overwrite the data of the others. Only a webhook intake of the scope `application` can save in it.",
  because: () => ["customer A saves a value", "customer B saves another one over it, and A reads that of B"],
  help: ({ intake }) =>
    `Save in ${intake === undefined ? "`workflow` (this installation) or `connection` (this account)" : `\`${intake}\``}.`,
  examples: [
    {
      title: "D24: in a webhook intake of another scope",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/2/!save/scope",
      bad: '«"application"»',
      good: '"workflow"',
      fixed: '"workflow"',
    },
    {
      title: "D24: in a polling intake",
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      bad: '{"!pipe": [{"!jq": "{since: .polling_state.since}"}, {"!save": {"scope": «"application"»}}, {"!jq": "{polling_state: ${polling_state}}"}]}',
      good: '{"!pipe": [{"!jq": "{since: .polling_state.since}"}, {"!save": {"scope": "connection"}}, {"!jq": "{polling_state: ${polling_state}}"}]}',
      fixed:
        '{"!pipe": [{"!jq": "{since: .polling_state.since}"}, {"!save": {"scope": "workflow"}}, {"!jq": "{polling_state: ${polling_state}}"}]}',
    },
  ],
  fixes: ({ at, args }, context) => [changeTo(args.intake ?? "workflow", "application", [at], context)],
});

const module: RuleModule = {
  rules: [otherScope, applicationScope],
  checks: {
    document(model, report) {
      const others = new Map<
        string,
        { scope: Scope; intake: IntakeSymbol; own: Scope; places: StringNode[] }
      >();
      for (const command of saveCommands(model)) {
        const written = command.argument?.kind === "object" ? command.argument.get("scope") : undefined;
        if (written?.kind !== "string" || !isScope(written.value)) continue;
        const intake = command.unit?.kind === "intake" ? command.unit : undefined;
        const scope = written.value;
        // Which kind of intake it is, or which scope it has, may be a mistake of its own.
        if (intake !== undefined && intake.type === undefined) continue;
        if (intake?.type === "webhook" && (intake.scope === undefined || intake.scope === scope)) continue;
        const own = intake?.type === "webhook" ? intake.scope : undefined;
        if (scope === "application") report(applicationScope, written, { intake: own }, scopeOf(intake, own));
        else if (intake !== undefined && own !== undefined) {
          const key = `${intake.index} ${scope}`;
          const known = others.get(key);
          if (known === undefined) others.set(key, { scope, intake, own, places: [written] });
          else known.places.push(written);
        }
      }
      for (const { scope, intake, own, places } of others.values()) {
        const [first, ...more] = places;
        report(otherScope, first!, { scope, intake: own }, [
          ...scopeOf(intake, own),
          ...more.map((at) => ({ message: alsoSaved, at })),
        ]);
      }
    },
  },
};
export default module;

function scopeOf(intake: IntakeSymbol | undefined, own: Scope | undefined): Related[] {
  const at = own === undefined ? undefined : intake?.node.get("scope");
  return at === undefined ? [] : [{ message: "the scope of the intake", at }];
}

function changeTo(
  scope: Scope,
  from: Scope,
  places: readonly Location[],
  { document, model }: FixContext,
): Fix {
  return {
    title: `Save in \`${scope}\``,
    // Where the values are read in the scope in which they are saved now, changing one side alone breaks the other.
    safe: !model.expansions.some((expansion) => expansion.root === "data" && readsScope(expansion, from)),
    edits: places.map((at) => ({ ...spanOf(document, at), newText: JSON.stringify(scope) })),
  };
}

function readsScope({ syntax }: Model["expansions"][number], scope: Scope): boolean {
  return syntax.path[1]?.text === scope;
}

function isScope(name: string): name is Scope {
  return (saveScopes as readonly string[]).includes(name);
}
