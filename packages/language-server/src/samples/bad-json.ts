/**
 * Why a text isn't JSON, without the text: a reader quotes what it read. A repository's settings and links may name any file, and who reads the log of a
 * build isn't who may read that file.
 *
 * @param error what `JSON.parse` threw
 */
export function reasonOfBadJson(error: SyntaxError): string {
  return error.message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, " in JSON");
}
