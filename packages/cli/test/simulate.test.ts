import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configc, folderWith } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";

/** `configc simulate --save`: what was found fails as a test until it is mended, and is seen again by `run --replay`. */
const polling = new URL("../../simulate/test/polling/", import.meta.url);
const right = readFileSync(new URL("right.app.json", polling), "utf8");
const mistakes = JSON.parse(readFileSync(new URL("mistakes.json", polling), "utf8")) as readonly {
  readonly name: string;
  readonly edits: readonly (readonly [string, string])[];
}[];
const limits = ["--seeds", "0", "--days", "1"];

function broken(name: string): string {
  const { edits } = mistakes.find((each) => each.name === name)!;
  return edits.reduce((text, [from, to]) => text.replace(from, () => to), right);
}

function saved(name: string) {
  const cwd = folderWith({ "shop.app.json": broken(name) });
  const simulated = configc(["simulate", "shop.app.json", ...limits, "--save", "found"], { cwd });
  const files = readdirSync(join(cwd, "found")).sort();
  return { cwd, files, ...simulated };
}

const growing = saved("a state that grows");

// A loss, a program that fails on an answer, and a law about the state.
describe.each([
  ["pages by number over a list that moves", "world"],
  ["a member that may be absent", "cycles"],
  ["a state that grows", "world"],
])("%s", (name, kind) => {
  const { cwd, files, status, stderr } = name === "a state that grows" ? growing : saved(name);
  const tests = files.filter((file) => file.endsWith(".apptest.json"));
  const runs = files.filter((file) => file.endsWith(".run.json"));

  test("each failure is a test file with recordings", () => {
    expect(status).toBe(1);
    expect(tests.length).toBeGreaterThan(0);
    for (const file of tests) {
      const [only] = JSON.parse(readFileSync(join(cwd, "found", file), "utf8")).cases;
      expect(Object.keys(only)).toContain(kind);
      expect(runs.some((run) => run.startsWith(file.replace("apptest.json", "cycle-1.")))).toBe(true);
    }
    for (const file of files) expect(stderr).toContain(`${file} was written`);
  });

  test("a recording is run again to the same trace", async () => {
    for (const file of runs) {
      const node = file.includes(".item.") ? "/workflows/0" : "/data_intake/0";
      const again = await configcHere(["run", "shop.app.json", node, "--replay", join("found", file)], {
        cwd,
      });
      expect(again.stderr).toContain("the same run as the saved one");
      expect(again.status).toBe(file.includes(".item.") ? 1 : 0);
    }
  });

  test("the test fails, and passes once the app is mended", () => {
    const before = configc(["test", "found"], { cwd });
    expect(before.stdout).toContain(`${tests.length} cases of ${tests.length}`.replace("1 cases", "1 case"));
    expect(before.status).toBe(1);
    writeFileSync(join(cwd, "shop.app.json"), right);
    const after = configc(["test", "found"], { cwd });
    expect(after.stdout).toContain("passed");
    expect(after.status).toBe(0);
  });
});

/** Of the planted mistakes of webhooks and outbound workflows: the config with one, and the right one. */
function planted(name: string): { readonly right: string; readonly wrong: string } {
  const all = JSON.parse(readFileSync(new URL("../mistakes/mistakes.json", polling), "utf8")) as readonly {
    readonly name: string;
    readonly config: string;
    readonly edits: readonly (readonly [string, string])[];
  }[];
  const { config, edits } = all.find((each) => each.name === name)!;
  const right = JSON.stringify(JSON.parse(readFileSync(new URL(`../../../../${config}`, polling), "utf8")));
  return { right, wrong: edits.reduce((text, [from, to]) => text.replace(from, () => to), right) };
}

// A delivery that is taken, a hook that is left, an item that fails, and a request that an answer was lost of.
describe.each([
  ["a wrong signature passes", ["create", "verification", "source", "target", "delete"]],
  ["another hook is deleted than was made", ["create", "delete"]],
  ["a path through what may be absent", ["create", "verification", "source", "delete"]],
  ["a failure with status 200 counts as done", ["source", "target"]],
])("%s", (name, parts) => {
  const { right, wrong } = planted(name);
  const cwd = folderWith({ "app.app.json": wrong });
  const { stderr } = configc(["simulate", "app.app.json", "--seeds", "0", "--save", "found"], { cwd });
  const runs = readdirSync(join(cwd, "found")).filter((file) => file.endsWith(".run.json"));
  const savedOf = (file: string) => JSON.parse(readFileSync(join(cwd, "found", file), "utf8"));

  test("what was run of it are recordings, in that order", () => {
    const ran = runs.map((file) => file.split(".").at(-3)!.split("-"));
    expect(ran.map(([number]) => Number(number)).sort((a, b) => a - b)).toEqual(runs.map((_, at) => at + 1));
    expect(ran.map(([, part]) => part)).toEqual(expect.arrayContaining(parts));
    expect(stderr).not.toContain("can't be saved");
    expect(stderr).toMatch(/see a run again: configc run app.app.json \/\S+ --trace --replay \S+/);
  });

  test("each is run and debugged again, to the same trace", async () => {
    for (const file of runs) {
      const { node, outcome } = savedOf(file);
      const status = "error" in outcome ? 1 : 0;
      const path = join("found", file);
      const again = await configcHere(["run", "app.app.json", node, "--replay", path], { cwd });
      expect(again.stderr).toContain("the same run as the saved one");
      expect(again.status).toBe(status);
      const debugged = await configcHere(["debug", "app.app.json", "--replay", path, "--print"], { cwd });
      expect(debugged.stdout.split("\n").length).toBeGreaterThan(2);
      expect(debugged.status).toBe(status);
    }
  });

  test("the test case fails, and passes once the app is mended", () => {
    expect(configc(["test", "found"], { cwd }).status).toBe(1);
    writeFileSync(join(cwd, "app.app.json"), right);
    expect(configc(["test", "found"], { cwd }).status).toBe(0);
  });
});

