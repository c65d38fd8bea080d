import type { Command, IntakeSymbol, WorkflowSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import { savedKeys } from "../flow/flow.ts";
import { saveScopes } from "../language/commands/save.ts";
import type { JsonNode, MemberNode, SyntaxNode } from "../parse/syntax-tree.ts";
import { baseUrl, commandsIn, detailsOf, outermostOf, requestOf, resourceOf } from "./commands.ts";
import type { EdgeKind, Graph, GraphEdge, GraphNode, GraphRow, Source } from "./graph.ts";
import { mapDetails, scheduleDetails } from "./setup.ts";

/**
 * The graph of an app: intakes, workflows, the hosts that they ask, the platform, and what is saved.
 *
 * Data flows from left to right. A host, and the platform, stand once on each side where they give or take, so that no line has
 * to run back. Pure; also for a document with mistakes, as far as it can be read.
 */
export function graphOf(model: Model): Graph {
  return new Drawing(model).graph();
}

class Drawing {
  private readonly model: Model;
  private readonly nodes = new Map<string, GraphNode>();
  private readonly edges = new Map<string, GraphEdge>();

  constructor(model: Model) {
    this.model = model;
  }

  graph(): Graph {
    for (const intake of this.model.intakes) this.drawIntake(intake);
    for (const workflow of this.model.workflows) this.drawWorkflow(workflow);
    this.drawSaved();
    return { nodes: [...this.nodes.values()], edges: [...this.edges.values()] };
  }

  private drawIntake(intake: IntakeSymbol): void {
    const id = intakeId(intake);
    this.add({
      id,
      kind: "intake",
      title: intake.name ?? "unnamed intake",
      subtitle: subtitleOf(intake),
      rows: [...intake.commands].map(([name, command]) => this.commandRow(name, command)),
      source: sourceOf(intake.node),
    });
    const hosts = this.hostsOf([...intake.commands.values()]);
    const base = baseUrl(this.model);
    const giving = hosts.length > 0 || base === undefined ? hosts : [base];
    for (const host of giving) {
      const from = this.host(host, "source");
      this.connect(from, id, "data", intake.type === "polling" ? pollText(intake) : "events");
    }
  }

  private drawWorkflow(workflow: WorkflowSymbol): void {
    const id = workflowId(workflow);
    this.add({
      id,
      kind: "workflow",
      title: workflow.name ?? "unnamed workflow",
      subtitle: [workflow.direction, workflow.auth?.name].filter((part) => part !== undefined).join(", "),
      rows: this.workflowRows(workflow),
      source: sourceOf(workflow.node),
    });
    const history = workflow.historicalIntake?.target;
    const intake = workflow.intake?.target;
    if (intake !== undefined) this.connect(intakeId(intake), id, "data", "items");
    if (history !== undefined && history !== intake) this.connect(intakeId(history), id, "data", "the past");
    const own = outermostOf(workflow, this.model);
    for (const command of own) {
      const side = command.place.name === "data_pipeline.target" ? "target" : "source";
      if (command.place.name.startsWith("data_pipeline.")) this.connectPipeline(command, side, id);
    }
    // Requests of the setup go to the service itself as a rule; another host is worth a line.
    const known = new Set([baseUrl(this.model)]);
    for (const host of this.hostsOf(own.filter(({ place }) => !place.name.startsWith("data_pipeline."))))
      if (!known.has(host)) this.connect(id, this.host(host, "target"), "requests", "setup");
  }

  private connectPipeline(command: Command, side: "source" | "target", id: string): void {
    const link = (other: string, kind: EdgeKind, label?: string) =>
      side === "source" ? this.connect(other, id, kind, label) : this.connect(id, other, kind, label);
    for (const inner of commandsIn(command)) {
      const isResource = inner.key === "!resource";
      const asksPlatform = inner.key === "!http" && requestOf(inner, this.model)?.toPlatform === true;
      if (isResource || asksPlatform)
        link(this.platform(side), "data", isResource ? resourceOf(inner) : undefined);
    }
    for (const host of this.hostsOf([command]))
      link(this.host(host, side), side === "source" ? "requests" : "data");
  }

  private workflowRows(workflow: WorkflowSymbol): GraphRow[] {
    const setup = workflow.node.get("setup");
    const rows: GraphRow[] = [];
    const steps = setup?.kind === "object" ? setup.members : [];
    for (const member of steps) {
      if (!["connect", "select", "map", "schedule"].includes(member.name)) continue;
      const below = this.commandsBelow(member, workflow);
      const fields = member.name === "select" ? workflow.fields : [];
      if (fields.length === 0) {
        const details = member.name === "map" ? mapDetails(workflow, this.model) : this.details(below);
        rows.push({
          name: member.name,
          details: [...details, ...scheduleDetails(member)],
          source: sourceOf(member),
        });
        continue;
      }
      for (const field of fields) {
        const own = below.filter((command) => command.field === field);
        const type = `${field.type ?? "field"}${field.required ? "" : ", optional"}`;
        rows.push({
          name: field.id ?? "unnamed field",
          details: [type, ...this.details(own)],
          source: sourceOf(field.node),
        });
      }
    }
    const pipeline = workflow.node.get("data_pipeline");
    for (const name of ["source", "target"]) {
      const member = pipeline?.kind === "object" ? pipeline.member(name) : undefined;
      if (member === undefined) continue;
      rows.push({
        name,
        details: this.details(this.commandsBelow(member, workflow)),
        source: sourceOf(member),
      });
    }
    return rows;
  }

  /** A card for each scope in which something is saved, with lines from who saves and to who reads. */
  private drawSaved(): void {
    for (const scope of saveScopes) {
      const saved = savedKeys(this.model).get(scope);
      if (saved === undefined || saved.keys.size === 0) continue;
      const id = `saved_${scope}`;
      this.add({
        id,
        kind: "saved",
        title: `data.${scope}`,
        subtitle: `saved, ${perScope[scope]}`,
        rows: [...saved.keys].map(([key, [save]]) => ({
          name: key,
          details: [],
          ...(save === undefined ? {} : { source: sourceOf(save.node) }),
        })),
      });
      const savers = new Set(saved.saves.map((save) => this.unitId(save)));
      for (const unit of savers) if (unit !== undefined) this.connect(unit, id, "saves", "saves");
      for (const { root, syntax, command } of this.model.expansions) {
        if (root !== "data" || syntax.path[1]?.text !== scope || command === undefined) continue;
        const unit = this.unitId(command);
        // Who saves a value reads it too, as a rule: one line says both.
        if (unit !== undefined && !savers.has(unit)) this.connect(id, unit, "reads", "reads");
      }
    }
  }

  private unitId({ unit }: Command): string | undefined {
    if (unit?.kind === "intake") return intakeId(unit);
    return unit?.kind === "workflow" ? workflowId(unit) : undefined;
  }

  private commandsBelow(member: MemberNode, unit: WorkflowSymbol): Command[] {
    return outermostOf(unit, this.model).filter(
      ({ node }) => member.start <= node.start && node.end <= member.end,
    );
  }

  private commandRow(name: string, command: Command): GraphRow {
    return { name, details: this.details([command]), source: sourceOf(command.node) };
  }

  private details(commands: readonly Command[]): string[] {
    return [...new Set(commands.flatMap((command) => detailsOf(this.model, command)))];
  }

  private hostsOf(commands: readonly Command[]): string[] {
    const requests = commands
      .flatMap((command) => commandsIn(command))
      .filter(({ key }) => key === "!http")
      .map((command) => requestOf(command, this.model));
    const hosts = requests.flatMap((request) =>
      request === undefined || request.toPlatform ? [] : [request.host ?? "any host"],
    );
    return [...new Set(hosts)];
  }

  private host(host: string, side: "source" | "target"): string {
    const id = `host_${side}_${identifier(host)}`;
    const own = host === baseUrl(this.model);
    this.add({
      id,
      kind: "host",
      title: host,
      subtitle: own ? "the service" : host === "any host" ? "an expansion decides" : "another host",
      rows: [],
    });
    return id;
  }

  private platform(side: "source" | "target"): string {
    const id = `platform_${side}`;
    this.add({ id, kind: "platform", title: "Platform", subtitle: "contacts", rows: [] });
    return id;
  }

  private add(node: GraphNode): void {
    if (!this.nodes.has(node.id)) this.nodes.set(node.id, node);
  }

  private connect(from: string, to: string, kind: EdgeKind, label?: string): void {
    const key = `${from} ${to} ${kind}`;
    if (!this.edges.has(key))
      this.edges.set(key, { from, to, kind, ...(label === undefined ? {} : { label }) });
  }
}

const perScope = {
  workflow: "for each workflow",
  connection: "for each connection",
  application: "for all customers",
} as const;

function subtitleOf({ type, scope }: IntakeSymbol): string {
  if (type === undefined) return "intake";
  return scope === undefined ? type : `${type}, one ${perScope[scope]}`;
}

/** `frequency` is in seconds; without one the platform decides. */
function pollText({ node }: IntakeSymbol): string {
  const frequency = node.get("frequency");
  const seconds = frequency?.kind === "number" ? Number(frequency.value) : undefined;
  return seconds === undefined ? "polled" : `polled every ${periodText(seconds)}`;
}

function periodText(seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds >= 3_600 && seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function intakeId({ index }: IntakeSymbol): string {
  return `intake_${index}`;
}

function workflowId({ index }: WorkflowSymbol): string {
  return `workflow_${index}`;
}

/** Letters and digits as they are, everything else by its code: two hosts never get one id. */
function identifier(text: string): string {
  return text.replace(/[^A-Za-z0-9]/gu, (character) => `_${character.codePointAt(0)!.toString(16)}`);
}

function sourceOf(node: JsonNode | MemberNode | SyntaxNode): Source {
  return { pointer: pointerTo(node), span: { start: node.start, end: node.end } };
}
