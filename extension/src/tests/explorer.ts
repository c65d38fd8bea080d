import {
  type CancellationToken,
  type ExtensionContext,
  Position,
  Range,
  type TestController,
  type TestItem,
  TestMessage,
  TestRunProfileKind,
  type TestRunRequest,
  tests,
  type Uri,
  workspace,
} from "vscode";
import { readText } from "../files.ts";
import { isAllowed } from "../run/trust.ts";
import type { RunTests, TestedCase } from "./run-tests.ts";

const PATTERN = "**/*.apptest.json";

/** `*.apptest.json` in the editor's test explorer: an item for each file, below it one for each case. */
export function offerTests(context: ExtensionContext, run: RunTests): void {
  const controller = tests.createTestController("configc", "configc");
  const watcher = workspace.createFileSystemWatcher(PATTERN);
  const read = (uri: Uri): Promise<void> => readFile(controller, uri);
  const findAll = async (): Promise<void> => {
    for (const uri of await workspace.findFiles(PATTERN, "**/node_modules/**")) await read(uri);
  };
  context.subscriptions.push(
    controller,
    watcher,
    watcher.onDidCreate(read),
    watcher.onDidChange(read),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
  );
  controller.refreshHandler = findAll;
  controller.resolveHandler = async (item) => {
    if (item === undefined) await findAll();
  };
  controller.createRunProfile(
    "Run",
    TestRunProfileKind.Run,
    (request, token) => runTests(controller, request, run, token),
    true,
  );
  void findAll();
}

async function readFile(controller: TestController, uri: Uri): Promise<void> {
  const text = await readText(uri);
  const id = uri.toString();
  const file = controller.items.get(id) ?? controller.createTestItem(id, workspace.asRelativePath(uri), uri);
  controller.items.add(file);
  file.children.replace(
    namesIn(text).map(({ name, offset }) => {
      const item = controller.createTestItem(`${id}#${name}`, name, uri);
      const at = positionAt(text, offset);
      item.range = new Range(at, at);
      return item;
    }),
  );
}

/** The names of the cases, and where they stand; those of a file that isn't JSON (yet) aren't known. */
function namesIn(text: string): { readonly name: string; readonly offset: number }[] {
  let cases: unknown;
  try {
    ({ cases } = JSON.parse(text) as { readonly cases?: unknown });
  } catch {
    return [];
  }
  if (!Array.isArray(cases)) return [];
  let from = 0;
  return cases.flatMap((each: { readonly name?: unknown } | null) => {
    if (typeof each?.name !== "string") return [];
    // Names are told apart, and cases stand in this order.
    const found = text.indexOf(JSON.stringify(each.name), from);
    if (found >= 0) from = found + 1;
    return [{ name: each.name, offset: Math.max(found, 0) }];
  });
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return new Position(before.length - 1, before.at(-1)?.length ?? 0);
}

/** A file is run as a whole: that is as quick as one case of it. Only the cases that were asked for are told. */
async function runTests(
  controller: TestController,
  request: TestRunRequest,
  run: RunTests,
  token: CancellationToken,
): Promise<void> {
  if (!(await isAllowed())) return;
  const testRun = controller.createTestRun(request);
  const asked = new Map<TestItem, TestItem[]>();
  for (const item of request.include ?? [...controller.items].map(([, file]) => file)) {
    const file = item.parent ?? item;
    const cases = item.parent === undefined ? [...item.children].map(([, child]) => child) : [item];
    asked.set(file, [
      ...(asked.get(file) ?? []),
      ...cases.filter((each) => !request.exclude?.includes(each)),
    ]);
  }
  for (const [file, cases] of asked) {
    if (token.isCancellationRequested || file.uri === undefined) break;
    for (const each of cases) testRun.started(each);
    try {
      await saveAll();
      const results = new Map((await run(file.uri.fsPath, token)).map((result) => [result.name, result]));
      for (const each of cases) {
        const result = results.get(each.label);
        if (result === undefined) testRun.skipped(each);
        else if (result.passed) testRun.passed(each, result.milliseconds);
        else testRun.failed(each, messageOf(each, result), result.milliseconds);
      }
    } catch (error) {
      const message = new TestMessage(error instanceof Error ? error.message : String(error));
      for (const each of cases) testRun.errored(each, message);
    }
  }
  testRun.end();
}

function messageOf({ uri, range }: TestItem, { reasons = [], diff = [] }: TestedCase): TestMessage {
  const sides = diff.length === 0 ? [] : ["", "- expected   + given", ...diff];
  const message = new TestMessage([...reasons, ...sides].join("\n"));
  if (uri !== undefined && range !== undefined) message.location = { uri, range };
  return message;
}

/** Tests are read from disk, as CI reads them. */
async function saveAll(): Promise<void> {
  const touched = workspace.textDocuments.filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && /\.app(?:test)?\.jsonc?$/.test(uri.path),
  );
  for (const document of touched) await document.save();
}
