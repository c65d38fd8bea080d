/**
 * Places that one share has at most (E38). Where there are others, a quarter is left for what comes for them: it mustn't wait until what is under
 * way has ended.
 */
export function mostOf(places: number, shares: number): number {
  return shares > 1 ? places - Math.floor(places / 4) : places;
}

/** What each of the shares that want places has of them, if all want as many (E38). */
export function fairPart(places: number, wanting: number): number {
  return Math.max(1, Math.floor(places / Math.max(1, wanting)));
}

/** Jobs at once, at most: those that have a place, and those of shares whose part others still hold (E247). */
export function mostInAll(places: number): number {
  return 2 * places;
}
