import type { Expression, Stage } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { derivedOf } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { type ObjectNode, type StringNode, textOf } from "../parse/syntax-tree.ts";
import { showsNumber, staticOptions } from "./chosen.ts";
import { commentsOfService } from "./documented-everywhere.ts";
import { type DocumentedUnits, documentedUnits } from "./documented-units.ts";
import { commentsAround, hasComments, intakesAround } from "./documented-words.ts";
import { countedOptions, countWords, timeCounted } from "./durations.ts";
import { fieldAtPath } from "./field-of.ts";
import { flowOf } from "./flow.ts";
import { nameOf } from "./literal-object.ts";
import { mappedTitle } from "./mapped-title.ts";
import { bare, isLength, nodesIn, textAt } from "./nodes.ts";
import { isPlural } from "./nouns.ts";
import { numberOf } from "./number-of.ts";
import { takenTitles } from "./offered-titles.ts";
import { type Trail, trailsOf } from "./origin.ts";
import { boundTo, definitionOf, stagesOf } from "./protocol/dependence.ts";
import { stageBefore, stageIntoCall } from "./protocol/stage-before.ts";
import { scaled } from "./scaled.ts";
import { underlying } from "./underlying.ts";
import { areComparable, converted, isMoney, ratio, type Unit, unitOfName, unitOfTitle } from "./unit.ts";

/** A unit, and what says it. */
export interface Counted {
  readonly unit: Unit;
  /** The member or call that says it, as it is written. */
  readonly by: string;
  /** Whether it was converted on the way. */
  readonly converted: boolean;
  /** The comment that says it, where the member's name doesn't. */
  readonly comment?: StringNode;
  /** Whether it is a length of time that was chosen: beside others, `value/other-duration` tells of it. */
  readonly isChosenTime?: true;
  /** Whether it is multiplied by what may be a share in hundredths: a hundredth of it needn't be another unit. */
  readonly isShared?: true;
}

/**
 * What a value counts by the expression that gives it; undefined where nothing says it.
 *
 * @param model for what comments, and titles of mapped fields, say too: what is told by them has the reach “saved”
 */
export const unitOf = (node: Expression, program: JqProgram, model?: Model): Counted | undefined =>
  new Counting(program, model).of(node, undefined);

/** What comments say of the members that a command reads or makes. */
export const unitsAround = (command: Command, model: Model): DocumentedUnits | undefined =>
  hasComments(model) ? unitsOver(command, model) : undefined;

const unitsOver = derivedOf((command: Command, model: Model): DocumentedUnits | undefined =>
  documentedUnits(commentsOver(command, model), commentsOfService(model)),
);

/** The comments around a command, on the intakes that its workflow has, and on the service. */
export const commentsOver = ({ node, unit }: Command, model: Model): readonly StringNode[] =>
  hasComments(model) ? commentsAround(node, [...intakesAround(unit), ...serviceOf(model)]) : [];

/** The settings of the service as a whole: a comment there speaks of all that it sends. */
export function serviceOf({ document: { root } }: Model): readonly ObjectNode[] {
  const api = root?.kind === "object" ? root.get("api") : undefined;
  return api?.kind === "object" ? [api] : [];
}

/** So many expressions are looked at for one value: variables and definitions may stand for each other again and again. */
const STEPS = 1_000;

/** Arguments of a definition by their parameters' names. */
type Given = ReadonlyMap<string, Expression>;

class Counting {
  private readonly program: JqProgram;
  private readonly model: Model | undefined;
  /** So many steps before this one are looked into. */
  private readonly depth: number;
  private steps = 0;
  private given: Given = new Map();

  constructor(program: JqProgram, model: Model | undefined, depth = 3) {
    this.program = program;
    this.model = model;
    this.depth = depth;
  }

