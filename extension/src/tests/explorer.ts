import {
  type CancellationToken,
  type ExtensionContext,
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
import { namesIn, positionAt } from "./case-names.ts";
import { type CoverageView, showsCoverage } from "./coverage.ts";
import { messageOf, outputOf } from "./message.ts";
import type { RunTests } from "./run-tests.ts";

const PATTERN = "**/*.apptest.json";

/** `*.apptest.json` in the editor's test explorer: an item for each file, below it one for each case. */
export function offerTests(
  context: ExtensionContext,
  run: RunTests,
  debugCase: (test: string, name: string) => Promise<void>,
): void {
  const controller = tests.createTestController("configc", "configc");
  const watcher = workspace.createFileSystemWatcher(PATTERN);
  // Of all: where a folder is deleted, nothing is said of the files that were in it.
  const gone = workspace.createFileSystemWatcher("**", true, true, false);
  const read = (uri: Uri): Promise<void> => readFile(controller, uri);
  const findAll = async (): Promise<void> => {
    const files = await workspace.findFiles(PATTERN, "**/node_modules/**");
    const present = new Set(files.map((uri) => uri.toString()));
    for (const [id] of controller.items) if (!present.has(id)) controller.items.delete(id);
    for (const uri of files) await read(uri);
  };
  context.subscriptions.push(
    controller,
    watcher,
    watcher.onDidCreate(read),
    watcher.onDidChange(read),
    gone,
    gone.onDidDelete((uri) => forget(controller, uri)),
    workspace.onDidRenameFiles(findAll),
    workspace.onDidChangeWorkspaceFolders(findAll),
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
  const coverage = controller.createRunProfile("Coverage", TestRunProfileKind.Coverage, (request, token) =>
    runTests(controller, request, run, token, view),
  );
  const view = showsCoverage(coverage);
  controller.createRunProfile("Debug", TestRunProfileKind.Debug, (request, token) =>
    debugTests(controller, request, debugCase, token),
  );
  void findAll();
}

/** One after the other: a person can look at one only. */
async function debugTests(
  controller: TestController,
  request: TestRunRequest,
  debugCase: (test: string, name: string) => Promise<void>,
  token: CancellationToken,
): Promise<void> {
  const testRun = controller.createTestRun(request);
  const items = request.include ?? [...controller.items].map(([, file]) => file);
  const cases = items.flatMap((item) =>
    item.parent === undefined ? [...item.children].map(([, child]) => child) : [item],
  );
  for (const item of cases) {
    if (token.isCancellationRequested || item.uri === undefined) break;
    testRun.started(item);
    await saveAll();
    await debugCase(item.uri.fsPath, item.label);
    // Whether it passes is for a run to say: here inputs and answers may have been changed.
    testRun.skipped(item);
  }
  testRun.end();
}

/** The tests of a file, or of a folder. */
function forget({ items }: TestController, uri: Uri): void {
  const at = uri.toString();
  for (const [id] of items) if (id === at || id.startsWith(`${at}/`)) items.delete(id);
}

async function readFile(controller: TestController, uri: Uri): Promise<void> {
  const id = uri.toString();
  let text: string;
  try {
    text = await readText(uri);
  } catch {
    // It is gone again.
    controller.items.delete(id);
    return;
  }
  const file = controller.items.get(id) ?? controller.createTestItem(id, workspace.asRelativePath(uri), uri);
  controller.items.add(file);
  const found = namesIn(text);
  // While one types it often isn't JSON: the cases that were there stay, and are run as they are saved.
  file.error = "problem" in found ? `This isn't JSON: ${found.problem}` : undefined;
  if ("problem" in found) return;
  file.children.replace(
    found.names.map(({ name, offset }) => {
      const item = controller.createTestItem(`${id}#${name}`, name, uri);
      const at = positionAt(text, offset);
      item.range = new Range(at, at);
      return item;
    }),
  );
}

/** A file is run as a whole: that is as quick as one case of it. Only the cases that were asked for are told. */
async function runTests(
  controller: TestController,
  request: TestRunRequest,
  run: RunTests,
  token: CancellationToken,
  coverage?: CoverageView,
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
      const tested = await run(file.uri.fsPath, token, coverage !== undefined);
      coverage?.add(testRun, tested);
      const results = new Map(tested.cases.map((result) => [result.name, result]));
      for (const each of cases) {
        const result = results.get(each.label);
        if (result === undefined) {
          testRun.skipped(each);
          continue;
        }
        testRun.appendOutput(outputOf(result), undefined, each);
        if (result.passed) testRun.passed(each, result.milliseconds);
        else testRun.failed(each, messageOf(each, result, tested.config), result.milliseconds);
      }
    } catch (error) {
      // One that was ended says nothing about its tests.
      if (token.isCancellationRequested) break;
      const text = error instanceof Error ? error.message : String(error);
      testRun.appendOutput(`${text.replaceAll("\n", "\r\n")}\r\n`);
      const message = new TestMessage(text);
      message.location = { uri: file.uri, range: new Range(0, 0, 0, 0) };
      for (const each of cases.length === 0 ? [file] : cases) testRun.errored(each, message);
    }
  }
  testRun.end();
}

/** Tests are read from disk, as CI reads them. */
async function saveAll(): Promise<void> {
  const touched = workspace.textDocuments.filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && /\.app(?:test)?\.jsonc?$/.test(uri.path),
  );
  for (const document of touched) await document.save();
}
