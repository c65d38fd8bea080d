import { type Operation, type Parameter, pathParameters } from "../description.ts";
import type { ConfigValue } from "../proposal.ts";
import { isSent, knownValue } from "./known-values.ts";
import { identityOf, type RecordList } from "./lists.ts";
import { phrase, singular } from "./name-words.ts";

/** Where something stands in a request. */
type Place =
  | Parameter["in"]
  /** Among the members of the contact. */
  | "record"
  /** In the body, beside the contact. */
  | "body";

/** Something that a request has to have, and how an app comes by it. */
export type Need = {
  readonly parameter: string;
  readonly in: Place;
  /** Whether it is a number in the body. */
  readonly isNumber?: boolean;
  /** Whether it is one of the list right above it in the path: nothing else could be meant. */
  readonly isPlain?: boolean;
} & ({ readonly choice: Choice } | { readonly value: ConfigValue; readonly because: string });

/** What a customer is asked for: one of a list's records, one of some values, or, where neither is known, a text. */
export interface Choice {
  /** What it is called in the form: “list” for `{list_id}`. */
  readonly name: string;
  /** The parameter that asks for it. */
  readonly parameter: string;
  readonly from?: Source;
  readonly values?: readonly string[];
}

/** The list whose records are chosen from. */
export interface Source {
  readonly list: RecordList;
  /** The member of a record that is sent. */
  readonly id: string;
  /** What the list itself has to be asked with. */
  readonly needs: readonly Need[];
}

/** Somebody who has to choose more won't. */
const MOST_LISTS = 2;
const MOST_TYPED = 2;
const MOST_CHOICES = 3;

/** Whether a form would ask for too much. */
export function isTooMuch(choices: readonly Choice[]): boolean {
  return (
    choices.length > MOST_CHOICES ||
    choices.filter(({ from }) => from !== undefined).length > MOST_LISTS ||
    choices.filter(isTyped).length > MOST_TYPED
  );
}

export function isTyped({ from, values }: Choice): boolean {
  return from === undefined && values === undefined;
}

/** All choices that needs depend on, those first that the options of others depend on. */
export function choicesIn(needs: readonly Need[]): readonly Choice[] {
  const found: Choice[] = [];
  for (const need of needs) {
    if (!("choice" in need)) continue;
    const { choice } = need;
    for (const each of [...choicesIn(choice.from?.needs ?? []), choice])
      if (!found.includes(each)) found.push(each);
  }
  return found;
}

/**
 * What an operation has to be asked with, by its document.
 *
 * @param lists those that parameters may be chosen from
 * @param covered names of parameters that pages and watermarks send
 */
export function needsOf(
  operation: Operation,
  lists: readonly RecordList[],
  covered: ReadonlySet<string> = new Set(),
): readonly Need[] {
  return new Finder(lists).needsOf(operation, covered);
}

/** The need of a member of a body that names a record of a list; undefined if no list has such records. */
export function needOfMember(
  name: string,
  place: "record" | "body",
  isNumber: boolean,
  operation: Operation,
  lists: readonly RecordList[],
  others: readonly Need[],
): Need | undefined {
  const choice = new Finder(lists, choicesIn(others)).byName(name, operation, []);
  return choice === undefined
    ? undefined
    : { parameter: name, in: place, choice, ...(isNumber ? { isNumber } : {}) };
}

class Finder {
  readonly #lists: readonly RecordList[];
  /** A list is asked for once, however many requests want one of its records. */
  readonly #chosen: Choice[];

  constructor(lists: readonly RecordList[], chosen: readonly Choice[] = []) {
    this.#lists = lists;
    this.#chosen = [...chosen];
  }

