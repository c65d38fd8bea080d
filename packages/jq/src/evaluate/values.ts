/** What every part of the engine needs to know of values. */
export {
  isArray,
  isContainer,
  isObject,
  isTrue,
  member,
  setMember,
  type TypeName,
  typeName,
} from "./kinds.ts";
export { compare, compareStrings, contains, equals, sortedKeys } from "./ordering.ts";
export {
  byteLength,
  codePointLength,
  described,
  excerpt,
  jsonText,
  textOf,
} from "./printing.ts";