  of(node: Expression, input: Counted | undefined): Counted | undefined {
    this.steps += 1;
    if (this.steps > STEPS) return undefined;
    switch (node.kind) {
      case "Identity":
        return input ?? this.before(stageBefore(this.program).get(node));
      case "Group":
      case "Try":
        return this.of(node.body, input);
      case "Pipeline":
      case "Arithmetic": {
        const { base, factor } = scaled(node, this.program);
        if (base !== node) return this.times(this.of(base, input), factor);
        if (node.kind === "Arithmetic") return this.ofArithmetic(node, input);
        return stagesOf(node).reduce((counted, stage) => this.of(stage, counted), input);
      }
      case "Call":
        return this.ofCall(node, input);
      case "Hole":
        return this.ofHole(node);
      case "String": {
        const value = underlying(node);
        return value === node ? undefined : this.of(value, input);
      }
      case "Variable": {
        const source = boundTo(this.program, node);
        if (source === undefined) return undefined;
        return this.of(source, undefined) ?? this.ofVariable(node.name, source);
      }
      case "Array":
        return node.body === undefined ? undefined : this.of(node.body, input);
      case "Comma":
        // `[.late / 60, 0] | max`
        return this.ofWays(node.items, input, false);
      case "If":
        return this.ofWays(
          [
            ...node.branches.map(({ body }) => body),
            ...(node.otherwise === undefined ? [] : [node.otherwise]),
          ],
          input,
          node.otherwise === undefined,
        );
      case "Postfix":
        return this.ofRead(node, input);
      case "Alternative":
        return this.firstOf(node.operands, input);
      case "Negation":
        return this.of(node.operand, input);
      case "Reduce":
        // `reduce .lines[] as $line (0; . + $line.cents)`
        return this.of(node.update, undefined);
      default:
        return undefined;
    }
  }

  private times(counted: Counted | undefined, factor: number): Counted | undefined {
    if (counted === undefined || factor === 1) return counted;
    if (counted.isShared === true) return undefined;
    const unit = converted(counted.unit, "*", factor);
    return unit === undefined ? undefined : { ...counted, unit, converted: true };
  }

  /** What all ways count: what is constant says nothing. */
  private ofWays(
    ways: readonly Expression[],
    input: Counted | undefined,
    keepsInput: boolean,
  ): Counted | undefined {
    const counted = ways
      .filter((way) => constantOf(way) === undefined && !givesNothing(way))
      .map((way) => this.of(way, input));
    if (keepsInput) counted.push(input);
    return counted.every((each) => each?.unit === counted[0]?.unit) ? counted[0] : undefined;
  }

  private firstOf(operands: readonly Expression[], input: Counted | undefined): Counted | undefined {
    for (const operand of operands) {
      const counted = this.of(operand, input);
      if (counted !== undefined) return counted;
    }
    return undefined;
  }

  private ofCall(call: Expression & { kind: "Call" }, input: Counted | undefined): Counted | undefined {
    const { text } = call.name;
    const definition = definitionOf(this.program, call);
    if (definition !== undefined) return this.ofDefinition(definition, call.arguments, input);
    if (text === "map" && call.arguments.length === 1) return this.of(call.arguments[0]!, undefined);
    if (givesSeconds.has(text)) return { unit: "seconds", by: text, converted: false };
    if (!keepsUnit.has(text)) return undefined;
    return input ?? this.before(stageIntoCall(this.program).get(call));
  }

  /** What the stage before counts, where a branch of the next one is looked at alone: `.cents | if . == 0 then null else . / 100 end`. */
  private before(stage: Expression | undefined): Counted | undefined {
    return stage === undefined ? undefined : this.of(stage, undefined);
  }

  private ofDefinition(
    { parameters, body }: Extract<Stage, { kind: "Definition" }>,
    values: readonly Expression[],
    input: Counted | undefined,
  ): Counted | undefined {
    if (parameters.some(({ byValue }) => !byValue)) return undefined;
    const before = this.given;
    this.given = new Map(parameters.map(({ name }, index) => [name, values[index]!]));
    const counted = this.of(body, input);
    this.given = before;
    return counted;
  }

  /** What a variable counts by its own name, where nothing is reckoned for it: `$metres`. */
  private ofVariable(name: string, source: Expression): Counted | undefined {
    // `$s` is short for anything.
    const unit =
      name === "s" || nodesIn(source).some(({ kind }) => kind === "Arithmetic")
        ? undefined
        : // Beside others, `$minutes` could be a list of them.
          unitOfName(`of_${name}`);
    return unit === undefined ? undefined : { unit, by: `$${name}`, converted: false };
  }

  private ofHole(node: Expression & { kind: "Hole" }): Counted | undefined {
    const hole = this.program.holes[node.hole];
    if (hole?.root === "custom_data") return ofChosen(hole);
    const name = hole?.root === "piped_content" ? hole.syntax.path.at(-1)?.text : undefined;
    return name === undefined ? undefined : this.named(name, node, name);
  }

