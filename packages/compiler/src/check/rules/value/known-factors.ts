import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { fieldChosen, staticOptions } from "../../../flow/chosen.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";

/** A factor that everybody knows, beside the name of another unit. */
export interface OtherFactor {
  readonly member: string;
  readonly wanted: string;
  readonly given: string;
  readonly node: Expression;
}

interface Imperial {
  readonly name: string;
  readonly of: "weight" | "length" | "volume";
  /** In metric units, whatever power of ten. */
  readonly factor: number;
  readonly says: RegExp;
}

const units: readonly Imperial[] = [
  { name: "US gallons", of: "volume", factor: 3.785412, says: /us\W*(?:liquid\W*)?gal|gal(?:lons?)?\W*us\b/ },
  {
    name: "imperial gallons",
    of: "volume",
    factor: 4.54609,
    says: /(?:imp\w*|uk)\W*gal|gal(?:lons?)?\W*(?:imp|uk)/,
  },
  { name: "barrels", of: "volume", factor: 1.589873, says: /\b(?:bbl|barrels?)\b/ },
  { name: "pounds", of: "weight", factor: 4.535924, says: /\b(?:lbs?|pounds?)\b/ },
  { name: "ounces", of: "weight", factor: 2.834952, says: /\b(?:oz|ounces?)\b/ },
  { name: "inches", of: "length", factor: 2.54, says: /\binch(?:es)?\b|\bin\W*$/ },
  { name: "feet", of: "length", factor: 3.048, says: /\b(?:ft|foot|feet)\b/ },
  { name: "yards", of: "length", factor: 9.144, says: /\b(?:yds?|yards?)\b/ },
  { name: "nautical miles", of: "length", factor: 1.852, says: /\bnmi\b|\bnm\b|\bnautical/ },
  { name: "miles", of: "length", factor: 1.609344, says: /\b(?:mi|miles?)\b/ },
];

/** Factors have three digits at least; most programs have none. */
const mayHave = /\d\.\d\d|\.\d{3}|\d{4}/;

/** Factors of one unit beside the name of another: in a table, in the branches of a condition, in a product. */
export function otherFactors(
  program: JqProgram,
  titles: () => ReadonlyMap<string, string> = () => new Map(),
): readonly OtherFactor[] {
  if (!mayHave.test(program.node.value) || nodesOfKind(program, "Number").length === 0) return [];
  const found: OtherFactor[] = [];
  const add = (member: string | undefined, text: string | undefined, node: Expression | undefined): void => {
    const given = node === undefined ? undefined : unitWith(numberOf(node));
    const wanted = text === undefined || given === undefined ? undefined : unitSaid(text);
    if (member === undefined || wanted === undefined || wanted === given || wanted.of !== given!.of) return;
    found.push({ member, wanted: wanted.name, given: given!.name, node: node! });
  };
  const displays = displaysIn(program);
  const addKey = (key: string | undefined, value: Expression | undefined): void =>
    add(key, key === undefined ? undefined : (displays.get(key) ?? key), value);
  for (const { key, value } of nodesOfKind(program, "Entry")) {
    addKey(nameOf(key), value);
    // What customers read of the field: “Spray used (US gal)”.
    const numbers = value === undefined ? [] : nodesIn(value).filter((node) => node.kind === "Number");
    const name = numbers.some((node) => unitWith(numberOf(node)) !== undefined) ? nameOf(key) : undefined;
    const title = name === undefined ? undefined : titles().get(name);
    if (title !== undefined) for (const node of numbers) add(name, title, node);
  }
  for (const { condition, body } of nodesOfKind(program, "If").flatMap(({ branches }) => branches)) {
    const test = bare(condition);
    const key = test.kind === "Comparison" && test.operator === "==" ? constantOf(test.right) : undefined;
    if (typeof key === "string") addKey(key, body);
  }
  for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
    const [step, ...others] = rest;
    if (step?.operator !== "*" || others.length > 0) continue;
    const name = nameOfValue(bare(first));
    add(name, name, step.operand);
  }
  return found;
}

/** The unit that has such a factor, to three digits. */
function unitWith(number: number | undefined): Imperial | undefined {
  if (number === undefined || !(number > 0) || `${number}`.replace(/\D|^[0.]+|0+$/g, "").length < 3)
    return undefined;
  const digits = number / 10 ** Math.floor(Math.log10(number));
  const [near, ...others] = units.filter(({ factor }) => Math.abs(digits / factor - 1) < 0.001);
  return others.length === 0 ? near : undefined;
}

/** The one unit that a name or a title says. */
function unitSaid(text: string): Imperial | undefined {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]/g, " ")
    .toLowerCase();
  const said = units.filter(({ says }) => says.test(words));
  // Nautical miles are miles, too.
  return said.length === 1 || said[0]?.name === "nautical miles" ? said[0] : undefined;
}

/** What customers see of the values that a program looks up. */
function displaysIn(program: JqProgram): ReadonlyMap<string, string> {
  const fields = new Set(nodesOfKind(program, "Hole").flatMap((hole) => fieldChosen(hole, program) ?? []));
  return new Map([...fields].flatMap(staticOptions).map(({ value, display }) => [value, display]));
}
