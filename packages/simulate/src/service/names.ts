/*
 * What names mean in the APIs of this world, where nothing else says it. Only whole words count: `updated_after` has the words
 * `updated` and `after`.
 */

/** The words of a name: `created[gte]`, `updatedSince`, `page_size`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

export function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).some((word) => words.has(word));
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Parameters that say how much a page holds. */
export const sizeNames = set(
  "limit size pagesize perpage per count top first take rows max_results maxresults",
);
/** Parameters that name an order. */
export const orderNames = set("sort order orderby sortby ordering sorting");
export const directionNames = set("direction dir");
export const pageNames = set("page pagenumber pageno p");
export const offsetNames = set("offset skip start startat from startindex");
export const cursorNames = set("cursor token pagetoken after next continuation bookmark scroll");

/** Upper bounds. */
export const untilNames = set("until before to end max lt lte le upto");
/** Times as which a list is shown. */
export const asOfNames = set("asof snapshot");
export const inclusiveNames = set("gte ge lte le");
export const exclusiveNames = set("gt lt");

/** Fields that change with each change of a record. */
export const changeNames = set(
  "updated modified changed edited update modification change lastmodified touched last",
);
/** Fields that a record keeps from its beginning. */
export const creationNames = set(
  "created creation submitted received sent occurred inserted registered added placed joined create issued published posted booked ordered paid signed started ended finished completed closed",
);
/** States of a job that is done. */
export const doneNames = set(
  "ready done complete completed finished success successful succeeded available processed",
);
/** Requests that take records off a list of what is to be read. */
export const ackNames = set(
  "ack acks acknowledge acknowledged acknowledgement acknowledgements confirm dequeue",
);
/** Fields with a time. */
export const timeNames = set(
  "at time date timestamp updated modified changed created submitted received sent occurred since on",
);

/** Answers' members that say that there is (or isn't) more. */
export const lastNames = set("last done finished complete completed end eof islast islastpage");
export const pagesNames = set("pages totalpages pagecount lastpage numpages");
export const countNames = set("total count totalcount totalitems totalresults size found matches records");
/** Texts that a service makes for programs: they are ASCII. */
export const codeNames = set(
  "version etag rev revision stamp code token hash checksum cursor nonce signature",
);
/** Dates of birth. */
export const birthNames = set("birth birthday birthdate born dob dateofbirth");
export const idNames = set("id uuid guid key gid _id");