test("nothing that is there is overwritten", () => {
  const { files } = growing;
  const cwd = folderWith({ "shop.app.json": broken("a state that grows") });
  cpSync(join(growing.cwd, "found"), join(cwd, "found"), { recursive: true });
  const path = join(cwd, "found", files[0]!);
  writeFileSync(path, "mine");
  const { stderr } = configc(["simulate", "shop.app.json", ...limits, "--save", "found"], { cwd });
  expect(stderr).toContain(`${files[0]} is there already and stays as it is`);
  expect(stderr).toContain(`${files[1]} is there already, and the same`);
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("where no law breaks, nothing is saved", () => {
  const cwd = folderWith({ "shop.app.json": right });
  const { status, stderr } = configc(["simulate", "shop.app.json", ...limits, "--save", "found"], { cwd });
  expect(stderr).toContain("nothing was saved");
  expect(status).toBe(0);
  expect(readdirSync(cwd)).toEqual(["shop.app.json"]);
});

test("where hardly a record arrives, the text and the JSON say so, and the status stays 0", () => {
  const cases = JSON.parse(readFileSync(new URL("missing.json", polling), "utf8")) as typeof mistakes;
  const { edits } = cases.find(({ name }) => name === "windows that begin decades ago")!;
  const text = edits.reduce((before, [from, to]) => before.replace(from, () => to), right);
  const cwd = folderWith({ "shop.app.json": text });
  const { status, stdout } = configc(["simulate", "shop.app.json", ...limits], { cwd });
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /Look at this: (\d+) of \1 records arrived in no world: the app reads one window of time after the other/,
  );
  const json = configc(["simulate", "shop.app.json", ...limits, "--format", "json"], { cwd }).stdout;
  const { parts } = JSON.parse(json) as { parts: { missing?: { records: number; of: number } }[] };
  expect(parts.flatMap(({ missing }) => missing ?? [])).toEqual([
    { records: expect.any(Number), of: expect.any(Number), because: expect.any(String) },
  ]);
});

test("what is wrong with the world of a case is told", () => {
  const world = { first: -1, happenings: [{ what: "explode" }], hypotheses: { paging: "quick" }, pages: 2 };
  const cwd = folderWith({
    "shop.app.json": right,
    "a.apptest.json": JSON.stringify({
      config: "shop.app.json",
      cases: [
        { name: "wrong world", run: "workflows.acme-import-customers", world },
        { name: "wrong node", run: "data_intake.customers", world: {} },
        { name: "wrong kind", run: "workflows.acme-import-customers", world: { kind: "outbound" } },
      ],
    }),
  });
  const { status, stdout } = configc(["test"], { cwd });
  expect(status).toBe(1);
  for (const told of [
    "`first` has to be a number, 0 or more",
    "`happenings.0.cycle` has to be a number",
    '`happenings.0.what` has to be "create" or "update" or "delete"',
    '`hypotheses.paging` has to be "snapshot" or "live"',
    "`pages` isn't known",
    "`run` has to name one, as workflows.NAME",
    "the workflow is of another kind",
  ])
    expect(stdout).toContain(told);
});

/** The right app with a case that no record leads to. */
const withIdleCase = right.replace(
  /"source": (\{ "!jq": "\{email.*?" \})/,
  (_, source) =>
    `"source": { "!switch": { "jq": "0", "cases": [${source}, { "!pipe": [{ "!jq": "." }, { "!jq": "null" }] }] } }`,
);

test.each(["pretty", "json", "junit", "github", "sarif"])(
  "%s tells what ran, and what never did",
  (format) => {
    const cwd = folderWith({ "shop.app.json": withIdleCase });
    const { status, stdout } = configc(["simulate", "shop.app.json", ...limits, "--format", format], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain("/workflows/0/data_pipeline/source/!switch/cases/1");
    expect(stdout).not.toMatch(/\bcorrect\b/);
    if (format === "json") {
      const { coverage } = JSON.parse(stdout);
      expect(coverage.commands.covered + coverage.commands.missing.length).toBe(coverage.commands.total);
      return;
    }
    expect(stdout).toMatch(/\d+ of \d+ commands, \d+ of \d+ cases of !switch, \d+ of \d+ branches of jq/);
    expect(stdout).toMatch(/never ran: \S+cases\/1 \(\d+:\d+\), with the 2 commands in it/);
  },
);

test("what check finds an error in isn't blamed on the service, and doesn't pass", () => {
  const leads = readFileSync(new URL("../right/signed-leads.app.json", polling), "utf8");
  const cwd = folderWith({
    "leads.app.json": leads.replace('"scope": "workflow"\n', '"scope": "account"\n'),
  });
  const { status, stdout } = configc(["simulate", "leads.app.json", ...limits], { cwd });
  expect(stdout).toMatch(
    /It can't run with any service: `configc check` finds an error at \d+:\d+: `account` isn't a value/,
  );
  expect(status).toBe(1);
});
