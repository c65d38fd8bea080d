import { nearest } from "@configc/jq";
import {
  type CommandKey,
  commandSpec,
  commandSpecs,
  comment,
  type Direction,
  document as documentSection,
  isCommandKey,
  type Place,
  places,
  type Section,
  type TextValue,
  type Value,
} from "../language/index.ts";
import type { Document } from "../parse/document.ts";
import type { ArrayNode, JsonNode, MemberNode, ObjectNode, StringNode } from "../parse/syntax-tree.ts";
import { parseTemplate, ROOT_NAMES } from "../parse/template.ts";
import { noSamples, type Samples } from "../samples/samples.ts";
import type { Settings } from "../settings.ts";
import { bindExpansion } from "./expansion.ts";
import { accepts, isMissing, planOf } from "./language-queries.ts";
import { mayHaveLostMembers } from "./lost-members.ts";
import {
  type Command,
  type Expansion,
  type ExpansionPosition,
  type FieldSymbol,
  type Model,
  textOf,
  type Unit,
} from "./model.ts";
import { emptyPart, type Item, isEmpty, isSameItem, isSound, type Part } from "./part.ts";
import { bindProgram, evaluatedHoles } from "./program.ts";
import { resolve } from "./resolve.ts";
import { readSuppressions } from "./suppression.ts";
import { authSymbol, fieldSymbol, intakeSymbol, workflowSymbol } from "./symbols.ts";
import { variantOf } from "./variant.ts";

/**
 * Walks the syntax tree along the language table and gives the model: symbols, commands, expansions, programs, and what
 * doesn't fit the table.
 *
 * Dispatches on the command key or on `type` before anything else, so that a mistake is reported against the form that the
 * author meant. What is unknown isn't descended into.
 *
 * @param document a parsed document, broken or not
 * @param settings which prefix resources have, and which tier is allowed
 * @param samples what is known of the API's responses; kept in the model
 */
export function bind(document: Document, settings: Settings, samples: Samples = noSamples): Model {
  return new Binder(document, settings, samples, undefined).bind();
}

/**
 * The same for another version of a document, with the settings and samples that it was bound with: gives what `bind` gives, and takes over what
 * was bound in parts that didn't change.
 */
export function rebind(document: Document, previous: Model): Model {
  return new Binder(document, previous.settings, previous.samples, previous).bind();
}

/** Where a value stands. Immutable: a nested place makes a new one. */
interface Surroundings {
  readonly unit: Unit | undefined;
  readonly direction: Direction | undefined;
  readonly field: FieldSymbol | undefined;
  readonly place: Place | undefined;
  /** The command whose argument this is part of. */
  readonly command: Command | undefined;
  readonly pipe: Command | undefined;
  readonly stepsRun: number;
}

const nowhere: Surroundings = {
  unit: undefined,
  direction: undefined,
  field: undefined,
  place: undefined,
  command: undefined,
  pipe: undefined,
  stepsRun: 0,
};

const none: readonly string[] = [];

class Binder {
  private readonly parts: Part[] = [];
  /** The one that is being bound. */
  private part: Part = emptyPart(undefined);
  private api: Model["api"] = undefined;
  private readonly known: ReadonlyMap<JsonNode, Part>;
  private readonly memory: Model["memory"];
  private readonly document: Document;
  private readonly settings: Settings;
  private readonly samples: Samples;
  private readonly core: boolean;

  constructor(document: Document, settings: Settings, samples: Samples, previous: Model | undefined) {
    this.memory = previous?.memory;
    this.known = new Map(
      (previous?.parts ?? []).flatMap((part) => (part.item === undefined ? [] : [[part.item.node, part]])),
    );
    this.document = document;
    this.settings = settings;
    this.samples = samples;
    this.core = settings.language === "core";
  }

  bind(): Model {
    const { root } = this.document;
    if (root !== undefined)
      this.value({ kind: "section", section: () => documentSection }, root, "The document", nowhere);
    this.begin(undefined);
    const all = <K extends keyof Omit<Part, "item">>(kind: K) =>
      this.parts.flatMap((part) => part[kind] as Part[K][number][]) as Part[K];
    const model: Model = {
      document: this.document,
      settings: this.settings,
      samples: this.samples,
      auths: all("auths"),
      intakes: all("intakes"),
      workflows: all("workflows"),
      objects: all("objects"),
      api: this.api,
      commands: all("commands"),
      expansions: all("expansions"),
      templates: all("templates"),
      inertTemplates: all("inertTemplates"),
      programs: all("programs"),
      structure: all("structure"),
      extendedUses: all("extendedUses"),
      suppressions: all("suppressions"),
      unfinished: all("unfinished"),
      parts: this.parts,
      memory: this.memory,
      derived: new Map(),
    };
    resolve(model);
    return model;
  }

