/**
 * The syntax tree of a JSON document.
 *
 * Offsets are UTF-16 units in the document text; `end` is exclusive. Nodes are classes with a fixed shape so that the
 * walker stays monomorphic: a check of a thousand documents spends most of its time here.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a segment of a tree begins in the document. Its nodes hold offsets from there, so that an edit before it moves all of them
 * at once; those of a tree that was never edited hang on one anchor.
 */
export interface Anchor {
  offset: number;
}

const beginning: Anchor = { offset: 0 };

/**
 * What every node knows of its place.
 *
 * Fields of nodes are declared here and set by constructors: initialising them where they are declared takes a call for each class of
 * each node, which costs more than all the rest of parsing.
 */
abstract class Placed implements Span {
  /** From the anchor. */
  declare protected first: number;
  declare protected last: number;
  declare anchor: Anchor;

  constructor(start: number, end: number) {
    this.first = start;
    this.last = end;
    this.anchor = beginning;
  }

  get start(): number {
    return this.anchor.offset + this.first;
  }
  get end(): number {
    return this.anchor.offset + this.last;
  }

  /** Makes the offsets relative to another anchor; what they are in the document stays the same. */
  hangOn(anchor: Anchor): void {
    const shift = this.anchor.offset - anchor.offset;
    this.first += shift;
    this.last += shift;
    this.anchor = anchor;
  }
}

/** A value of the document. */
export type JsonNode = ObjectNode | ArrayNode | StringNode | NumberNode | BooleanNode | NullNode;
/** A value of the document, or a member of an object. Offsets are UTF-16 units of the document. */
export type SyntaxNode = JsonNode | MemberNode;
/** What a value stands in: a member of an object, an array, or nothing (the root). */
export type Parent = MemberNode | ArrayNode | undefined;

/** An object, also one that isn't closed. */
export class ObjectNode extends Placed {
  declare readonly kind: "object";
  /** In document order, duplicates included. */
  declare members: MemberNode[];
  declare parent: Parent;
  declare private index: Map<string, MemberNode> | undefined;

  constructor(start: number, parent: Parent) {
    super(start, start + 1);
    this.kind = "object";
    this.members = [];
    this.parent = parent;
    this.index = undefined;
  }

  /** Only the tree builder does. A copy has no room for more, which is most of a short list. */
  closeAt(end: number): void {
    this.last = end - this.anchor.offset;
    this.members = this.members.slice();
  }

  /** The first member of that name. A repeated name is reported, and its first use counts. */
  member(name: string): MemberNode | undefined {
    const members = this.members;
    if (members.length <= 16) {
      for (let i = 0; i < members.length; i++) {
        const member = members[i]!;
        if (member.name === name) return member;
      }
      return undefined;
    }
    if (this.index === undefined) {
      this.index = new Map();
      for (const member of members) this.indexMember(member);
    }
    return this.index.get(name);
  }

  /** Appends a member; only the tree builder does. */
  add(member: MemberNode): void {
    this.members.push(member);
    this.indexMember(member);
  }

  private indexMember(member: MemberNode): void {
    if (this.index !== undefined && !this.index.has(member.name)) this.index.set(member.name, member);
  }

  /** The value of the first member of that name, if it has one. */
  get(name: string): JsonNode | undefined {
    return this.member(name)?.value;
  }
}

/** A member of an object; its value is undefined where none is written. */
export class MemberNode implements Span {
  declare readonly kind: "member";
  declare value: JsonNode | undefined;
  declare readonly key: StringNode;
  declare readonly parent: ObjectNode;
  /** Whether a member of that name stands before it, so that this one doesn't count. */
  declare readonly repeated: boolean;

  constructor(key: StringNode, parent: ObjectNode, repeated: boolean) {
    this.kind = "member";
    this.value = undefined;
    this.key = key;
    this.parent = parent;
    this.repeated = repeated;
    key.parent = this;
  }

  get name(): string {
    return this.key.value;
  }
  get start(): number {
    return this.key.start;
  }
  get end(): number {
    return this.value === undefined ? this.key.end : this.value.end;
  }
}

