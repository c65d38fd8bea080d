/** One change of a config: a member that is replaced or removed, a part of a text, or a list's item that is moved or put in. */
export interface Edit {
  /** JSON Pointer. */
  readonly at: string;
  readonly replace?: string;
  readonly by?: string;
  readonly value?: unknown;
  readonly remove?: true;
  /** The place in its list that the item goes to. */
  readonly moveTo?: number;
  /** What is put into the list before the item. */
  readonly insert?: unknown;
}

/** One mistake of meaning in one config. */
export interface Mistake extends Edit {
  /** Name of the config, without its ending. */
  readonly config: string;
  readonly class: string;
  readonly mistake: string;
  /** What the customer loses by it. */
  readonly why?: string;
  /** What is changed, where one change doesn't make the mistake. */
  readonly edits?: readonly Edit[];
  /** The level that a finding must have at least: a warning, or a hint where the mistake is likely and not certain. */
  readonly level?: "hint";
  /** Pointers beside `at` of which one must begin the finding's; the part of the document by default. */
  readonly near?: readonly string[];
}

/** `text`, a config, with the mistake in it. */
export function withMistake(text: string, mistake: Mistake): string {
  const document = JSON.parse(text);
  const name = `${mistake.config}, “${mistake.mistake}”`;
  for (const edit of mistake.edits ?? [mistake]) apply(edit, document, name);
  const changed = JSON.stringify(document, null, 2);
  if (changed === JSON.stringify(JSON.parse(text), null, 2)) throw new Error(`${name} changes nothing.`);
  return `${changed}\n`;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the pointer leads through
function apply(edit: Edit, document: any, name: string): void {
  const segments = edit.at
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = segments.pop() as string;
  const owner = segments.reduce((value, segment) => value[segment], document);
  if (edit.remove && Array.isArray(owner)) owner.splice(Number(last), 1);
  else if (edit.remove) delete owner[last];
  else if (edit.moveTo !== undefined) owner.splice(edit.moveTo, 0, ...owner.splice(Number(last), 1));
  else if (edit.insert !== undefined) owner.splice(Number(last), 0, edit.insert);
  else if (edit.replace === undefined) owner[last] = edit.value;
  else owner[last] = replaceOnce(owner[last], edit.replace, edit.by as string, name);
}

function replaceOnce(text: string, replace: string, by: string, name: string): string {
  const parts = text.split(replace);
  if (parts.length !== 2) throw new Error(`${name}: “${replace}” stands there ${parts.length - 1} times.`);
  return parts.join(by);
}