  /** Goes on to another part. */
  private begin(item: Item | undefined): void {
    if (!isEmpty(this.part)) this.parts.push(this.part);
    this.part = emptyPart(item);
  }

  /** An item of a list at the top: bound as it was in the version before, if it is the same. */
  private item(spec: Value, node: JsonNode, owner: string, at: Surroundings): void {
    const item = { node, spec, owner, sound: isSound(node, this.document) };
    const known = this.known.get(node);
    this.begin(item);
    if (known?.item !== undefined && isSameItem(known.item, item)) this.part = known;
    else this.value(spec, node, owner, at);
    this.begin(undefined);
  }

  /** @param owner the member that the value belongs to, for messages: "`name` of a workflow" */
  private value(spec: Value, node: JsonNode, owner: string, at: Surroundings): void {
    if (!accepts(spec, node)) {
      if (spec.kind === "command") this.command(spec, node, owner, at);
      else this.part.structure.push({ kind: "wrong-type", node, expected: spec, owner });
      return;
    }
    switch (spec.kind) {
      case "section":
        return this.section(spec.section(), node as ObjectNode, at);
      case "variant": {
        const object = node as ObjectNode;
        const { said, is } = variantOf(spec, object);
        const section = (is === undefined ? spec.otherwise : spec.variants[is]!)();
        if (said !== undefined && is !== undefined && said !== is)
          this.part.structure.push({ kind: "wrong-variant", object, by: spec.by, said, is, section });
        return this.section(section, object, at);
      }
      case "map":
        return this.map(spec, node as ObjectNode, owner, at);
      case "list":
        return this.list(spec, node as ArrayNode, owner, at);
      case "command":
        return this.command(spec, node, owner, at);
      case "either":
        return this.value(spec.of.find((alternative) => accepts(alternative, node))!, node, owner, at);
      case "text":
        return this.text(spec, node as StringNode, owner, at);
      case "integer":
        if (node.kind === "number") this.integer(spec, node, owner);
        return;
      case "data":
        if (at.command !== undefined) this.data(node, spec.position ?? "value", owner, at);
        return;
    }
  }

  private section(section: Section, node: ObjectNode, outer: Surroundings): void {
    const again = wrappedAgain(node, section);
    if (again !== undefined) {
      this.part.structure.push({ kind: "wrapped-again", member: again.member, section });
      return this.section(section, again.object, outer);
    }
    const at = section.declares === undefined ? outer : this.declare(section.declares, node, outer);
    const plan = planOf(section);
    // Names of members that misspelled ones stand for.
    let meant: readonly string[] = none;
    for (const member of node.members) {
      if (member.repeated) continue;
      const planned = plan.members.get(member.name);
      if (planned === undefined) {
        if (member.name === "_comment") this.comment(member, at);
        else {
          const name = this.unknownMember(member, section, at);
          if (name !== undefined) meant = [...meant, name];
        }
        continue;
      }
      if (planned.member.tier === "ext") this.extended(planned.owner, member);
      if (member.value !== undefined) this.value(planned.member.value, member.value, planned.owner, at);
    }
    if (mayHaveLostMembers(this.document, node)) return;
    for (const { name, member } of plan.required) {
      if (node.member(name) === undefined && !meant.includes(name) && isMissing(member, node, at.direction)) {
        this.part.structure.push({ kind: "missing-member", name, member, object: node, section });
      }
    }
    for (const group of section.groups ?? []) {
      if (group.members.some((name) => meant.includes(name))) continue;
      const present = group.members.map((name) => node.member(name)).filter((member) => member !== undefined);
      const tooFew = group.kind !== "atMostOne" && present.length === 0;
      const tooMany = group.kind !== "atLeastOne" && present.length > 1;
      if (tooFew || tooMany)
        this.part.structure.push({ kind: "group", group, object: node, section, present });
    }
  }

