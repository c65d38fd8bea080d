import { suite } from "../suite-config.ts";
import { fleetTests } from "../suites.ts";

export default suite(fleetTests);
