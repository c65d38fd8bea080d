import type { Law } from "./law.ts";

export const stateStaysSmall: Law = {
  name: "state-stays-small",
  summary: "The polling state doesn't grow with what was read.",
  broken({ cycles, collection }) {
    const sizes = cycles.map(({ state }) => JSON.stringify(state).length);
    const grown = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0);
    if (grown < LEAST || grown < collection.records.length * 2) return undefined;
    return {
      message: `The polling state grew by ${grown} characters over ${cycles.length} cycles.`,
      records: [],
      cycles: [cycles.length],
    };
  },
};

/** Characters that times and cursors may take more as they move on. */
const LEAST = 200;