  /**
   * A member that the section doesn't have is checked as the one that it most likely means, which then isn't missing. An open
   * section accepts any, but for the misspelling of one that has to be there.
   *
   * @returns the name that is meant
   */
  private unknownMember(member: MemberNode, section: Section, at: Surroundings): string | undefined {
    const { members, required } = planOf(section);
    const node = member.parent;
    const candidates = section.open === true ? required.map(({ name }) => name) : [...members.keys()];
    const near = nearest(
      member.name,
      candidates.filter((name) => node.member(name) === undefined),
    );
    if (near === undefined && section.open === true) return undefined;
    this.part.structure.push({ kind: "unknown-member", member, section });
    if (near === undefined) return undefined;
    const { member: spec, owner } = members.get(near)!;
    if (member.value !== undefined) this.value(spec.value, member.value, owner, at);
    return near;
  }

  private declare(kind: NonNullable<Section["declares"]>, node: ObjectNode, at: Surroundings): Surroundings {
    switch (kind) {
      case "api":
        this.api = { kind: "api", node };
        return { ...at, unit: this.api };
      case "intake": {
        const intake = intakeSymbol(node);
        this.part.intakes.push(intake);
        return { ...at, unit: intake };
      }
      case "workflow": {
        const workflow = workflowSymbol(node);
        this.part.workflows.push(workflow);
        return { ...at, unit: workflow, direction: workflow.direction };
      }
      case "field": {
        if (at.unit?.kind !== "workflow") return at;
        const field = fieldSymbol(node, at.unit);
        at.unit.fields.push(field);
        return { ...at, field };
      }
      case "map":
        if (at.unit?.kind === "workflow") at.unit.maps.push({ kind: "map", workflow: at.unit, node });
        return at;
      case "object":
        this.part.objects.push({ kind: "object", name: textOf(node, "name"), node });
        return at;
    }
  }

  private map(spec: Value & { kind: "map" }, node: ObjectNode, owner: string, at: Surroundings): void {
    for (const member of node.members) {
      if (spec.declares === "auth" && member.name === "_comment") {
        this.comment(member, at);
        continue;
      }
      if (spec.declares === undefined && at.command !== undefined)
        this.template(member.key, positionOf(spec.of) ?? "key", at);
      let inner = at;
      if (spec.declares === "auth") {
        const auth = authSymbol(member);
        this.part.auths.push(auth);
        inner = { ...at, unit: auth };
      }
      if (member.value !== undefined) {
        this.value(
          spec.of,
          member.value,
          spec.declares === "auth" ? `the auth entry \`${member.name}\`` : `\`${member.name}\` in ${owner}`,
          inner,
        );
      }
    }
  }

  private list(spec: Value & { kind: "list" }, node: ArrayNode, owner: string, at: Surroundings): void {
    const count = node.items.length;
    const { minimum, maximum } = spec;
    if ((minimum !== undefined && count < minimum) || (maximum !== undefined && count > maximum)) {
      this.part.structure.push({
        kind: "list-length",
        node,
        count,
        owner,
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      });
    }
    const parent = at.command;
    const atTop = node.parent?.kind === "member" && node.parent.parent === this.document.root;
    const steps = parent?.key === "!pipe" && spec.of.kind === "command";
    const cases = parent?.key === "!switch" && spec.of.kind === "command";
    for (const [index, item] of node.items.entries()) {
      if (atTop) {
        this.item(spec.of, item, `an item of ${owner}`, at);
        continue;
      }
      if (!steps && !cases) {
        this.value(spec.of, item, `an item of ${owner}`, at);
        continue;
      }
      const inner = steps ? { ...at, pipe: parent, stepsRun: index } : at;
      parent!.children.push(undefined);
      this.value(spec.of, item, steps ? "a step of `!pipe`" : "a case of `!switch`", inner);
    }
  }