  needsOf(
    operation: Operation,
    covered: ReadonlySet<string>,
    asking: readonly Operation[] = [],
  ): readonly Need[] {
    const path = pathParameters(operation.path).map(
      (name): Parameter =>
        operation.parameters.find((each) => each.in === "path" && each.name === name) ?? {
          name,
          in: "path",
          isRequired: true,
          shape: { kind: "unknown" },
          about: "",
        },
    );
    const others = operation.parameters.filter(
      (each) => each.in !== "path" && each.isRequired && isSent(each) && !covered.has(each.name),
    );
    return [...path, ...others].map((parameter) => this.#need(parameter, operation, asking));
  }

  #need(parameter: Parameter, operation: Operation, asking: readonly Operation[]): Need {
    const place = { parameter: parameter.name, in: parameter.in };
    const known = knownValue(parameter);
    if (known !== undefined) return { ...place, ...known };
    const above = parameter.in === "path" ? this.#above(parameter.name, operation, asking) : undefined;
    const values = valuesOf(parameter);
    const choice =
      above ??
      (values === undefined ? this.byName(parameter.name, operation, asking) : undefined) ??
      this.#once({
        name: nameOf(parameter.name, ownerOf(operation, parameter.name)),
        parameter: parameter.name,
        ...(values === undefined ? {} : { values }),
      });
    return { ...place, choice, ...(above === undefined ? {} : { isPlain: true }) };
  }

  /** The list right above a parameter of the path: `/lists` of `/lists/{list_id}`. */
  #above(parameter: string, operation: Operation, asking: readonly Operation[]): Choice | undefined {
    const before = operation.path.slice(0, operation.path.indexOf(`{${parameter}}`)).replace(/\/$/, "");
    const list = this.#lists.find((each) => each.operation.path === before);
    return list === undefined ? undefined : this.#from(list, parameter, asking.concat(operation));
  }

  /** A list whose records are called as a parameter is: `/projects` of `project_id`. */
  byName(parameter: string, operation: Operation, asking: readonly Operation[]): Choice | undefined {
    const wanted = nameOf(parameter, ownerOf(operation, parameter));
    const fits = this.#lists
      .filter(({ operation: each }) => each !== operation && !asking.includes(each))
      // The occurrences of a webinar don't tell which webinars there are.
      .filter(({ operation: each }) => !isBelow(each, wanted))
      .map((list) => ({ list, fit: fitOf(wanted, singular(phrase(list.name))) }))
      .filter(({ fit }) => fit > 0)
      .sort((a, b) => b.fit - a.fit || a.list.operation.path.length - b.list.operation.path.length);
    for (const { list } of fits) {
      const choice = this.#from(list, parameter, asking.concat(operation));
      if (choice !== undefined) return choice;
    }
    return undefined;
  }

  /** @returns undefined where the list's records can't be told apart, or it wants what nobody can choose */
  #from(list: RecordList, parameter: string, asking: readonly Operation[]): Choice | undefined {
    const known = this.#chosen.find(({ from }) => from?.list.operation === list.operation);
    if (known !== undefined) return known;
    const id = idIn(list, parameter);
    if (id === undefined || asking.length > MOST_LISTS) return undefined;
    const needs = this.needsOf(list.operation, new Set(), asking);
    if (needs.some((need) => "choice" in need && isTyped(need.choice))) return undefined;
    return this.#once({ name: nameOf(parameter, list.name), parameter, from: { list, id, needs } });
  }

  #once(choice: Choice): Choice {
    const known = this.#chosen.find(
      ({ name, from }) => name === choice.name && from?.list.operation === choice.from?.list.operation,
    );
    if (known !== undefined) return known;
    // Two lists may call their records the same; a form can't.
    const isTaken = this.#chosen.some(({ name }) => name === choice.name);
    const named = isTaken ? { ...choice, name: `${choice.name} ${this.#chosen.length + 1}` } : choice;
    this.#chosen.push(named);
    return named;
  }
}

/** Whether an operation is asked with one of the records that are wanted. */
function isBelow(operation: Operation, wanted: string): boolean {
  return pathParameters(operation.path).some((each) => nameOf(each, ownerOf(operation, each)) === wanted);
}

/** Values that a customer may choose. */
function valuesOf({ shape }: Parameter): readonly string[] | undefined {
  if (shape.kind === "boolean") return ["true", "false"];
  return shape.kind === "string" ? shape.enum : undefined;
}

/** The word of a path before a parameter. */
function ownerOf({ path }: Operation, parameter: string): string {
  const at = path.indexOf(`{${parameter}}`);
  const before = (at < 0 ? path : path.slice(0, at)).split("/");
  return before.findLast((part) => part !== "" && !part.includes("{")) ?? "";
}

/** “list” of `list_id`; what is called an id only has the name of its list. */
function nameOf(parameter: string, list: string): string {
  const own = phrase(parameter)
    .replace(/^x (?=\w)/, "")
    .replace(/ (?:id|gid|uuid|key|hash|slug|name|code)$/, "");
  return /^(?:id|gid|uuid|key|slug|)$/.test(own) ? singular(phrase(list)) : singular(own);
}

/** How well the name of a list's records fits one that is wanted: “account” and “ad account” are taken for one where nothing fits better. */
function fitOf(wanted: string, name: string): number {
  if (wanted === name) return 2;
  return name !== "" && (wanted.endsWith(` ${name}`) || name.endsWith(` ${wanted}`)) ? 1 : 0;
}

/** The member of a record that a parameter wants: `key` for `project_key`, else what identifies it. */
function idIn({ record }: RecordList, parameter: string): string | undefined {
  const last = phrase(parameter).split(" ").at(-1);
  const names = [...record.members]
    .filter(([, { kind }]) => kind === "string" || kind === "number" || kind === "unknown")
    .map(([name]) => name);
  return (
    names.find((name) => name === parameter) ??
    names.find((name) => /^(?:key|slug|uuid|gid|code)$/.test(name) && name === last) ??
    identityOf(record).id ??
    names.find((name) => /^(?:code|slug|handle)$/.test(name))
  );
}
