import { mergeConfig } from "vitest/config";
import config from "./vitest.config.ts";

/** Measurements in the real editor: `npm run bench:vscode`. */
const measured = mergeConfig(config, { test: { retry: 0 } });
measured.test = { ...measured.test, include: ["test/vscode/*.measure.ts"] };
export default measured;