  private command(
    spec: Value & { kind: "command" },
    node: JsonNode,
    owner: string,
    outer: Surroundings,
  ): void {
    const place = spec.place === "here" ? outer.place! : places[spec.place];
    const title = spec.place === "here" ? owner : place.title;
    const at = place === outer.place ? outer : { ...outer, place };
    if (node.kind !== "object") {
      if (spec.orStatic !== undefined && accepts(spec.orStatic, node)) {
        if (spec.staticTier === "ext") this.extended(`a static list as ${owner}`, node);
        return this.value(spec.orStatic, node, owner, at);
      }
      this.part.structure.push({
        kind: "not-a-command",
        node,
        title,
        staticToo: spec.orStatic !== undefined,
      });
      return;
    }
    const member = this.commandMember(node, title, spec.orStatic !== undefined);
    if (member === undefined) return;
    this.besideCommand(node, member);
    const key = isCommandKey(member.name)
      ? member.name
      : (nearestCommand(member.name) as CommandKey | undefined);
    if (key === undefined) return;
    const commandTable = commandSpec(key)!;
    if (commandTable.places !== undefined && !commandTable.places.includes(place.name)) {
      this.part.structure.push({ kind: "misplaced-command", member, spec: commandTable });
    }
    if (commandTable.tier === "ext") this.extended(`the command \`${key}\``, member);
    const command: Command = {
      kind: "command",
      key,
      node,
      member,
      argument: member.value,
      place,
      unit: at.unit,
      field: at.field,
      parent: at.command,
      pipe: at.pipe,
      stepsRun: at.stepsRun,
      children: [],
      program: undefined,
    };
    this.part.commands.push(command);
    if (at.command !== undefined) at.command.children[at.command.children.length - 1] = command;
    else if (at.unit?.kind === "intake") at.unit.commands.set(place.name.slice("intake.".length), command);
    if (member.value !== undefined)
      this.value(commandTable.argument, member.value, `\`${key}\``, { ...at, command });
  }

  /** The member that makes an object a command; reports what is wrong with it. */
  private commandMember(node: ObjectNode, title: string, staticToo: boolean): MemberNode | undefined {
    let first: MemberNode | undefined;
    let second: MemberNode | undefined;
    for (const member of node.members) {
      if (!member.name.startsWith("!")) continue;
      if (first === undefined) first = member;
      else second ??= member;
    }
    if (first !== undefined) {
      if (second !== undefined) this.part.structure.push({ kind: "several-commands", first, second });
      if (!isCommandKey(first.name)) this.part.structure.push({ kind: "unknown-command", member: first });
      // Of two commands the one that holds others says the most; what it saves and reads isn't a second mistake.
      if (second !== undefined && !holdsCommands(first) && holdsCommands(second)) return second;
      return first;
    }
    const forgotten = node.members.find(({ name }) => isCommandKey(`!${name}`));
    if (forgotten === undefined) this.part.structure.push({ kind: "not-a-command", node, title, staticToo });
    else this.part.structure.push({ kind: "unknown-command", member: forgotten });
    return forgotten;
  }

  private besideCommand(node: ObjectNode, command: MemberNode): void {
    for (const member of node.members) {
      if (member === command || member.name.startsWith("!")) continue;
      if (member.name === "_comment") this.comment(member, nowhere);
      else {
        // The first only: several members beside a command are one mistake, a level of nesting.
        this.part.structure.push({ kind: "member-beside-command", member, command });
        return;
      }
    }
  }

  private comment(member: MemberNode, at: Surroundings): void {
    this.extended("`_comment`", member);
    for (const suppression of readSuppressions(member)) this.part.suppressions.push(suppression);
    if (member.value !== undefined) this.value(comment.value, member.value, "`_comment`", at);
  }

  private text(spec: TextValue, node: StringNode, owner: string, at: Surroundings): void {
    const { value } = node;
    if (spec.nonEmpty === true && value.trim() === "" && node.valid)
      this.part.structure.push({ kind: "empty-text", node, owner });
    if (spec.oneOf !== undefined && node.valid) {
      const written = spec.anyCase === true ? value.toUpperCase() : value;
      if (!spec.oneOf.includes(written)) {
        this.part.structure.push({
          kind: "unknown-value",
          node,
          accepted: spec.oneOf,
          owner,
          openEnded: spec.openEnded === true,
        });
      } else if (spec.ext?.includes(written) === true) this.extended(`\`${value}\` as ${owner}`, node);
    }
    if (spec.refersTo === "auth" || spec.refersTo === "intake") this.reference(node, at);
    if (spec.expansions === true) this.template(node, positionOf(spec) ?? "value", at);
    else if (spec.format !== "comment") this.inert(node, at);
  }

