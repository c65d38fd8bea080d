/** Items of a run with failures. */
const FEWER = 150;

/** Seeds of what fails. `STORY_SEEDS=3,4,5` tries others. */
const seeds = (process.env["STORY_SEEDS"] ?? "1,2").split(",").map(Number);

/** How a story is run: once as it should be, with many items; then with requests that fail at random, and the same end. */
export function runs(items: number): { name: string; items: number; seed: number | undefined }[] {
  const fewer = Math.min(items, FEWER);
  return [
    { name: `${items} items, undisturbed`, items, seed: undefined },
    ...seeds.map((seed) => ({ name: `${fewer} items, with failures (seed ${seed})`, items: fewer, seed })),
  ];
}
