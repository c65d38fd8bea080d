import { type Draft, memoryStore, type Setup, SetupError } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { testEffects } from "../support/effects.ts";
import { serve } from "../support/server.ts";
import { mapping, setupRuntime } from "./support.ts";

/** The guided setup (D43), from a connection to an installation that works. */
const runtime = setupRuntime();

async function setupAt(step: "select" | "map" | "schedule" | "ready"): Promise<Setup> {
  const setup = runtime.setup("in");
  await setup.connect("c");
  if (step === "select") return setup;
  await setup.answer("form", 1);
  await setup.answer("part", "1-2");
  await setup.select();
  if (step === "map") return setup;
  await setup.map(mapping);
  if (step === "schedule") return setup;
  setup.schedule("recurring");
  setup.review();
  setup.review();
  return setup;
}

async function refusal(work: () => unknown): Promise<SetupError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SetupError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("a field waits for the required ones that its choices are made by", async () => {
  const setup = await setupAt("select");
  const waiting = () => {
    const { current } = setup.view();
    if (current.step !== "select") throw new Error(current.step);
    return current.fields
      .filter(({ waitsFor }) => waitsFor.length > 0)
      .map(({ id, waitsFor }) => [id, ...waitsFor]);
  };
  expect(waiting()).toEqual([["part", "Form"]]);
  await setup.answer("form", "1");
  expect(waiting()).toEqual([]);
});

test("D43 connect, select, map, schedule, review, ready: each step shows what the config says", async () => {
  const setup = runtime.setup("in");
  const shown: unknown[] = [];
  const show = () => shown.push(setup.view().current);
  show();
  await setup.connect("c");
  expect(await setup.options("form")).toEqual([
    { display: "One", value: 1 },
    { display: "Two", value: "2" },
  ]);
  // A page sends texts; what is kept is the option's own value.
  await setup.answer("form", "1");
  await setup.answer("part", "1-2");
  await setup.answer("kinds", ["b", "a", "b"]);
  await setup.answer("note", "50 %");
  show();
  await setup.select();
  show();
  await setup.map(mapping);
  show();
  setup.schedule("recurring");
  show();
  setup.review();
  show();
  setup.review();
  show();
  expect(shown).toMatchObject([
    { step: "connect", label: "Connect", help: "With *care*", auth: "acme" },
    {
      step: "select",
      fields: [
        { id: "form", value: 1, display: "One", hasOptions: true, searchable: false },
        { id: "part", value: "1-2", display: "Part 2" },
        { id: "kinds", value: ["b", "a"], display: ["B", "A"], required: false },
        { id: "note", type: "textarea", value: "50 %", hasOptions: false },
        { id: "found", searchable: true },
      ],
    },
    { step: "map", source: "Rows", target: "Fields" },
    {
      step: "schedule",
      description: "When",
      frequency: 1800,
      options: [{ label: "Always", type: "recurring" }],
    },
    { step: "review_events", header: "Events" },
    { step: "review_objects", label: "Objects" },
    { step: "ready", account: "Ada", selection: "One: Part 2" },
  ]);
  expect(setup.draft).toEqual({
    step: "ready",
    settings: {
      connection: "c",
      accountId: "7",
      account: "Ada",
      customData: {
        form: { value: 1, display: "One" },
        part: { value: "1-2", display: "Part 2" },
        kinds: { value: ["b", "a"], display: ["B", "A"] },
        note: { value: "50 %", display: "50 %" },
      },
      resourceId: "1-2",
      display: "One: Part 2",
      mapping,
      importOption: "recurring",
    },
  });
});

test("a workflow has the steps that its config has", () => {
  expect(
    runtime
      .setup("out")
      .view()
      .steps.map(({ step }) => step),
  ).toEqual(["connect", "map", "ready"]);
});