  private ofRead(node: Expression & { kind: "Postfix" }, input: Counted | undefined): Counted | undefined {
    const chosen = ofTable(node, this.program);
    if (chosen !== undefined) return chosen;
    const field = fieldAtPath(node, this.program);
    if (field !== undefined) return unitOfField(field);
    // `tonumber?`
    if (node.suffixes.every(({ kind }) => kind === "Optional")) return this.of(node.head, input);
    const last = node.suffixes.findLast(({ kind }) => kind !== "Optional");
    const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
    return name === undefined ? undefined : this.named(name, node, textAt(node, this.program));
  }

  private named(name: string, node: Expression, by: string): Counted | undefined {
    const unit = unitOfName(name);
    // `MeanWindMs` needn't be milliseconds, if a comment says something else of it.
    const said =
      unit === "milliseconds" && this.model !== undefined ? this.documented(name, node, by) : undefined;
    if (said !== undefined) return said;
    if (unit !== undefined) return { unit, by, converted: false };
    return this.model === undefined
      ? undefined
      : (this.titled(name, node, by) ?? this.documented(name, node, by) ?? this.made(node, by));
  }

  /** What a step before made it from, and how: `{price: (.price_cents / 100)}`. */
  private made(node: Expression, by: string): Counted | undefined {
    if (this.depth === 0) return undefined;
    const counted = trailsOf(flowOf(this.model!), this.program, node).map(({ origin }) =>
      origin.kind === "made"
        ? new Counting(origin.program, this.model, this.depth - 1).of(origin.node, undefined)
        : undefined,
    );
    const [first] = counted;
    if (first === undefined || counted.some((each) => each?.unit !== first.unit)) return undefined;
    return { ...first, by, converted: true };
  }

  /** What a comment says of a member, as it came. */
  private documented(name: string, node: Expression, by: string): Counted | undefined {
    const { program, model } = this;
    const said = unitsAround(program.command, model!)?.(name);
    if (said === undefined || !isAsItCame(trailsOf(flowOf(model!), program, node))) return undefined;
    return { ...said, by, converted: false };
  }

  /** What the title says of a field that customers map, as their contact has it. */
  private titled(name: string, node: Expression, by: string): Counted | undefined {
    const { program, model } = this;
    const { unit: workflow } = program.command;
    if (workflow?.kind !== "workflow" || program.command.place.name === "data_pipeline.source")
      return undefined;
    if (!takenTitles(workflow, model!).has(name)) return undefined;
    const title = mappedTitle(node, program, flowOf(model!));
    const unit = title === undefined ? undefined : (unitOfTitle(title) ?? unitInBrackets(title));
    return unit === undefined ? undefined : { unit, by, converted: false };
  }

  private ofArithmetic(
    { first, rest }: Expression & { kind: "Arithmetic" },
    input: Counted | undefined,
  ): Counted | undefined {
    let counted = this.of(first, input);
    // A sign, a share or a number of pieces before what is counted: `(if .refunded then -1 else 1 end) * .cents`, `.quantity * .cents`.
    let isTimes = counted === undefined && (this.isSign(first) || this.isPlain(first));
    for (const { operator, operand } of rest) {
      const number = this.number(operand);
      if (operator === "+" || operator === "-") {
        counted ??= this.of(operand, input);
        isTimes = false;
        continue;
      }
      if (counted === undefined && isTimes && operator === "*") {
        const times = this.of(operand, input);
        if (
          times?.unit === "minor" ||
          (times !== undefined && (this.isSign(first) || isSpanOf(times, first)))
        ) {
          counted = times;
          continue;
        }
        if (times === undefined && this.isPlain(operand)) continue;
      }
      if (counted !== undefined && operator === "*" && this.isSign(operand)) continue;
      if (counted?.unit === "minor" && operator === "*" && isLength(operand)) continue;
      if (counted !== undefined && operator === "*" && isSpanOf(counted, operand)) continue;
      // So many cents times a number of pieces.
      if (counted?.unit === "minor" && operator === "*" && number === undefined && this.isPlain(operand)) {
        if (!this.isOfPieces(operand)) counted = { ...counted, isShared: true };
        continue;
      }
      if (counted === undefined || number === undefined || operator === "%") return undefined;
      if (counted.isShared === true) return undefined;
      const unit = converted(counted.unit, operator, number);
      if (unit === undefined) return undefined;
      counted = { ...counted, unit, converted: true };
    }
    return counted;
  }