/** An array, also one that isn't closed. */
export class ArrayNode extends Placed {
  declare readonly kind: "array";
  declare items: JsonNode[];
  declare parent: Parent;

  constructor(start: number, parent: Parent) {
    super(start, start + 1);
    this.kind = "array";
    this.items = [];
    this.parent = parent;
  }

  /** Only the tree builder does. A copy has no room for more, which is most of a short list. */
  closeAt(end: number): void {
    this.last = end - this.anchor.offset;
    this.items = this.items.slice();
  }
}

/** A string that is a value or the key of a member. */
export class StringNode extends Placed {
  declare readonly kind: "string";
  /** The decoded text. Embedded languages count offsets in it. */
  declare readonly value: string;
  /** Whether some character is written as an escape, so that offsets in `value` and in the document differ. */
  declare readonly escaped: boolean;
  /** False for an unclosed string or a bad escape: `value` is then a guess, and no embedded language is read from it. */
  declare readonly valid: boolean;
  /** Of a key: its member. */
  declare parent: Parent;

  constructor(start: number, end: number, value: string, escaped: boolean, valid: boolean, parent: Parent) {
    super(start, end);
    this.kind = "string";
    this.value = value;
    this.escaped = escaped;
    this.valid = valid;
    this.parent = parent;
  }
}

/** A number. */
export class NumberNode extends Placed {
  declare readonly kind: "number";
  declare readonly value: number;
  declare parent: Parent;

  constructor(start: number, end: number, value: number, parent: Parent) {
    super(start, end);
    this.kind = "number";
    this.value = value;
    this.parent = parent;
  }
}

/** `true` or `false`. */
export class BooleanNode extends Placed {
  declare readonly kind: "boolean";
  declare readonly value: boolean;
  declare parent: Parent;

  constructor(start: number, end: number, value: boolean, parent: Parent) {
    super(start, end);
    this.kind = "boolean";
    this.value = value;
    this.parent = parent;
  }
}

/** `null`. */
export class NullNode extends Placed {
  declare readonly kind: "null";
  declare readonly value: null;
  declare parent: Parent;

  constructor(start: number, end: number, parent: Parent) {
    super(start, end);
    this.kind = "null";
    this.value = null;
    this.parent = parent;
  }
}

/** The plain value of a node; repeated members: the first counts. `__proto__` becomes an ordinary own member. */
export function toJson(node: JsonNode): unknown {
  switch (node.kind) {
    case "object": {
      const object: Record<string, unknown> = {};
      for (const member of node.members) {
        if (member.value === undefined || Object.hasOwn(object, member.name)) continue;
        Object.defineProperty(object, member.name, {
          value: toJson(member.value),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
      return object;
    }
    case "array":
      return node.items.map(toJson);
    default:
      return node.value;
  }
}

/** The innermost value around an offset; iterative, and quick among many siblings. */
export function nodeAt(root: JsonNode | undefined, offset: number): JsonNode | undefined {
  let node = root;
  for (;;) {
    const inner = childAt(node, offset);
    if (inner === undefined) return node;
    node = inner;
  }
}

function childAt(node: JsonNode | undefined, offset: number): JsonNode | undefined {
  if (node?.kind !== "object" && node?.kind !== "array") return undefined;
  const children: readonly (MemberNode | JsonNode)[] = node.kind === "object" ? node.members : node.items;
  // The last child that begins at the offset or before it.
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (children[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  const child = children[low - 1];
  const value = child?.kind === "member" ? child.value : child;
  return value !== undefined && value.start <= offset && offset < value.end ? value : undefined;
}

/** An element of `form_fields`, `workflows` … that is an object. */
export function objectItems(array: JsonNode | undefined): ObjectNode[] {
  if (array?.kind !== "array") return [];
  return array.items.filter((item): item is ObjectNode => item.kind === "object");
}

/** The text of a member, if it is a string. */
export function textOf(object: JsonNode | undefined, member: string): string | undefined {
  if (object?.kind !== "object") return undefined;
  const value = object.get(member);
  return value?.kind === "string" ? value.value : undefined;
}
