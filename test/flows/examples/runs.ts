/** How a story is run: once as it should be, with many items; then with requests that fail at random, and the same end. */
export function runs(items: number): { name: string; items: number; seed: number | undefined }[] {
  return [
    { name: `${items} items, undisturbed`, items, seed: undefined },
    ...[1, 2, 3].map((seed) => ({ name: `150 items, with failures (seed ${seed})`, items: 150, seed })),
  ];
}