  private reference(node: StringNode, at: Surroundings): void {
    if (at.unit?.kind !== "workflow" || node.parent?.kind !== "member") return;
    const workflow = at.unit;
    const common = { name: node.value, node, workflow, target: undefined, exact: false };
    const member = node.parent.name;
    if (member === "auth") workflow.auth = { ...common, member };
    else if (member === "data_intake") workflow.intake = { ...common, member };
    else if (member === "historical_data_intake") workflow.historicalIntake = { ...common, member };
  }

  private integer(
    spec: Value & { kind: "integer" },
    node: JsonNode & { kind: "number" },
    owner: string,
  ): void {
    const { minimum, only } = spec;
    if ((minimum !== undefined && node.value < minimum) || (only !== undefined && node.value !== only)) {
      this.part.structure.push({
        kind: "number-range",
        node,
        owner,
        ...(minimum === undefined ? {} : { minimum }),
        ...(only === undefined ? {} : { only }),
      });
    }
  }

  /** Strings and keys of free data. Nesting is capped by the parser. */
  private data(node: JsonNode, position: ExpansionPosition, within: string, at: Surroundings): void {
    switch (node.kind) {
      case "string":
        return this.template(node, position, at);
      case "array":
        for (const item of node.items) this.data(item, position, within, at);
        return;
      case "object":
        for (const member of node.members) {
          if (node.members.length === 1 && isCommandKey(member.name)) {
            this.part.structure.push({ kind: "command-in-data", member, within });
          }
          this.template(member.key, "key", at);
          if (member.value !== undefined) this.data(member.value, position, within, at);
        }
    }
  }

  private template(node: StringNode, position: ExpansionPosition, at: Surroundings): void {
    if (!node.valid) {
      this.part.unfinished.push({ node, position, command: at.command, unit: at.unit });
      return;
    }
    const template = parseTemplate(node.value);
    if (template === undefined && position !== "jq") return;
    const { command, unit } = at;
    let expansions: readonly Expansion[] = (template?.expansions ?? []).map((syntax) =>
      bindExpansion(syntax, node, position, command, unit),
    );
    if (position === "jq" && command !== undefined) {
      command.program = bindProgram(node, command, expansions);
      this.part.programs.push(command.program);
      expansions = evaluatedHoles(command.program);
    }
    if (template === undefined) return;
    for (const expansion of expansions) this.part.expansions.push(expansion);
    this.part.templates.push({ node, template, command, unit, position, expansions });
  }

  private inert(node: StringNode, at: Surroundings): void {
    if (node.value.indexOf("$") < 0 || !node.valid) return;
    const template = parseTemplate(node.value);
    const known = template?.expansions.some(({ path }) =>
      (ROOT_NAMES as readonly string[]).includes(path[0]?.text ?? ""),
    );
    if (template !== undefined && known === true)
      this.part.inertTemplates.push({ node, template, command: at.command });
  }

  private extended(feature: string, node: JsonNode | MemberNode): void {
    if (this.core) this.part.extendedUses.push({ feature, node });
  }
}

/** `!pipe` and `!switch`. */
function holdsCommands({ name }: MemberNode): boolean {
  return name === "!pipe" || name === "!switch";
}

/** `"setup": {"setup": {…}}`: an object that is put into another one of its own name, which has nothing else. */
function wrappedAgain(
  node: ObjectNode,
  { members, open }: Section,
): { member: MemberNode; object: ObjectNode } | undefined {
  const [member] = node.members;
  if (node.members.length !== 1 || open === true || node.parent?.kind !== "member") return undefined;
  if (member!.name !== node.parent.name || Object.hasOwn(members, member!.name)) return undefined;
  return member!.value?.kind === "object" ? { member: member!, object: member!.value } : undefined;
}

function positionOf(spec: Value): ExpansionPosition | undefined {
  if (spec.kind !== "text") return undefined;
  switch (spec.format) {
    case "path":
    case "header":
    case "jq":
    case "url":
      return spec.format;
    default:
      return undefined;
  }
}

/** For a member without its `!`, or a misspelled one. */
function nearestCommand(name: string): string | undefined {
  const keys = commandSpecs.map(({ key }) => key);
  return isCommandKey(`!${name}`) ? `!${name}` : nearest(name, keys);
}
