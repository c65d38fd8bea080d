import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

// A search without an end of its own: `npm test` leaves it out.
export default defineConfig({
  ...base,
  test: { include: ["test/fuzz/*.fuzz.ts"], testTimeout: 24 * 3600 * 1000 },
});
