/**
 * Places that one share has at most (E38). Where there are others, a quarter is left for what comes for them: it mustn't wait until what is under
 * way has ended.
 */
export function mostOf(places: number, shares: number): number {
  return shares > 1 ? places - Math.floor(places / 4) : places;
}
