import { expect, test } from "vitest";
import { type Bill, billOf } from "../../scripts/sbom/bill.ts";
import { publishedParts } from "../../scripts/sbom/parts.ts";

const ref = (name: string) => `root|${name}@1.0.0`;
const component = (name: string) => ({ type: "library", name, version: "1.0.0", "bom-ref": ref(name) });

/** `needs` needs `deep`, `holds` needs `left-out`; `tool` has nothing to do with any of them. */
const whole: Bill = {
  metadata: {},
  components: ["needs", "deep", "holds", "left-out", "tool"].map(component),
  dependencies: [
    { ref: ref("needs"), dependsOn: [ref("deep")] },
    { ref: ref("deep") },
    { ref: ref("holds"), dependsOn: [ref("left-out")] },
    { ref: ref("left-out") },
    { ref: ref("tool"), dependsOn: [ref("deep")] },
  ],
};
const part = { name: "@configc/x", version: "2.0.0", type: "library", purl: "pkg:npm/x@2.0.0" } as const;

test("a bill has what is bundled, and what is installed with all that it needs", () => {
  const bill = billOf({ ...part, bundled: ["holds@1.0.0"], needed: ["needs"] }, whole);
  expect(bill.components.map(({ name }) => name)).toEqual(["needs", "deep", "holds"]);
  expect(bill.metadata.component).toMatchObject({ name: "@configc/x", version: "2.0.0" });
  expect(bill.dependencies).toEqual([
    { ref: "@configc/x@2.0.0", dependsOn: [ref("holds"), ref("needs")] },
    { ref: ref("needs"), dependsOn: [ref("deep")] },
    { ref: ref("deep"), dependsOn: [] },
    // What a bundle left out of a package isn't in it.
    { ref: ref("holds"), dependsOn: [] },
  ]);
});

test("a bill that would be incomplete isn't written", () => {
  expect(() => billOf({ ...part, bundled: ["gone@3.1.4"], needed: [] }, whole)).toThrow(
    "@configc/x has gone@3.1.4, which isn't in the lock file.",
  );
});

test("everything that is published has one", () => {
  expect(publishedParts().map(({ name }) => name)).toEqual(
    expect.arrayContaining(["configc", "@configc/jq", "@configc/engine-dbos", "configc-vscode"]),
  );
});
