import { derived } from "../../../bind/derived.ts";
import { kindsNamedIn, listsNamedIn } from "../../../flow/record-kind.ts";
import { derivedByPart, distinct } from "../../by-part.ts";

const nounsByPart = derivedByPart(kindsNamedIn, "near", distinct);

/** Every kind of record that paths and form fields of the document name. */
export const kindsNamed = derived((model): ReadonlySet<string> => new Set(nounsByPart(model)));

const listsByPart = derivedByPart(listsNamedIn, "near", distinct);

/** Those of which a request asks a list for records. */
export const listsNamed = derived((model): ReadonlySet<string> => new Set(listsByPart(model)));
