/**
 * The types of JSON values. They are immutable and interned: equal types are the same object, so that
 * `===` compares them. `unknown` is any value and stays silent; `never` has no value.
 */
export type Type =
  | UnknownType
  | NeverType
  | NullType
  | BooleanType
  | NumberType
  | StringType
  | ArrayType
  | ObjectType
  | UnionType;

/** What can be a member of a union. */
export type UnionPart = NullType | BooleanType | NumberType | StringType | ArrayType | ObjectType;

interface TypeBase {
  readonly id: number;
  /** Levels of arrays and objects: 0 for scalars. */
  readonly depth: number;
  /** How many types it is made of, itself and repetitions among them. */
  readonly size: number;
}
interface UnknownType extends TypeBase {
  readonly kind: "unknown";
}
interface NeverType extends TypeBase {
  readonly kind: "never";
}
interface NullType extends TypeBase {
  readonly kind: "null";
}
interface BooleanType extends TypeBase {
  readonly kind: "boolean";
  /** Set for the type of one value only; likewise below. */
  readonly value?: boolean;
}
interface NumberType extends TypeBase {
  readonly kind: "number";
  readonly value?: number;
}
interface StringType extends TypeBase {
  readonly kind: "string";
  readonly value?: string;
}
export interface ArrayType extends TypeBase {
  readonly kind: "array";
  /** All that an item can be, the first ones too. */
  readonly items: Type;
  /** The items that every value has at its beginning; without it, it may be empty. */
  readonly first?: readonly Type[];
  /** Whether there are no items beyond the first: a tuple. */
  readonly isClosed?: boolean;
}
/** Objects with known members. */
export interface ObjectType extends TypeBase {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, Member>;
  /** The type of all further members; without it the object is closed. `unknown` makes it open. */
  readonly rest?: Type;
}
interface UnionType extends TypeBase {
  readonly kind: "union";
  /** At least two, none of them `unknown`, `never` or a union; ascending by id. */
  readonly members: readonly UnionPart[];
}

/** A member of an object type. */
export interface Member {
  readonly type: Type;
  /** Absent in some values. An absent member isn't a null one, though jq reads both as null. */
  readonly optional: boolean;
}
