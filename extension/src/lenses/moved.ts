/** A place in a text; both count from 0. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** What stands in a range is replaced. */
export interface Change {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly text: string;
}

/** Where a place is after changes, each by the text that the one before has left. @returns undefined where what stood there was replaced */
export function moved(place: Place, changes: readonly Change[]): Place | undefined {
  let now: Place | undefined = place;
  for (const change of changes) now = now && movedByOne(now, change);
  return now;
}

function movedByOne(place: Place, { range: { start, end }, text }: Change): Place | undefined {
  if (isBefore(place, start)) return place;
  if (isBefore(place, end)) return undefined;
  const lines = text.split(/\r\n|\r|\n/);
  const line = place.line - end.line + start.line + lines.length - 1;
  if (place.line > end.line) return { line, character: place.character };
  const from = (lines.length === 1 ? start.character : 0) + (lines.at(-1)?.length ?? 0);
  return { line, character: from + place.character - end.character };
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