describe("what is refused, and nothing has changed", () => {
  test.each<
    [string, "select" | "map" | "schedule" | "ready", (setup: Setup) => unknown, Partial<SetupError>]
  >([
    ["a step before its turn", "select", (setup) => setup.map(mapping), { kind: "wrong-step" }],
    ["a step that is over", "map", (setup) => setup.answer("form", 1), { kind: "wrong-step" }],
    ["connecting in the middle", "map", (setup) => setup.connect("d"), { kind: "wrong-step" }],
    [
      "a required field that is empty",
      "select",
      (setup) => setup.select(),
      {
        kind: "incomplete",
        issues: [
          { field: "form", message: "“Form” is required." },
          { field: "part", message: "“Part” is required." },
        ],
      },
    ],
    ["a field that isn't there", "select", (setup) => setup.answer("constructor", 1), { kind: "unknown" }],
    [
      "a choice that isn't there",
      "select",
      (setup) => setup.answer("form", 3),
      {
        kind: "unknown",
        issues: [{ field: "form", message: "“3” isn't (or is no longer) a choice of “Form”." }],
      },
    ],
    ["a list for one choice", "select", (setup) => setup.answer("form", [1]), { kind: "invalid" }],
    ["one choice for a list", "select", (setup) => setup.answer("kinds", "a"), { kind: "invalid" }],
    ["an object for a text", "select", (setup) => setup.answer("note", {}), { kind: "invalid" }],
    ["options of a field that isn't there", "select", (setup) => setup.options("x"), { kind: "unknown" }],
    ["a schedule that isn't offered", "schedule", (setup) => setup.schedule("single"), { kind: "unknown" }],
    ["a review of nothing", "map", (setup) => setup.review(), { kind: "wrong-step" }],
    [
      "a step that is too far",
      "select",
      (setup) => setup.go("schedule"),
      {
        kind: "incomplete",
        issues: [{ message: "“select” comes first." }],
      },
    ],
    ["a step that isn't there", "ready", (setup) => setup.go("pay" as never), { kind: "unknown" }],
  ])("%s", async (_name, step, work, expected) => {
    const setup = await setupAt(step);
    const before = setup.draft;
    expect(await refusal(() => work(setup))).toMatchObject(expected);
    expect(setup.draft).toBe(before);
  });

  test("a workflow that isn't there, and a draft that is none", async () => {
    expect(await refusal(() => runtime.setup("inn"))).toMatchObject({
      kind: "unknown",
      message: "The app has no workflow “inn”. It has “in”, “out”.",
    });
    for (const draft of [null, 1, [], {}, { step: "map" }, { step: "map", settings: { customData: [] } }])
      expect(await refusal(() => runtime.setup("in", draft))).toMatchObject({ kind: "state" });
  });
});

describe("mapping", () => {
  const issuesOf = async (entries: readonly object[]) => {
    const setup = await setupAt("map");
    const error = await refusal(() => setup.map({ v: 1, entries } as never));
    expect(error.kind).toBe("mapping");
    return error.issues.map(({ message }) => message);
  };
  const [email, deal] = mapping.entries;

  test.each<[string, readonly object[], readonly string[]]>([
    [
      "at least one",
      [],
      [
        "Map at least one field.",
        "“Email” is required: map a field to it.",
        "“Deal” is required: map a field to it.",
      ],
    ],
    [
      "spec: inbound needs the email address, though no target says so",
      [deal],
      ["“Email” is required: map a field to it."],
    ],
    ["a required target", [email], ["“Deal” is required: map a field to it."]],
    [
      "D36 two to one target",
      [email, deal, { source: { id: 5 }, target: email.target }],
      ["“Email” is mapped twice; one would replace the other."],
    ],
    [
      "a target of another group",
      [email, deal, { source: { id: 5 }, target: { group: "deal", id: "email" } }],
      ["There is no target field “email” in “deal”."],
    ],
    [
      "a source that is gone",
      [email, { source: { id: "of 2" }, target: deal.target }],
      ["“Deal” is mapped from “of 2”, which doesn't exist (any more)."],
    ],
    [
      "a fixed value that isn't offered",
      [email, deal, { value: "lost", target: { group: "deal", id: "stage" } }],
      ['"lost" isn\'t one of the values that “Stage” can be set to.'],
    ],
    ["no mapping at all", [{ target: { id: "email" } }], [expect.stringContaining("can't be read") as never]],
  ])("%s", async (_name, entries, expected) => {
    expect(await issuesOf(entries)).toEqual(expected);
  });

  test("ids are compared as texts and kept as the fields have them (D5); fixed values keep their type (D36)", async () => {
    const setup = await setupAt("map");
    await setup.map({
      v: 1,
      entries: [
        email,
        { source: { id: "5" }, target: deal.target },
        { value: "1", target: { group: "deal", id: "stage" } },
      ],
    });
    expect(setup.draft.settings.mapping).toEqual(mapping);
  });

  test("D36 default_group: a mapping that was saved flat is edited, and saved, in that group", async () => {
    const draft = (await setupAt("map")).draft;
    const flat = { ...draft, settings: { ...draft.settings, mapping: { mail: "email", "5": "name" } } };
    const setup = runtime.setup("in", flat);
    expect(await setup.mapping()).toEqual({
      v: 1,
      entries: [
        { source: { id: 5 }, target: { group: "contact", id: "name" } },
        { source: { id: "mail" }, target: { group: "contact", id: "email" } },
      ],
    });
  });

  test("outbound needs one mapping, and no email address", async () => {
    const setup = runtime.setup("out");
    await setup.connect("c");
    expect((await refusal(() => setup.map({ v: 1, entries: [] }))).kind).toBe("mapping");
    await setup.map({ v: 1, entries: [{ source: { id: "email" }, target: { id: "a" } }] });
    expect(setup.draft.step).toBe("ready");
  });
});

