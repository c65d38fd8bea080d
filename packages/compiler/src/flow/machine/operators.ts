import {
  compare,
  isKind,
  itemsOf,
  madeOf,
  memberOf,
  numberOf,
  type Part,
  type RecordValue,
  resolved,
  type Source,
  UNKNOWN,
  type Value,
} from "./value.ts";

/** What a comparison gives; unknown where the order of its operands is. */
export function compared(operator: string, left: Value, right: Value): Value {
  const order = compare(left, right);
  if (order === undefined || isOtherForm(left, right) || isOtherForm(right, left)) return UNKNOWN;
  switch (operator) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    default:
      return order >= 0;
  }
}

/**
 * Whether an author takes what an answer says to be written in another way than is usual: a flag as "Y" or 1, or -1 or 0 where there is
 * no further page. `.has_more == "true"` and `.next_page != false` are rather slips.
 */
function isOtherForm(told: Value, constant: Value): boolean {
  if (typeof constant !== "string" && typeof constant !== "number") return false;
  if (!isKind(told, "part") || !told.source.isAnswer) return false;
  const value = resolved(told);
  const isText = typeof constant === "string" && !/^(?:true|false)$/i.test(constant);
  if (typeof value === "boolean") return isText || typeof constant === "number";
  return value === null && (constant === 0 || constant === -1);
}

/** What an arithmetic operation gives. */
export function reckoned(operator: string, first: Value, second: Value): Value {
  const a = resolved(first);
  const b = resolved(second);
  if (operator === "+" || (operator === "*" && a !== null && isFlat(b))) {
    if (isKind(first, "part") && isObject(first) && a === UNKNOWN && isKind(b, "record") && !b.open)
      return withMembers(first, b);
    if (a === null) return b;
    // Only an object takes on members: whatever it is, it has these now.
    if (a === UNKNOWN && isKind(b, "record") && !b.open) return { ...b, open: true };
    if (b === null) return a;
    const text = madeOf([a, b]);
    if (text !== undefined) return text;
    if (isKind(a, "list") && isKind(b, "list")) return { kind: "list", items: [...a.items, ...b.items] };
    if (isKind(a, "record") && isKind(b, "record"))
      return { kind: "record", members: new Map([...a.members, ...b.members]), open: a.open || b.open };
  }
  return sum(operator, numberOf(a), numberOf(b));
}

const isObject = ({ path, source }: Part): boolean =>
  source.isAnswer === true || (source.isObject === true && path.length === 0);

/** Whether an object has no objects below it: merged with `*` it is merged as with `+`. */
const isFlat = (value: Value): boolean =>
  isKind(value, "record") && ![...value.members.values()].some((member) => isKind(member, "record"));

/** Something outside with further members, as `. + {token: …}` makes of an answer. */
function withMembers(part: Part, { members }: RecordValue): Part {
  const { path, source } = part;
  const own = (below: readonly string[]): Value | undefined => {
    const [name, ...rest] = below.slice(path.length);
    const member = name === undefined ? undefined : members.get(name);
    return member === undefined ? undefined : rest.reduce<Value>(memberOf, member);
  };
  const extended: Source = {
    ...(source.isAnswer ? { isAnswer: true } : { isObject: true }),
    resolve(below) {
      const value = own(below);
      return value === undefined ? source.resolve(below) : resolved(value);
    },
    itemsAt(below) {
      const value = own(below);
      return value === undefined ? source.itemsAt?.(below) : itemsOf(value);
    },
    isAbsent: (below) => own(below) === undefined && source.isAbsent?.(below) === true,
  };
  return { kind: "part", path, source: extended };
}

function sum(operator: string, a: Value, b: Value): Value {
  if (typeof a !== "number" || typeof b !== "number") return UNKNOWN;
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? UNKNOWN : a / b;
    default:
      return Math.trunc(b) === 0 ? UNKNOWN : Math.trunc(a) % Math.trunc(b);
  }
}
