import { suite } from "../suite-config.ts";
import { longTests, manyCases } from "../suites.ts";

// Tests with generated cases try all of them here (test/support/cases.ts).
process.env["CONFIGC_CASES"] = "all";

export default suite([...longTests, ...manyCases], false);
