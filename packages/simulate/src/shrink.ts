/**
 * Makes a world smaller and kinder as long as it shows the same, as in delta debugging: one hypothesis, happening or record less at a
 * time. (fast-check shrinks what it generated itself; worlds are planned, too.)
 *
 * @param smaller worlds that are a little less than one, the largest steps first
 * @param shows whether a world still does
 * @param most tries, so that shrinking ends in time
 */
export async function shrink<W>(
  world: W,
  smaller: (world: W) => Iterable<W>,
  shows: (world: W) => Promise<boolean>,
  most: number,
): Promise<W> {
  let smallest = world;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smaller(smallest)) {
      if (++tries > most) return smallest;
      if (!(await shows(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}
