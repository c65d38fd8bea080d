/** One mistake of meaning in one config: a member that is replaced or removed, a part of a text, or a list's item that is moved or put in. */
export interface Mistake {
  /** Name of the config, without its ending. */
  readonly config: string;
  readonly class: string;
  readonly mistake: string;
  /** What the customer loses by it. */
  readonly why?: string;
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
  /** The level that a finding must have at least: a warning, or a hint where the mistake is likely and not certain. */
  readonly level?: "hint";
  /** Pointers of which one must begin the finding's; the part of the document by default. */
  readonly near?: readonly string[];
}

/** `text`, a config, with the mistake in it. */
export function withMistake(text: string, mistake: Mistake): string {
  const document = JSON.parse(text);
  const segments = mistake.at
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = segments.pop() as string;
  const owner = segments.reduce((value, segment) => value[segment], document);
  if (mistake.remove) delete owner[last];
  else if (mistake.moveTo !== undefined) owner.splice(mistake.moveTo, 0, ...owner.splice(Number(last), 1));
  else if (mistake.insert !== undefined) owner.splice(Number(last), 0, mistake.insert);
  else if (mistake.replace === undefined) owner[last] = mistake.value;
  else owner[last] = replaceOnce(owner[last], mistake.replace, mistake.by as string, mistake);
  const changed = JSON.stringify(document, null, 2);
  if (changed === JSON.stringify(JSON.parse(text), null, 2))
    throw new Error(`“${mistake.mistake}” changes nothing in ${mistake.config}.`);
  return `${changed}\n`;
}

function replaceOnce(text: string, replace: string, by: string, { config, mistake }: Mistake): string {
  const parts = text.split(replace);
  if (parts.length !== 2)
    throw new Error(`${config}, “${mistake}”: “${replace}” stands there ${parts.length - 1} times.`);
  return parts.join(by);
}
