import type { Model } from "../bind/model.ts";
import type { Checks, Report } from "./checks.ts";
import { ruleModules } from "./registry.ts";
import type { Finding } from "./rule.ts";

type Hook<T> = (subject: T, report: Report, model: Model) => void;

/** The hooks of one kind, of all modules: collected once, so that a check loops over short arrays of functions. */
function hooks<T>(select: (checks: Checks) => Hook<T> | undefined): readonly Hook<T>[] {
  return ruleModules.flatMap(({ checks }) => {
    const hook = select(checks);
    return hook === undefined ? [] : [hook.bind(checks) as Hook<T>];
  });
}

function table<T extends string, S>(
  select: (checks: Checks) => Readonly<Partial<Record<T, Hook<S>>>> | undefined,
): Map<string, Hook<S>[]> {
  const found = new Map<string, Hook<S>[]>();
  for (const { checks } of ruleModules) {
    for (const [key, hook] of Object.entries(select(checks) ?? {}) as [T, Hook<S>][]) {
      found.set(key, [...(found.get(key) ?? []), hook]);
    }
  }
  return found;
}

function collect() {
  return {
    document: ruleModules.flatMap(({ checks }) =>
      checks.document === undefined ? [] : [checks.document.bind(checks)],
    ),
    syntax: hooks((checks) => checks.syntax),
    structure: table(
      (checks) => checks.structure as Readonly<Record<string, Hook<Model["structure"][number]>>> | undefined,
    ),
    auth: hooks((checks) => checks.auth),
    api: hooks((checks) => checks.api),
    intake: hooks((checks) => checks.intake),
    workflow: hooks((checks) => checks.workflow),
    field: hooks((checks) => checks.field),
    map: hooks((checks) => checks.map),
    object: hooks((checks) => checks.object),
    command: table(
      (checks) => checks.command as Readonly<Record<string, Hook<Model["commands"][number]>>> | undefined,
    ),
    expansion: hooks((checks) => checks.expansion),
    template: hooks((checks) => checks.template),
    program: hooks((checks) => checks.program),
  };
}

let collected: ReturnType<typeof collect> | undefined;

/** Runs every rule over the model; one pass over each kind of thing. */
export function check(model: Model): Finding[] {
  collected ??= collect();
  const all = collected;
  const findings: Finding[] = [];
  const report: Report = (rule, at, args, related = []) => {
    findings.push({ rule, at, args, related } as Finding);
  };
  const each = <T>(subjects: readonly T[], hooks: readonly Hook<T>[]): void => {
    for (const subject of subjects) for (const hook of hooks) hook(subject, report, model);
  };
  each(model.document.problems, all.syntax);
  for (const problem of model.structure) {
    for (const hook of all.structure.get(problem.kind) ?? []) hook(problem, report, model);
  }
  each(model.auths, all.auth);
  if (model.api !== undefined) each([model.api], all.api);
  each(model.intakes, all.intake);
  each(model.workflows, all.workflow);
  for (const workflow of model.workflows) {
    each(workflow.fields, all.field);
    each(workflow.maps, all.map);
  }
  each(model.objects, all.object);
  const any = all.command.get("any") ?? [];
  for (const command of model.commands) {
    for (const hook of any) hook(command, report, model);
    const own = all.command.get(command.key);
    if (own !== undefined) for (const hook of own) hook(command, report, model);
  }
  each(model.expansions, all.expansion);
  each(model.templates, all.template);
  each(model.programs, all.program);
  for (const hook of all.document) hook(model, report);
  return findings;
}
