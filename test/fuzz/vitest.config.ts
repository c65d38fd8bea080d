import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

// A search without an end of its own: `npm test` leaves it out.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  { test: { include: ["test/fuzz/*.fuzz.ts"], testTimeout: 24 * 3600 * 1000 } },
);
