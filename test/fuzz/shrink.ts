/**
 * A small document that still fails: takes out ever smaller pieces as long as what is left fails in the same way.
 *
 * @param fails whether a document shows the failure
 * @param deadline in milliseconds since 1970; the smallest found until then is given
 */
export function shrink(text: string, fails: (text: string) => boolean, deadline: number): string {
  let smallest = text;
  for (let size = smallest.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < smallest.length && Date.now() < deadline; ) {
      const candidate = smallest.slice(0, at) + smallest.slice(at + size);
      if (fails(candidate)) smallest = candidate;
      else at += size;
    }
  }
  return smallest;
}
