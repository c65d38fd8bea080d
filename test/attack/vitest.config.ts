import { suite } from "../suite-config.ts";
import { attackTests } from "../suites.ts";

export default suite(attackTests);
