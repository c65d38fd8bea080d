import { nearest } from "@configc/jq/internal";
import {
  choicesOf,
  commandSpec,
  comment,
  type Dialect,
  document as documentSection,
  places,
  type Section,
  type TextValue,
  type Value,
} from "../language/index.ts";
import { noSamples, type Samples } from "../options/samples.ts";
import { dialectOf, type Settings } from "../options/settings.ts";
import type { Document } from "../parse/document.ts";
import type { ArrayNode, JsonNode, MemberNode, ObjectNode, StringNode } from "../parse/syntax-tree.ts";
import { type BindingContext, rootContext } from "./binding-context.ts";
import { BoundDocument } from "./bound-document.ts";
import type { Command } from "./bound-nodes.ts";
import { commandMeant, commandMember } from "./command-member.ts";
import { checkLength, checkMembers, checkRange, onlyGap } from "./constraints.ts";
import { declare, refer } from "./declaration.ts";
import { doubledWrapper } from "./doubled-wrapper.ts";
import { mayBeIncomplete } from "./incomplete-object.ts";
import { accepts, otherName, planOf } from "./language-queries.ts";
import { type EnclosingObject, type ProperPlace, properPlaceOf } from "./misplaced-member.ts";
import type { Model } from "./model.ts";
import { emptyPart, isEmpty, isSameItem, isSound, type Part } from "./part.ts";
import { resolve } from "./resolve.ts";
import type { MisplacedMembers } from "./structure-problem.ts";
import { readSuppressions } from "./suppression.ts";
import { authSymbol } from "./symbols.ts";
import { bindData, bindInert, bindTemplate, positionOf } from "./template.ts";
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

const none: readonly string[] = [];

class Binder {
  private readonly parts: Part[] = [];
  /** The one that is being bound. */
  private part: Part = emptyPart(undefined);
  private api: Model["api"] = undefined;
  private readonly known: ReadonlyMap<JsonNode, Part>;
  readonly memory: Model["memory"];
  readonly document: Document;
  readonly settings: Settings;
  private readonly dialect: Dialect;
  readonly samples: Samples;
  private readonly core: boolean;
  /** The objects around what is being bound, by the language table, as far as its part goes: what is found in it rests on it alone. */
  private frames: EnclosingObject[] = [];
  /** Names of members of an object that others stand for. */
  private readonly meant = new Map<ObjectNode, readonly string[]>();
  /** By the object that they stand in. */
  private readonly misplaced = new Map<ObjectNode, readonly MisplacedMembers[]>();

  constructor(document: Document, settings: Settings, samples: Samples, previous: Model | undefined) {
    this.memory = previous?.memory;
    const known = new Map<JsonNode, Part>();
    for (const part of previous?.parts ?? []) if (part.item !== undefined) known.set(part.item.node, part);
    this.known = known;
    this.document = document;
    this.settings = settings;
    this.dialect = dialectOf(settings);
    this.samples = samples;
    this.core = settings.language === "core";
  }

  bind(): Model {
    const { root } = this.document;
    if (root !== undefined)
      this.value({ kind: "section", section: () => documentSection }, root, "The document", rootContext);
    this.end();
    this.findMeant();
    const model = new BoundDocument(this, this.api, this.parts);
    resolve(model);
    return model;
  }

  /** Ends a part; what follows stands between the items. */
  private end(): void {
    if (isEmpty(this.part)) return;
    this.parts.push(this.part);
    this.part = emptyPart(undefined);
  }

  /** An auth entry or an item of a list at the top: bound as it was in the version before, if it is the same. */
  private item(spec: Value, node: JsonNode, owner: string, bind: () => void): void {
    const item = { node, spec, owner, sound: isSound(node, this.document) };
    const known = this.known.get(node);
    this.end();
    if (known?.item !== undefined && isSameItem(known.item, item)) {
      this.parts.push(known);
      return;
    }
    this.part = emptyPart(item);
    const { frames } = this;
    this.frames = [];
    bind();
    this.frames = frames;
    this.end();
  }

