import type { Law } from "./law.ts";

export const backlogDrains: Law = {
  name: "backlog-drains",
  summary: "When the service is well again, the next cycles succeed, and nothing waits for ever.",
  broken({ world, cycles }) {
    const last = cycles.at(-1);
    if (world.faults.length === 0 || last?.isQuiet !== true || last.failure === undefined) return undefined;
    if (world.faults.some(({ step }) => step >= last.number)) return undefined;
    return {
      message: `The service is well again, and cycle ${last.number} fails still: ${last.failure.message}`,
      records: [],
      cycles: [last.number],
      pointer: last.failure.pointer,
    };
  },
};