describe("changing one's mind", () => {
  test("another answer takes those away whose choices depend on it, and the others stay", async () => {
    const setup = await setupAt("ready");
    setup.go("select");
    await setup.answer("note", "kept");
    await setup.answer("form", "2");
    expect(setup.draft.settings).toMatchObject({
      customData: { form: { value: "2" }, note: { value: "kept" } },
    });
    expect(setup.draft.settings.customData).not.toHaveProperty("part");
    expect(setup.draft.settings.resourceId).toBeUndefined();
    expect(setup.draft.settings.mapping).toEqual(mapping);
    expect((await refusal(() => setup.go("ready"))).kind).toBe("incomplete");
  });

  test("the same answer again changes nothing; an empty one takes it away", async () => {
    const setup = await setupAt("ready");
    setup.go("select");
    const before = setup.draft;
    await setup.answer("form", 1);
    expect(setup.draft).toEqual(before);
    await setup.answer("form", null);
    expect(setup.draft.settings.customData).toEqual({});
  });

  test("another account begins anew, the same one keeps what was chosen", async () => {
    const store = memoryStore();
    const own = setupRuntime({ store });
    const draft = (await setupAt("ready")).draft;
    const setup = own.setup("in", draft);
    setup.go("connect");
    await setup.connect("c2");
    expect(setup.draft.settings).toMatchObject({ connection: "c2", resourceId: "1-2" });
    await store.transaction((transaction) =>
      transaction.put("saved", { id: "connection/c3", scope: "connection", values: { account: "other" } }),
    );
    setup.go("connect");
    await setup.connect("c3");
    expect(setup.draft).toEqual({
      step: "select",
      settings: {
        connection: "c3",
        accountId: "other",
        account: "Ada",
        customData: {},
        importOption: "recurring",
      },
    });
  });

  test("an app that has changed: fields that are gone are left out, and what is missing is asked for", async () => {
    const { settings } = (await setupAt("ready")).draft;
    const { part: _, ...customData } = settings.customData;
    const old: Draft = {
      step: "ready",
      settings: { ...settings, customData: { ...customData, gone: { value: 1 } } },
    };
    const setup = runtime.setup("in", old);
    expect(setup.draft.step).toBe("select");
    expect(Object.keys(setup.draft.settings.customData)).toEqual(["form"]);
  });
});

test("D43 search_term: what is typed goes into the first request, and so does the credential", async () => {
  const { origin, received } = await serve(({ query }) => ({
    json: { found: query.get("q") === null ? ["all"] : [`x ${query.get("q")}`] },
  }));
  const effects = testEffects({ c: { token: "key" } });
  const own = setupRuntime({ base: origin, effects });
  const setup = own.setup("in");
  await setup.connect("c");
  expect(await setup.options("found", "a&b")).toEqual([{ display: "x a&b", value: "x a&b" }]);
  expect(await setup.options("found", "")).toEqual([{ display: "all", value: "all" }]);
  await setup.answer("found", "x a&b", "a&b");
  expect(received.map(({ url }) => url)).toEqual(["/found?q=a%26b", "/found", "/found?q=a%26b"]);
  expect(received[0]?.headers["x-key"]).toBe("key");
});

describe("kept with its installation", () => {
  test("it is gone on with where it stopped, put to work, and changed", async () => {
    const store = memoryStore();
    const first = setupRuntime({ store });
    const { id } = await first.installations.create("in");
    await first.installations.setup(id, (setup) => setup.connect("c"));
    await expect(first.activate(id)).rejects.toThrow("setup");
    // Another process.
    const second = setupRuntime({ store });
    await second.installations.setup(id, async (setup) => {
      expect(setup.draft.step).toBe("select");
      await setup.answer("form", 1);
      await setup.answer("part", "1-1");
      await setup.select();
      await setup.map(mapping);
      setup.schedule("recurring");
      setup.go("ready");
    });
    await second.activate(id);
    expect(await second.installations.get(id)).toMatchObject({
      status: "active",
      connection: "c",
      settings: { resourceId: "1-1", importOption: "recurring" },
    });
    await second.installations.setup(id, async (setup) => {
      setup.go("select");
      await setup.answer("part", "1-2");
      await setup.select();
      setup.go("ready");
    });
    expect((await second.installations.get(id)).settings?.resourceId).toBe("1-1");
    await second.activate(id);
    expect((await second.installations.get(id)).settings?.resourceId).toBe("1-2");
    await second.pause(id);
    expect((await second.installations.get(id)).status).toBe("paused");
    await second.remove(id);
    expect((await second.installations.list()).map(({ status }) => status)).toEqual(["removed"]);
    expect(await refusal(() => second.installations.setup(id, () => undefined))).toMatchObject({
      kind: "state",
    });
  });

  test("two who go on with it at once: the second is told", async () => {
    const own = setupRuntime();
    const { id } = await own.installations.create("in");
    const error = await refusal(() =>
      own.installations.setup(id, async (setup) => {
        await own.installations.setup(id, (other) => other.connect("theirs"));
        await setup.connect("mine");
      }),
    );
    expect(error.kind).toBe("conflict");
    expect((await own.installations.get(id)).draft?.settings.connection).toBe("theirs");
  });
});