  /** @param owner the member that the value belongs to, for messages: "`name` of a workflow" */
  private value(spec: Value, node: JsonNode, owner: string, at: BindingContext): void {
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
        if (node.kind === "number") checkRange(spec, node, owner, this.part.structure);
        return;
      case "data":
        if (at.command !== undefined) bindData(node, spec.position ?? "value", owner, at, this.part);
        return;
    }
  }

  private section(section: Section, node: ObjectNode, outer: BindingContext): void {
    const again = doubledWrapper(node, section);
    if (again !== undefined) {
      this.part.structure.push({ kind: "wrapped-again", member: again.member, section });
      return this.section(section, again.object, outer);
    }
    const at = this.within(section, node, outer);
    const plan = planOf(section);
    this.frames.push({ section, node });
    for (const member of node.members) {
      if (member.repeated) continue;
      const planned = plan.members.get(member.name);
      if (planned === undefined) {
        if (member.name === "_comment") this.comment(member, at);
        else this.unknownMember(member, section, at);
        continue;
      }
      if (planned.member.tier === "ext") this.extended(planned.owner, member);
      if (member.value !== undefined) this.value(planned.member.value, member.value, planned.owner, at);
    }
    this.frames.pop();
    if (mayBeIncomplete(this.document, node)) return;
    checkMembers(section, node, this.meant.get(node) ?? none, at.direction, this.part.structure);
  }

  /**
   * A member that the section doesn't have is checked as the one that it most likely means, which then isn't missing. An open
   * section accepts any, but for the misspelling of one that has to be there.
   */
  private unknownMember(member: MemberNode, section: Section, at: BindingContext): void {
    if (this.dialect.alsoAccepted[section.name]?.includes(member.name) === true) return;
    const node = member.parent;
    const { members, required } = planOf(section);
    const candidates = section.open === true ? required.map(({ name }) => name) : [...members.keys()];
    const near =
      otherName(member, section) ??
      nearest(
        member.name,
        candidates.filter((name) => node.member(name) === undefined),
      );
    if (near === undefined) {
      if (section.open === true) return;
      const home = properPlaceOf(member, this.frames);
      if (home !== undefined) return this.misplacedMember(member, section, home, at);
    }
    const meant =
      near ?? (this.settings.unknownMembers === "error" ? onlyGap(member, section, at) : undefined);
    this.part.structure.push({
      kind: "unknown-member",
      member,
      section,
      meant,
      isNear: near !== undefined,
    });
    if (meant === undefined) return;
    this.means(node, meant);
    const { member: spec, owner } = members.get(meant)!;
    if (member.value !== undefined) this.value(spec.value, member.value, owner, at);
  }

  /** A member that stands a level too high or too low is checked as what it is where it belongs, and isn't missing there. */
  private misplacedMember(member: MemberNode, section: Section, home: ProperPlace, at: BindingContext): void {
    const { name, value, parent } = member;
    const { around, within } = home;
    const found = this.misplaced.get(parent) ?? [];
    const same = found.find(({ home: other }) => other.around === around && other.within[0] === within[0]);
    if (same === undefined) {
      const problem: MisplacedMembers = { kind: "misplaced-member", members: [member], section, home };
      this.misplaced.set(parent, [...found, problem]);
      this.part.structure.push(problem);
    } else same.members.push(member);
    if (around !== undefined) this.means(around.node, name);
    for (const child of within) {
      this.means(parent, child);
      const object = parent.get(child);
      if (object?.kind === "object") this.means(object, name);
    }
    if (value !== undefined && at.command === undefined) this.value(home.value, value, `\`${name}\``, at);
  }

  /** Another member stands for one of an object, so that it isn't missing. */
  private means(object: ObjectNode, name: string): void {
    this.meant.set(object, [...(this.meant.get(object) ?? none), name]);
  }

  /** Takes back what was called missing before the member that stands for it was met. */
  private findMeant(): void {
    if (this.meant.size === 0) return;
    for (const { structure } of this.parts) {
      let kept = 0;
      for (const problem of structure) {
        const isMeant =
          problem.kind === "missing-member" && this.meant.get(problem.object)?.includes(problem.name);
        if (isMeant !== true) structure[kept++] = problem;
      }
      structure.length = kept;
    }
  }

  /** Where the members of a section stand. */
  private within({ declares }: Section, node: ObjectNode, outer: BindingContext): BindingContext {
    if (declares === undefined) return outer;
    if (declares !== "api") return declare(declares, node, outer, this.part);
    this.api = { kind: "api", node };
    return { ...outer, unit: this.api };
  }

  private map(spec: Value & { kind: "map" }, node: ObjectNode, owner: string, at: BindingContext): void {
    for (const member of node.members) {
      if (spec.declares === "auth") {
        this.auth(spec.of, member, at);
        continue;
      }
      if (at.command !== undefined) bindTemplate(member.key, positionOf(spec.of) ?? "key", at, this.part);
      if (member.value !== undefined) this.value(spec.of, member.value, `\`${member.name}\` in ${owner}`, at);
    }
  }

  private auth(spec: Value, member: MemberNode, at: BindingContext): void {
    if (member.name === "_comment") return this.comment(member, at);
    const { name, value } = member;
    const owner = `the auth entry \`${name}\``;
    const bind = (): void => {
      const unit = authSymbol(member);
      this.part.auths.push(unit);
      if (value !== undefined) this.value(spec, value, owner, { ...at, unit });
    };
    if (value === undefined) bind();
    else this.item(spec, value, owner, bind);
  }

  private list(spec: Value & { kind: "list" }, node: ArrayNode, owner: string, at: BindingContext): void {
    checkLength(spec, node, owner, this.part.structure);
    const parent = at.command;
    const atTop = node.parent?.kind === "member" && node.parent.parent === this.document.root;
    const steps = parent?.key === "!pipe" && spec.of.kind === "command";
    const cases = parent?.key === "!switch" && spec.of.kind === "command";
    for (let index = 0; index < node.items.length; index++) {
      const item = node.items[index]!;
      if (atTop) {
        const itemOwner = `an item of ${owner}`;
        this.item(spec.of, item, itemOwner, () => this.value(spec.of, item, itemOwner, at));
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
    outer: BindingContext,
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
        ...(spec.place !== "here" && place.contract === "string" ? { givesText: true } : {}),
      });
      return;
    }
    const member = commandMember(node, title, spec.orStatic !== undefined, this.part.structure);
    if (member === undefined) return;
    this.besideCommand(node, member);
    const key = commandMeant(member);
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

  private besideCommand(node: ObjectNode, command: MemberNode): void {
    for (const member of node.members) {
      if (member === command || member.name.startsWith("!")) continue;
      if (member.name === "_comment") this.comment(member, rootContext);
      else {
        // The first only: several members beside a command are one mistake, a level of nesting.
        this.part.structure.push({ kind: "member-beside-command", member, command });
        return;
      }
    }
  }

  private comment(member: MemberNode, at: BindingContext): void {
    this.extended("`_comment`", member);
    for (const suppression of readSuppressions(member)) this.part.suppressions.push(suppression);
    if (member.value !== undefined) this.value(comment.value, member.value, "`_comment`", at);
  }

  private text(spec: TextValue, node: StringNode, owner: string, at: BindingContext): void {
    const { value } = node;
    if (spec.nonEmpty === true && value.trim() === "" && node.valid)
      this.part.structure.push({ kind: "empty-text", node, owner });
    const choices = choicesOf(spec, this.dialect);
    if (choices !== undefined && node.valid) {
      const written = spec.anyCase === true ? value.toUpperCase() : value;
      if (!choices.includes(written)) {
        this.part.structure.push({
          kind: "unknown-value",
          node,
          accepted: choices,
          owner,
          openEnded: spec.openEnded === true,
        });
      } else if (spec.ext?.includes(written) === true) this.extended(`\`${value}\` as ${owner}`, node);
    }
    if (spec.refersTo === "auth" || spec.refersTo === "intake") refer(node, at);
    if (spec.expansions === true) bindTemplate(node, positionOf(spec) ?? "value", at, this.part);
    else if (spec.format !== "comment") bindInert(node, at, this.part);
  }

  private extended(feature: string, node: JsonNode | MemberNode): void {
    if (this.core) this.part.extendedUses.push({ feature, node });
  }
}