  private number(node: Expression): number | undefined {
    const given = node.kind === "Variable" ? this.given.get(node.name) : undefined;
    return numberOf(given ?? node);
  }

  /** Whether a factor is a number of pieces by its name, and no share such as that of a table: `{good: 80}[.condition] / 100`. */
  private isOfPieces(node: Expression): boolean {
    return ofPieces.test(memberOf(node));
  }

  /** Whether a factor is a member that says no unit, and is no share of one either: `.discount` may be in percent. */
  private isPlain(node: Expression): boolean {
    if (node.kind !== "Postfix" || shares.test(textAt(node, this.program))) return false;
    return this.of(node, undefined) === undefined;
  }

  /** Whether a factor is only a sign: 1 or -1, in each of its ways. */
  private isSign(given: Expression): boolean {
    const node = bare(given);
    const areSigns = (ways: readonly Expression[]): boolean => ways.every((way) => this.isSign(way));
    switch (node.kind) {
      case "If":
        return (
          node.otherwise !== undefined && areSigns([...node.branches.map(({ body }) => body), node.otherwise])
        );
      case "Alternative":
        return areSigns(node.operands);
      case "Postfix": {
        // `{"refund": -1}[.kind] // 1`
        const values = node.head.kind === "Object" && node.suffixes.length === 1 ? node.head.entries : [];
        return values.length > 0 && values.every(({ value }) => value !== undefined && this.isSign(value));
      }
      case "Variable": {
        const source = boundTo(this.program, node);
        return source !== undefined && source.kind !== "Variable" && this.isSign(source);
      }
      default:
        return Math.abs(numberOf(node) ?? 0) === 1;
    }
  }
}

/** The last member that is read. */
function memberOf(node: Expression): string {
  const field =
    node.kind === "Postfix" ? node.suffixes.findLast(({ kind }) => kind !== "Optional") : undefined;
  return field?.kind === "Field" && field.key.kind === "Name" ? field.key.text : "";
}

/** Whether a length of time is that of each of several: `.lessons * .lesson_minutes`. */
function isSpanOf({ unit }: Counted, times: Expression): boolean {
  const name = memberOf(times);
  return areComparable(unit, "seconds") && !shares.test(name) && (ofPieces.test(name) || isPlural(name));
}

const shares = /percent|pct|rate|ratio|share|fraction|discount|vat|tax|fee|commission|margin|factor/i;

const ofPieces =
  /(?:^|_)(?:amount|count|guests|items|lines|nights|no|num|number|people|persons|pieces|places|pcs|qty|quantity|rooms|seats|spots|tickets|units)$|(?:Count|Quantity|Qty)$/;
const givesSeconds: ReadonlySet<string> = new Set(["now", "mktime", "fromdate", "fromdateiso8601"]);
/** What leaves a number what it counts: a text of it is the same number. */
const keepsUnit: ReadonlySet<string> = new Set(
  "floor round ceil trunc tonumber tostring fabs abs add min max first last values numbers strings select gsub sub trim ltrimstr rtrimstr".split(
    " ",
  ),
);

const givesNothing = (way: Expression): boolean =>
  way.kind === "Call" && (way.name.text === "empty" || way.name.text === "error");

/** Whether a value is what an answer or a payload of the service has: no step made it, and no customer mapped it. */
export const isAsItCame = (trails: readonly Trail[]): boolean =>
  trails.length > 0 &&
  trails.every(({ origin }) =>
    origin.kind === "place"
      ? origin.command.place.input !== "transformed"
      : origin.kind === "response" || origin.kind === "payload",
  );

/** What a customer types or chooses, where the label of the form field or what its options show says what it counts. */
export function ofChosen({ fields, fieldExact, syntax }: Expansion): Counted | undefined {
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0 || fieldExact !== true || syntax.path[2]?.text !== "value")
    return undefined;
  return unitOfField(field);
}

function unitOfField(field: FieldSymbol): Counted | undefined {
  const unit =
    field.type === "text" ? unitOfLabel(field) : (unitOfOptions(field) ?? unitBesideNumbers(field));
  const counted = { by: `custom_data.${field.id}.value`, converted: false };
  if (unit !== undefined) return { ...counted, unit };
  const time = timeCounted(field)?.unit;
  // Months and years have no one length.
  if (time === "months" || time === "years") return undefined;
  if (time !== undefined) return { ...counted, unit: time, isChosenTime: true };
  const named = unitOfName((field.id ?? "").replaceAll("-", "_"));
  return named === undefined ? undefined : { ...counted, unit: named };
}

