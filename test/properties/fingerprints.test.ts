import { compile, type ObjectNode, render } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { validConfigs } from "../../packages/compiler/test/support/configs.ts";
import { Config } from "../mutants/config.ts";
import { applyMutant } from "../mutants/kind.ts";
import { kinds } from "../mutants/kinds/index.ts";
import { mutantsOf } from "../mutants/run.ts";
import { share } from "../support/cases.ts";

/** A baseline knows a finding by its fingerprint: it must survive what doesn't touch the mistake. */

const uri = "a.app.json";

/** A workflow and an intake with nothing wrong that say nothing of the others. */
const workflow = `{ "name": "spare-workflow", "label": "Spare - Nothing", "type": "automations", "auth": "spare-auth", "setup": { "connect": { "label": "Connect", "describe_connection": { "!pipe": [{ "!http": { "path": "/me" } }, { "!jq": "{account_id: .id, description: .name}" }] } } }, "data_pipeline": { "source": { "!resource": "PlatformContact" }, "target": { "!http": { "method": "POST", "path": "/people", "body": "\${piped_content.0}" } } } }`;

const configs = validConfigs()
  .filter(({ path }) => path.endsWith(".json"))
  .map(({ path, text }) => new Config({ path, text }));

/** Documents with one mistake each that still parse. */
const mistakes = share(
  configs.flatMap((config, i) =>
    kinds.flatMap((kind, k) =>
      (i + k) % 30 === 0 && !kind.name.startsWith("syntax/")
        ? [...mutantsOf(kind, config, 1)].map((mutant) => applyMutant(config.text, mutant).text)
        : [],
    ),
  ),
);

/** Of the documents as they were: each is compared with several others. */
const known = new Map<string, readonly string[]>();

/** Fingerprints of the errors and warnings, sorted. Those of the inserted items themselves are left out. */
function fingerprints(text: string): readonly string[] {
  let found = known.get(text);
  if (found === undefined) {
    found = fingerprintsOf(text);
    known.set(text, found);
  }
  return found;
}

function fingerprintsOf(text: string): string[] {
  const { model, diagnostics } = compile(text, { uri });
  return diagnostics
    .filter(({ severity }) => severity === "error" || severity === "warning")
    .map((diagnostic) => render(model, diagnostic, { fixes: false }))
    .filter(({ message }) => !message.includes("spare"))
    .map(({ rule, fingerprint }) => `${rule} ${fingerprint}`)
    .sort();
}

function withWorkflowInFront(text: string): string | undefined {
  const { root } = compile(text, { uri }).model.document;
  const workflows =
    (root as ObjectNode | undefined)?.kind === "object" ? (root as ObjectNode).get("workflows") : undefined;
  if (workflows?.kind !== "array" || workflows.items.length === 0) return undefined;
  const at = workflows.start + 1;
  return `${text.slice(0, at)}${workflow},${text.slice(at)}`;
}

describe("a fingerprint stays the same", () => {
  test("there are findings to compare", () => {
    expect(mistakes.filter((text) => fingerprints(text).length > 0).length).toBeGreaterThan(
      mistakes.length / 2,
    );
  });

  test("when an unrelated workflow is put in front", () => {
    for (const text of mistakes) {
      const longer = withWorkflowInFront(text);
      if (longer === undefined) continue;
      const before = fingerprints(text);
      expect(fingerprints(longer)).toEqual(expect.arrayContaining([...before]));
    }
  });

  test("when the document is formatted otherwise", () => {
    for (const text of mistakes) {
      const { problems } = compile(text, { uri }).model.document;
      // Repeated members don't survive JSON.parse.
      if (problems.length > 0) continue;
      const value: unknown = JSON.parse(text);
      for (const indentation of [0, "\t"])
        expect(fingerprints(JSON.stringify(value, null, indentation))).toEqual(fingerprints(text));
    }
  });

  test("when line ends change", () => {
    for (const text of mistakes)
      expect(fingerprints(text.replaceAll("\n", "\r\n"))).toEqual(fingerprints(text));
  });
});

describe("fingerprints tell mistakes apart", () => {
  test("a finding inside the document has the pointer of its value or member, also where it is at a name", () => {
    for (const text of mistakes) {
      const { model, diagnostics } = compile(text, { uri });
      const root = model.document.root?.start ?? 0;
      for (const diagnostic of diagnostics) {
        const { pointer, rule } = render(model, diagnostic, { fixes: false });
        if (diagnostic.span.start > root) expect(`${rule} ${pointer}`).toMatch(/ \/./);
      }
    }
  });

  test("two findings of a document have different ones, unless they say the same of the same place", () => {
    for (const text of mistakes) {
      const { model, diagnostics } = compile(text, { uri });
      const seen = new Map<string, string>();
      for (const diagnostic of diagnostics) {
        const { fingerprint, message, pointer, rule } = render(model, diagnostic, { fixes: false });
        const said = `${rule} ${pointer} ${message}`;
        expect(seen.get(fingerprint) ?? said).toBe(said);
        seen.set(fingerprint, said);
      }
    }
  });
});
