import { Position, type TestItem, TestMessage, TestMessageStackFrame, Uri } from "vscode";
import type { TestedCase } from "./run-tests.ts";

/**
 * Why a case failed: with both sides, where they can be compared, and with the place in the config where its run ended.
 *
 * @param config path of the config
 */
export function messageOf(
  { uri, range }: TestItem,
  { reasons = [], diff = [], failure }: TestedCase,
  config: string,
): TestMessage {
  const text = reasons.join("\n");
  const message =
    diff.length === 0 ? new TestMessage(text) : TestMessage.diff(text, sideOf(diff, "-"), sideOf(diff, "+"));
  if (uri !== undefined && range !== undefined) message.location = { uri, range };
  if (failure?.range !== undefined) {
    const { line, column } = failure.range.start;
    const place = new Position(line - 1, column - 1);
    message.stackTrace = [new TestMessageStackFrame(failure.pointer, Uri.file(config), place)];
  }
  return message;
}

/** A result as lines of the test run's output. */
export function outputOf({ name, passed, milliseconds, reasons = [], diff = [] }: TestedCase): string {
  const sides = diff.length === 0 ? [] : ["- expected  + given", ...diff];
  const lines = [
    `${passed ? "✓" : "✗"} ${name}  ${milliseconds} ms`,
    ...[...reasons.flatMap((reason) => reason.split("\n")), ...sides].map((line) => `    ${line}`),
  ];
  // As a terminal wants it.
  return `${lines.join("\r\n")}\r\n`;
}

/** Lines of a side, with those that both have. */
function sideOf(diff: readonly string[], sign: "-" | "+"): string {
  const own = diff.filter((line) => line.startsWith(sign) || line.startsWith(" "));
  return own.map((line) => line.slice(2)).join("\n");
}
