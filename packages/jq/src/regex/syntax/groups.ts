import { neverEnds } from "./recursion.ts";
import { type Node, type Regex, RegexError } from "./tree.ts";

type Call = Extract<Node, { kind: "call" }>;

/** The groups of a pattern that is being read, and who refers to them; some before they are written. */
export class Groups {
  /** Bodies by number, of those that are closed. */
  private readonly bodies: Node[] = [{ kind: "empty" }];
  private readonly names: (string | undefined)[] = [];
  private readonly calls: {
    readonly call: { -readonly [Key in keyof Call]: Call[Key] };
    readonly name: string | undefined;
  }[] = [];
  private readonly references: number[] = [];
  private used = false;

  get count(): number {
    return this.names.length;
  }

  /** @returns the number of a new group */
  open(name: string | undefined): number {
    return this.names.push(name);
  }

  close(number: number, body: Node): void {
    this.bodies[number] = body;
  }

  named(name: string): number[] {
    return this.names.flatMap((each, index) => (each === name ? [index + 1] : []));
  }

  /** The number that `1`, `-1` (the group before) or `+1` (the next one) stands for here. */
  numbered(name: string): number {
    const number = Number(name);
    if (/^\d/.test(name)) return number;
    const group = number < 0 ? this.count + 1 + number : this.count + number;
    if (group < 0) throw new RegexError("invalid backref number/name");
    return group;
  }

  /** What was captured decides what matches. */
  use(): void {
    this.used = true;
  }

  refer(number: number, ignoreCase: boolean): Node {
    if (number === 0) throw new RegexError("invalid backref number/name");
    this.references.push(number);
    this.use();
    return { kind: "backreference", groups: [number], ignoreCase, target: this.bodies[number] };
  }

  referToAny(groups: readonly number[], ignoreCase: boolean): Node {
    this.use();
    return { kind: "backreference", groups, ignoreCase, target: undefined };
  }

  /** A call of a group that has this name or number, perhaps further on. */
  call(name: string): Node {
    const isNumber = /^[+-]?\d+$/.test(name);
    const call = { kind: "call" as const, group: isNumber ? this.numbered(name) : 0 };
    this.calls.push({ call, name: isNumber ? undefined : name });
    this.use();
    return call;
  }

  /**
   * At the end of the pattern.
   *
   * @throws RegexError if a reference has no group, or a call no end
   */
  finish(body: Node): Regex {
    if (this.references.some((number) => number > this.count))
      throw new RegexError("invalid backref number/name");
    this.bodies[0] = body;
    for (const { call, name } of this.calls) call.group = this.called(call.group, name);
    for (const group of new Set(this.calls.map(({ call }) => call.group)))
      if (neverEnds(group, this.bodies)) throw new RegexError("never ending recursion");
    return { body, groups: this.bodies, names: this.names, usesGroups: this.used };
  }

  private called(number: number, name: string | undefined): number {
    if (name === undefined) {
      if (number > this.count) throw new RegexError(`undefined group <${number}> reference`);
      return number;
    }
    const [group, ...more] = this.named(name);
    if (group === undefined) throw new RegexError(`undefined name <${name}> reference`);
    if (more.length > 0) throw new RegexError(`multiplex definition name <${name}> call`);
    return group;
  }
}
