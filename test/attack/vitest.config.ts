import { suite } from "../suite-config.ts";
import { attackTests } from "../suites.ts";

// All of it, unless CI asks for a part (test/support/cases.ts).
process.env["CONFIGC_CASES"] ??= "all";

export default suite(attackTests);
