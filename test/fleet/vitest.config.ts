import { mergeConfig } from "vitest/config";
import { secondTry, suite } from "../suite-config.ts";
import { fleetTests } from "../suites.ts";

export default mergeConfig(suite(fleetTests), { test: secondTry });
