import type { CommandSpec, Member, MemberGroup, Section, Tier, Value } from "../language/index.ts";
import type { JsonNode, MemberNode, ObjectNode } from "../parse/syntax-tree.ts";
import type { ProperPlace } from "./misplaced-member.ts";

/** Members of one object that stand a level too high or too low, all for the same reason. */
export interface MisplacedMembers {
  readonly kind: "misplaced-member";
  readonly members: MemberNode[];
  readonly section: Section;
  readonly home: ProperPlace;
}

/** How a document can differ from the language table. A rule of the area `structure` or `command` reports each. */
export type StructureProblem =
  /** An object in an object of the same name: `"setup": {"setup": {…}}`. */
  | { readonly kind: "wrapped-again"; readonly member: MemberNode; readonly section: Section }
  | {
      readonly kind: "unknown-member";
      readonly member: MemberNode;
      readonly section: Section;
      /** The name that it is checked as, and whether that follows from the spelling alone. */
      readonly meant: string | undefined;
      readonly isNear: boolean;
    }
  | MisplacedMembers
  | {
      readonly kind: "missing-member";
      readonly name: string;
      readonly member: Member;
      readonly object: ObjectNode;
      readonly section: Section;
    }
  | {
      readonly kind: "group";
      readonly group: MemberGroup;
      readonly object: ObjectNode;
      readonly section: Section;
      readonly present: readonly MemberNode[];
    }
  /** An object says by one member (`type`) that it is of one form, and has only members of another. */
  | {
      readonly kind: "wrong-variant";
      readonly object: ObjectNode;
      readonly by: string;
      readonly said: string;
      readonly is: string;
      /** Of the form that it is. */
      readonly section: Section;
    }
  | { readonly kind: "wrong-type"; readonly node: JsonNode; readonly expected: Value; readonly owner: string }
  | {
      readonly kind: "unknown-value";
      readonly node: JsonNode & { kind: "string" };
      readonly accepted: readonly string[];
      readonly owner: string;
      readonly openEnded: boolean;
    }
  | {
      readonly kind: "number-range";
      readonly node: JsonNode & { kind: "number" };
      readonly minimum?: number;
      readonly only?: number;
      readonly owner: string;
    }
  | { readonly kind: "empty-text"; readonly node: JsonNode; readonly owner: string }
  | {
      readonly kind: "list-length";
      readonly node: JsonNode;
      readonly count: number;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly owner: string;
    }
  | {
      readonly kind: "not-a-command";
      readonly node: JsonNode;
      /** As it reads in a message: "`create` of a webhook intake", "a step of `!pipe`". */
      readonly title: string;
      readonly staticToo: boolean;
      /** That a text is what the command has to give. */
      readonly givesText?: true;
    }
  | { readonly kind: "unknown-command"; readonly member: MemberNode }
  | { readonly kind: "several-commands"; readonly first: MemberNode; readonly second: MemberNode }
  | { readonly kind: "member-beside-command"; readonly member: MemberNode; readonly command: MemberNode }
  | { readonly kind: "misplaced-command"; readonly member: MemberNode; readonly spec: CommandSpec }
  | { readonly kind: "command-in-data"; readonly member: MemberNode; readonly within: string };

export type StructureProblemKind = StructureProblem["kind"];
export type { Tier };
