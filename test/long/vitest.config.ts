import { mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { suite } from "../suite-config.ts";
import { byHandTests, longestTests, longTests, manyCases } from "../suites.ts";

// Generated cases and long tables are tried whole here, unless CI asks for a part (test/support/cases.ts).
process.env["CONFIGC_CASES"] ??= "all";

/** The longest begin first; where nothing is known of the others, vitest begins with the largest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longestTests.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default mergeConfig(suite([...longTests, ...manyCases], false), {
  test: {
    sequence: { sequencer: LongestFirst },
    exclude: [
      "**/node_modules/**",
      "**/dist/**",
      ...(process.env["CONFIGC_CASES"] === "part" ? byHandTests : []),
    ],
  },
});
