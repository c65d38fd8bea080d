import type { AppIntake } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Shape } from "../service/shape.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import type { Parameter } from "../symbolic/url.ts";
import type { Path } from "../symbolic/value.ts";

/** What a parameter of the polling request means to the service. */
export type Role =
  | { readonly kind: "page"; readonly start: number }
  /** How many records are skipped, from `start` on. */
  | { readonly kind: "offset"; readonly start: number }
  /** An opaque place in the list, that an answer gave. */
  | { readonly kind: "cursor" }
  /** Records behind the one with this id, or from it on. */
  | { readonly kind: "after"; readonly isInclusive?: boolean }
  /** A bound on a field. Exclusive or not where the name or operator says it. */
  | { readonly kind: "from" | "to"; readonly field: Field; readonly isInclusive?: boolean }
  /** Text in a language of filters, which has bounds in it. */
  | { readonly kind: "filter"; readonly field: Field }
  /** A time: the list is shown as it was then, on each page. */
  | { readonly kind: "as-of" }
  | { readonly kind: "size"; readonly size: number };

/** A field of the records by which a list is filtered or read on. */
export interface Field {
  readonly name: string;
  /** Below the record. */
  readonly path: Path;
  readonly isTime: boolean;
  /** It stays as it was when the record was created. */
  readonly isFixed: boolean;
}

/** A parameter with what it means. */
export interface RoleOf {
  readonly parameter: Pick<Parameter, "place" | "path">;
  readonly role: Role;
}

/** What a member of the answer says about the paging. */
export interface Indicator {
  /** It may stand in an item of a list, behind one `[]`. */
  readonly path: Path;
  /** The item that has it, where links of several kinds are a list: `links[] | select(.rel == "next") | .href`. */
  readonly among?: { readonly member: string; readonly is: string };
  readonly says:
    | "more"
    | "last"
    /** A place to go on from. */
    | "token"
    /** At the end only: from where later changes are read. */
    | "sync-token"
    /** A place to go on from that is always given: the list never ends. */
    | "position"
    | "pages"
    | "count"
    | "page"
    | "offset"
    | "size"
    | "next-page"
    | "next-offset";
  /** What programs do with it leaves no other reading. */
  readonly isSure?: true;
  /** What a place to go on from is where there is nothing more. */
  readonly atEnd: "null" | "absent" | "blank";
  /** The parameter of an address in which a place stands, where programs cut it out of one: `links.next`. */
  readonly within?: string;
}

/** A request that makes the list which is read then, by an id in its address: an export, a snapshot. */
export interface Opening {
  readonly exchange: RequestTemplate;
  readonly roles: readonly RoleOf[];
  /** Where its answer has the id. */
  readonly id: Path;
  /** Where it says how many pages or records the list has: it does so once and for all. */
  readonly counts: readonly Indicator[];
}

/** A list that each record of the polled one has: the app reads it by the record's id, and takes its items. */
export interface Inner {
  readonly exchange: RequestTemplate;
  readonly list: Path;
  readonly indicators: readonly Indicator[];
}

/** Where the answer to another request says how far the list goes at the moment: an app that leaves out what is there begins to read there. */
export interface Head {
  readonly exchange: RequestTemplate;
  readonly path: Path;
  /** What the app sends it back as. */
  readonly role: Role;
}

/** How an intake reads a list of its service, as far as the app says it. */
export interface Protocol {
  readonly intake: AppIntake;
  readonly exchange: RequestTemplate;
  /** Where the records stand in the answer. */
  readonly list: Path;
  /** Other lists of the answer, which have some of the records. */
  readonly others: readonly Path[];
  readonly answer: Shape;
  readonly roles: readonly RoleOf[];
  readonly indicators: readonly Indicator[];
  /** The field by which the list is read on from cycle to cycle. */
  readonly field: Field | undefined;
  /** Records don't change in what the app looks at: they come and go. */
  readonly isImmutable: boolean;
  readonly order: {
    readonly direction: "ascending" | "descending";
    readonly isStated: boolean;
    /** Where the app asks for it; else the field by which it reads on. */
    readonly by: "change" | "creation" | "id" | undefined;
  };
  /** What documents and samples say of the list; undefined where there are none. */
  readonly known:
    | {
        readonly source: string;
        /** Later pages show it as it was at the first one. */
        readonly isFrozen: boolean;
        /** Its times have parts of seconds. */
        readonly isExact: boolean;
      }
    | undefined;
  readonly opening: Opening | undefined;
  readonly inner: Inner | undefined;
  /** Where other answers say how far the list goes at the moment. */
  readonly heads: readonly Head[];
  /** The app follows addresses of pages. */
  readonly isLinked: boolean;
  /** A time and an id together are a place in the list. */
  readonly isKeyset: boolean;
  /** The app reads one answer, and no other page. */
  readonly isWhole: boolean;
  /**
   * The app reads on by numbers that the service gives out in their order, page after page of one cycle: such a list can only come in that
   * order, and shows a number at once.
   */
  readonly isSequence: boolean;
  /** Requests that tell the service which records were read: lists don't show these any more until they change. */
  readonly acknowledging: readonly RequestTemplate[];
  /** Members of a record by which the app goes on: they are always there. */
  readonly keys: readonly Path[];
  /** A record's size of page is told by the app, and its programs count on it. */
  readonly size: {
    readonly size: number;
    readonly isFixed: boolean;
    /** What a page has at most, as a document tells it, whatever is asked for. */
    readonly most?: number;
  };
  /** The field's format as the state holds it at the beginning. */
  readonly initial: Json;
  /** Of all exchanges of the cycle and of the pipeline. */
  readonly exchanges: readonly { readonly exchange: RequestTemplate; readonly answer: Shape }[];
}

/** Why an intake can't be simulated. */
export interface Untried {
  readonly reason: string;
  /** It fails before it sends its first request: no other service would help. */
  readonly failsAnyway?: boolean;
}
