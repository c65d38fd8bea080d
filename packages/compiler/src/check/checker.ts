import type { Model } from "../bind/model.ts";
import type { Part } from "../bind/part.ts";
import type { Finding } from "../findings/rule.ts";
import { told } from "../parse/syntax-problem.ts";
import { anchored, areWithin } from "./anchored-finding.ts";
import { ofEachPart } from "./by-part.ts";
import type { Checks, Report, RuleModule } from "./checks.ts";
import { ruleModules } from "./registry.ts";

type Hook<T> = (subject: T, report: Report, model: Model) => void;

/** The hooks of one kind, of some modules: collected once, so that a check loops over short arrays of functions. */
function hooks<T>(
  modules: readonly RuleModule[],
  select: (checks: Checks) => Hook<T> | undefined,
): readonly Hook<T>[] {
  return modules.flatMap(({ checks }) => {
    const hook = select(checks);
    return hook === undefined ? [] : [hook.bind(checks) as Hook<T>];
  });
}

function table<T extends string, S>(
  modules: readonly RuleModule[],
  select: (checks: Checks) => Readonly<Partial<Record<T, Hook<S>>>> | undefined,
): Map<string, Hook<S>[]> {
  const found = new Map<string, Hook<S>[]>();
  for (const { checks } of modules) {
    for (const [key, hook] of Object.entries(select(checks) ?? {}) as [T, Hook<S>][]) {
      found.set(key, [...(found.get(key) ?? []), hook]);
    }
  }
  return found;
}

/** The hooks that look at one thing of the document. */
function collect(modules: readonly RuleModule[]) {
  return {
    structure: table(
      modules,
      (checks) => checks.structure as Readonly<Record<string, Hook<Model["structure"][number]>>> | undefined,
    ),
    part: hooks(modules, (checks) => checks.part),
    auth: hooks(modules, (checks) => checks.auth),
    intake: hooks(modules, (checks) => checks.intake),
    workflow: hooks(modules, (checks) => checks.workflow),
    field: hooks(modules, (checks) => checks.field),
    map: hooks(modules, (checks) => checks.map),
    object: hooks(modules, (checks) => checks.object),
    command: table(
      modules,
      (checks) => checks.command as Readonly<Record<string, Hook<Model["commands"][number]>>> | undefined,
    ),
    expansion: hooks(modules, (checks) => checks.expansion),
    template: hooks(modules, (checks) => checks.template),
    program: hooks(modules, (checks) => checks.program),
  };
}

type Collected = ReturnType<typeof collect>;

function collectAll() {
  return {
    syntax: hooks(ruleModules, (checks) => checks.syntax),
    api: hooks(ruleModules, (checks) => checks.api),
    document: ruleModules.flatMap(({ checks }) =>
      checks.document === undefined ? [] : [checks.document.bind(checks)],
    ),
    near: reaching(undefined),
    linked: reaching("linked"),
    saved: reaching("saved"),
    far: reaching("document"),
  };
}

const reaching = (reach: Checks["reach"]): Collected =>
  collect(ruleModules.filter(({ checks }) => checks.reach === reach));

let collected: ReturnType<typeof collectAll> | undefined;

/** Runs every rule over the model. What is found in a part is kept while neither the part nor what is reached from it changes. */
export function check(model: Model): Finding[] {
  collected ??= collectAll();
  const { syntax, api, document, far } = collected;
  const findings: Finding[] = [];
  const report = reportTo(findings);
  each(told(model.document.problems, model.document.text), syntax, report, model);
  if (model.api !== undefined) each([model.api], api, report, model);
  for (const reach of ["near", "linked", "saved"] as const) {
    const hooks = collected[reach];
    const found = ofEachPart(model, foundIn, (part) => foundIn(part, hooks, model), areWithin, reach);
    for (const finding of found) findings.push(finding);
  }
  for (const part of model.parts) checkPart(part, far, report, model);
  for (const hook of document) hook(model, report);
  return findings;
}

function reportTo(findings: Finding[]): Report {
  return (rule, at, args, related = []) => {
    findings.push({ rule, at, args, related } as Finding);
  };
}

function each<T>(subjects: readonly T[], hooks: readonly Hook<T>[], report: Report, model: Model): void {
  if (hooks.length === 0) return;
  for (const subject of subjects) for (const hook of hooks) hook(subject, report, model);
}

/** What hooks find in a part, so that it can be kept. */
function foundIn(part: Part, hooks: Collected, model: Model): readonly Finding[] {
  const findings: Finding[] = [];
  checkPart(part, hooks, reportTo(findings), model);
  const { item } = part;
  return item === undefined ? findings : findings.map((finding) => anchored(finding, item.node));
}

/** One pass over each kind of thing in a part. */
function checkPart(part: Part, hooks: Collected, report: Report, model: Model): void {
  for (const problem of part.structure)
    each([problem], hooks.structure.get(problem.kind) ?? none, report, model);
  each([part], hooks.part, report, model);
  each(part.auths, hooks.auth, report, model);
  each(part.intakes, hooks.intake, report, model);
  each(part.workflows, hooks.workflow, report, model);
  for (const workflow of part.workflows) {
    each(workflow.fields, hooks.field, report, model);
    each(workflow.maps, hooks.map, report, model);
  }
  each(part.objects, hooks.object, report, model);
  if (hooks.command.size > 0) {
    const any = hooks.command.get("any") ?? none;
    for (const command of part.commands) {
      for (const hook of any) hook(command, report, model);
      for (const hook of hooks.command.get(command.key) ?? none) hook(command, report, model);
    }
  }
  each(part.expansions, hooks.expansion, report, model);
  each(part.templates, hooks.template, report, model);
  each(part.programs, hooks.program, report, model);
}

const none: readonly never[] = [];