const unitOfLabel = ({ node }: FieldSymbol): Unit | undefined => unitShown(textOf(node, "label") ?? "");

/** “Amount (pounds)” */
const unitInBrackets = (title: string): Unit | undefined =>
  /\((?:in )?pounds\)/i.test(title) && isMoney(title.replace(/\s*\(.*/, "")) ? "major" : undefined;

/** Of a label or an option; `500 pounds` are money, unless something speaks of weight: then they are compared with no money. */
const unitShown = (text: string): Unit | undefined =>
  unitOfTitle(text) ?? (/\bpounds\b/i.test(text) ? "major" : undefined);

/** What the label says of options that show nothing but their numbers: “Credit limit in pounds” with `500` and `2,000`. */
function unitBesideNumbers(field: FieldSymbol): Unit | undefined {
  const label = unitOfLabel(field);
  const counted = label === undefined ? [] : countedOptions(field.node);
  const isPlain = counted.every(
    ({ value, display }) =>
      (countWords[display.toLowerCase()] ?? Number(display.replace(/,(?=\d{3}\b)/g, ""))) === value,
  );
  return counted.length > 1 && isPlain ? label : undefined;
}

/** What options show beside their numbers: `£10` and `£25` for 10 and 25, or for 1000 and 2500 pence. */
function unitOfOptions(field: FieldSymbol): Unit | undefined {
  const counted = countedOptions(field.node);
  // Of "1e3" and "c++" nothing is known; 0 may stand for none.
  const texts = staticOptions(field).filter(({ value }) => Number(value) !== 0).length;
  if (texts > counted.filter(({ node }) => node.kind === "string").length) return undefined;
  const units = counted.map(({ value, display }) => {
    // `EUR 25,000` shows 25000.
    const text = display.replace(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, "");
    const unit = unitShown(text);
    const [shown, ...others] = text.match(/\d+(?:\.\d+)?/g) ?? [];
    if (unit === undefined || shown === undefined || others.length > 0) return undefined;
    // Times are told by how long they are.
    return Number(shown) === value || areComparable(unit, "seconds")
      ? showsNumber({ value: `${value}`, display: text })
        ? unit
        : undefined
      : converted(unit, "*", value / Number(shown));
  });
  return units.every((unit) => unit === units[0]) ? units[0] : undefined;
}

/** What numbers count that a table has for options, by what these show: `{"day": 24, "week": 168}[…]` for “1 day” and “1 week”. */
function ofTable(
  { head, suffixes }: Expression & { kind: "Postfix" },
  program: JqProgram,
): Counted | undefined {
  const [index, ...others] = suffixes;
  if (head.kind !== "Object" || index?.kind !== "Index" || others.length > 0) return undefined;
  const node = bare(index.index);
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const [field, ...more] = hole?.root === "custom_data" && hole.fieldExact === true ? hole.fields : [];
  if (field === undefined || more.length > 0) return undefined;
  const options = staticOptions(field);
  const shown = head.entries.flatMap(({ key, value }) => {
    const option = options.find((each) => each.value === nameOf(key));
    const span = option === undefined ? undefined : spanIn(option.display);
    const number = value === undefined ? undefined : constantOf(value);
    return span === undefined || typeof number !== "number" ? [] : [{ ...span, number }];
  });
  if (shown.length < 2) return undefined;
  const unit = clockUnits.find((each) =>
    shown.every(({ count, of, number }) => number === count * ratio(each, of)),
  );
  return unit === undefined ? undefined : { unit, by: `custom_data.${field.id}.value`, converted: false };
}

const clockUnits = ["seconds", "minutes", "hours", "days", "weeks"] as const;
const words: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, six: 6 };

/** The one span of time that a display shows: “within 4 hours”, “a day”. */
function spanIn(display: string): { readonly count: number; readonly of: Unit } | undefined {
  const [match, ...others] = display.matchAll(
    /\b(\d+|an?|one|two|three|four|six) (minute|hour|day|week)s?\b/gi,
  );
  if (match === undefined || others.length > 0) return undefined;
  const [, count, of] = match as unknown as [string, string, string];
  return { count: words[count.toLowerCase()] ?? Number(count), of: `${of.toLowerCase()}s` as Unit };
}
