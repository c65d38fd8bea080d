import { suite } from "../suite-config.ts";
import { longTests } from "../suites.ts";

export default suite(longTests, false);
