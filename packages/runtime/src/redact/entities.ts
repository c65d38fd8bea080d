/** Names of HTML for what is in ASCII, and in the order of their characters from U+00A0 for what is in Latin-1. */
const ascii =
  "Tab\t NewLine\n excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lbrack[ lsqb[ bsol\\ rbrack] rsqb] hat^ lowbar_ grave` lbrace{ lcub{ verbar| vert| rbrace} rcub}";
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml times oslash ugrave uacute ucirc uuml yacute thorn szlig";

let characters: ReadonlyMap<string, string> | undefined;

/** What an entity stands for; capitals and small letters of one name aren't told apart, nor are they in secrets. */
export function entityOf(name: string): string | undefined {
  characters ??= new Map([
    ...ascii.split(" ").map((pair): [string, string] => [pair.slice(0, -1).toLowerCase(), pair.slice(-1)]),
    ...latin.split(" ").map((each, index): [string, string] => [each, String.fromCharCode(0xa0 + index)]),
    ["divide", "\u00f7"],
    ["yuml", "\u00ff"],
  ]);
  return characters.get(name.toLowerCase());
}
