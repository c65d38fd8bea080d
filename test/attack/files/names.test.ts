import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { expect } from "vitest";
import { type Attack, answer, attacks, complaintsOf, HostileServer, runCommand } from "../harness/index.ts";
import { app } from "./kinds.ts";

/** Names that lead elsewhere where they are made paths of without care. */
const names: readonly string[] = [
  "../../evil",
  "..\\..\\evil",
  "/tmp/evil-absolute",
  "C:\\evil",
  "a/../../../evil",
  "..%2f..%2fevil",
  "....//....//evil",
  "evil\u0000.json",
  "evil\n.json",
  "\u001b[31mevil",
  "con",
  ".",
  "..",
  "\u202egnp.evil",
  "e".repeat(3_000),
];

const words = (name: string): string => JSON.stringify(name).slice(0, 40);

/** What is in a folder, but for what the test put there. */
function made(folder: string, given: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !given.includes(path));
}

/** Nothing may have come to lie beside the folder, or where an absolute name leads. */
function expectNothingElsewhere(folder: string): void {
  for (const place of [dirname(folder), dirname(dirname(folder)), "/tmp"])
    expect(
      readdirSync(place).filter((path) => /evil/.test(path)),
      relative(folder, place),
    ).toEqual([]);
}

interface Named extends Attack {
  readonly given: string;
}

const named: readonly Named[] = names.map((given) => ({ name: words(given), given }));

attacks("samples of a service whose path is", named, async ({ given }) => {
  const server = await HostileServer.start(() => answer("[]"));
  const config = JSON.parse(app);
  config.api.base_url = server.origin;
  config.workflows[0].data_pipeline.source = { "!http": { path: `/v1/${given}` } };
  const files = { "a.app.json": JSON.stringify(config), "me.json": '{"a":{"username":"u","password":"p"}}' };
  const args = ["run", "a.app.json", "workflows.w.data_pipeline.source", "--input", "{}", "--samples"];
  try {
    const ended = await runCommand(files, [...args, "--credentials", "me.json", "--allow-private-network"], {
      then: (folder) => {
        const found = made(folder, Object.keys(files));
        expect(found).toHaveLength(server.heads.length);
        for (const path of found) expect(path).toMatch(/^a\.samples\/[a-z\d-]{1,90}\.json$/);
        expectNothingElsewhere(folder);
      },
    });
    expect(complaintsOf(ended)).toEqual([]);
    return ended;
  } finally {
    await server.close();
  }
});

const polling = (name: string) => ({
  $version: "2",
  api: { base_url: "https://api.example.com" },
  data_intake: [
    {
      type: "polling",
      name,
      initial_setup: { "!jq": "{polling_state: {page: 1}}" },
      // What is changed while pages are read is lost: something is there to be saved.
      request: {
        "!pipe": [
          { "!http": { path: "/people", params: { page: "${polling_state.page}", sort: "-updated_at" } } },
          {
            "!jq":
              "{results: .people, iterate: (.people | length == 100), polling_state: {page: (${polling_state.page} + 1)}}",
          },
        ],
      },
    },
  ],
  workflows: [
    {
      name,
      label: name,
      type: "generic",
      data_intake: name,
      setup: { schedule: { label: "S", description: "D", import_options: [], frequency: 1800 } },
      data_pipeline: { source: { "!jq": "{email: .email}" }, target: { "!resource": "PlatformContact" } },
    },
  ],
});

// A simulation takes its time, and the name is made harmless in one place: a few of each kind are enough.
const few = named.filter((_, index) => index % 8 === 0);

attacks("failures that are saved of a workflow called", few, async ({ given }) => {
  const files = { "a.app.json": JSON.stringify(polling(given)) };
  const args = ["simulate", "a.app.json", "--seeds", "1", "--save", "saved"];
  const ended = await runCommand(files, args, {
    then: (folder) => {
      const found = made(folder, Object.keys(files));
      expect(found.length).toBeGreaterThan(0);
      for (const path of found) {
        expect(path.startsWith("saved/")).toBe(true);
        expect(basename(path)).toBe(path.slice("saved/".length));
      }
      expectNothingElsewhere(folder);
    },
  });
  expect(complaintsOf(ended)).toEqual([]);
  return ended;
});

const services: readonly Named[] = [
  'x"},"y":{"',
  "\\",
  "${custom_data.x.value}",
  "a\nb",
  "日本",
  "__proto__x",
].map((given) => ({ name: words(given), given }));

attacks("a config to start from, for a service called", services, async ({ given }) => {
  const ended = await runCommand({}, ["init", given], {
    then: (folder) => {
      const [path, ...others] = made(folder, []);
      if (path === undefined) return;
      expect(others).toEqual([]);
      const config = JSON.parse(readFileSync(join(folder, path), "utf8"));
      expect(Object.keys(config).filter((name) => name.includes("y"))).toEqual([]);
      expect(config.workflows).toHaveLength(1);
    },
  });
  expect(complaintsOf(ended)).toEqual([]);
  return ended;
});

/** What only the owner of the machine may read, and the files of a repository that name it. */
const PRIVATE = "root:x:0:0:private";
interface Outside extends Attack {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}
const settings = (given: object) => ({ "configc.config.json": JSON.stringify(given) });
const outside: readonly Outside[] = [
  { name: "a sample", args: ["check", "a.app.json"], files: settings({ samples: ["../private.json"] }) },
  { name: "a dialect", args: ["check", "a.app.json"], files: settings({ dialect: "../private.json" }) },
  {
    name: "the config of a test",
    args: ["test"],
    files: {
      "a.apptest.json": JSON.stringify({ config: "../private.json", cases: [{ name: "n", run: "api" }] }),
    },
  },
  {
    name: "a description in YAML",
    args: ["check", "a.app.json"],
    files: settings({ samples: ["../private.yaml"] }),
  },
  { name: "a baseline", args: ["check", "a.app.json", "--baseline", "../private.json"], files: {} },
];

/** What a repository names outside of itself may be read, but its text isn't shown in a build's log. */
attacks("a file elsewhere that is named as", outside, async ({ args, files }) => {
  const inside = Object.fromEntries(
    Object.entries({ "a.app.json": app, ...files }).map(([name, text]) => [`repository/${name}`, text]),
  );
  const ended = await runCommand(
    { ...inside, "private.json": PRIVATE, "private.yaml": `${PRIVATE}\n\t- [` },
    args,
    { within: "repository" },
  );
  expect(complaintsOf(ended)).toEqual([]);
  expect(ended.stdout + ended.stderr).not.toContain("private\n");
  expect(ended.stdout + ended.stderr).not.toContain(PRIVATE);
  return ended;
});
