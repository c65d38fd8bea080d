import { describe, expect, test } from "vitest";
import { inSource } from "../support/rule-findings.ts";

/** What is picked of a list and compared with an empty text. */

describe("jq/empty-text: one of a list", () => {
  const blank = 'def blank: . == null or . == ""; ';

  test.each([
    [
      '(.mails | sort_by(.rank) | first) as $mail | if $mail == "" then null else {email: $mail.address} end',
      1,
    ],
    ['.times | max_by(.units) | if . == "" then null else {email: .email} end', 1],
    ['.items[0] as $next | if $next == "" then null else {email: $next.email} end', 1],
    ["(.mails | first) as $mail | if $mail == null then null else {email: $mail.address} end", 0],
    // A text may be empty.
    ['(.mails | first) as $mail | if $mail == "" then null else {email: $mail} end', 0],
    // Of a service nobody knows what it sends for none.
    ['.owner as $o | if $o == "" then null else {email: $o.email} end', 0],
    ['def first: .owner; first as $o | if $o == "" then null else {email: $o.email} end', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/empty-text", blank + program)).toHaveLength(count);
  });
});
