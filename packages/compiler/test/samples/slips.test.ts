import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";
import { setAt } from "../rule-examples.ts";

/** A misspelled member of a response is found however a program comes by the value that it is read of. */

const options = "/workflows/0/setup/select/form_fields/0/options";
const template = readFileSync(
  new URL("../../../cli/templates/inbound-webhook.app.json", import.meta.url),
  "utf8",
);
const ticket = { id: 1, subject: "S", status: "open", score: 2 };
const responses = [
  {
    name: "a",
    method: "GET",
    url: "/tickets",
    status: 200,
    body: { tickets: [ticket, { ...ticket, id: 2 }] },
  },
];

function misspelled(program: string): string[] {
  const value = { "!pipe": [{ "!http": { path: "/tickets" } }, { "!jq": program }] };
  const text = setAt(template, options, JSON.stringify(value));
  return compile(text, { uri: "test.app.json", samples: { responses } }).diagnostics.flatMap(
    ({ finding }) => {
      const { at, rule } = finding;
      const isSlip = rule.id === "response/misspelled-member" && "from" in at && at.node.kind === "string";
      return isSlip ? [at.node.value.slice(at.from, at.to)] : [];
    },
  );
}

test.each([
  "[.tickets[] | {display: .«subjct», value: .id}]",
  '[.tickets[] | {display: .["«subjct»"], value: .id}]',
  "reduce .tickets[] as $t ([]; . + [{display: $t.«subjct», value: $t.id}])",
  "[foreach .tickets[] as $t (0; . + 1; {display: $t.«subjct», value: .})]",
  "[foreach .tickets[] as $t (0; $t.«scroe»; {display: $t.subject, value: .})]",
  "[.tickets as [$a, $b] | ($a, $b) | {display: .«subjct», value: .id}]",
  "[{all: .tickets} as {all: $all} | $all[] | {display: .«subjct», value: .id}]",
  "[. as {$tickets} | $tickets[] | {display: .«subjct», value: .id}]",
  "[. as {tickets: [$a]} | {display: $a.«subjct», value: $a.id}]",
  "[.tickets | to_entries[] | {display: .value.«subjct», value: .key}]",
  ".tickets | group_by(.status) | map({display: .[0].«subjct», value: length})",
  "[.tickets | INDEX(.id) | .[] | {display: .«subjct», value: .id}]",
  // Keys of patterns.
  "[.tickets[] as {id: $id, «subjct»: $name} | {display: $name, value: $id}]",
  "[.tickets[] as {$id, $«subjct»} | {display: $subjct, value: $id}]",
  '[.tickets as [{"«subjct»": $name}] | {display: $name, value: 1}]',
  "reduce .tickets[] as {$id, «subjct»: $name} ([]; . + [{display: $name, value: $id}])",
  "[. as {tickets: [{«subjct»: $name}]} | {display: $name, value: 1}]",
  // Definitions: their input, their parameters, and what they give.
  "def option: {display: .«subjct», value: .id}; [.tickets[] | option]",
  "def title: .«subjct»; .tickets | map({display: title, value: .id})",
  "def each(f): [.tickets[] | f]; each({display: .«subjct», value: .id})",
  "def each(f): map(f); def options: each({display: .«subjct», value: .id}); .tickets | options",
  "def option($t): {display: $t.«subjct», value: $t.id}; [.tickets[] | option(.)]",
  "def option($t; n): {display: ($t | n), value: $t.id}; [.tickets[] | option(.; .«subjct»)]",
  'def open: .tickets[] | select(.status == "open"); [open | {display: .«subjct», value: .id}]',
  "def all: if length > 1 then .[0], (.[1:] | all) else .[] end; [.tickets | all | {display: .«subjct», value: .id}]",
  "def map(f): f; [map(.tickets)[] | {display: .«subjct», value: .id}]",
  "def a: def b: .tickets[]; b; [a | {display: .«subjct», value: .id}]",
  // Arguments of builtins.
  ".tickets | map_values({display: .«subjct», value: .id})",
  "[limit(1; .tickets[]) | {display: .«subjct», value: .id}]",
  '[.tickets[] | select(any(.status, .«subjct»; . == "a")) | {display: .subject, value: .id}]',
  '[.tickets[] | {display: (.status | ltrimstr("x")), value: (.subject | startswith("a"))}] | map(select(.value))',
  "[{all: [.tickets, .tickets]} | .all | add | .[] | {display: .«subjct», value: .id}]",
  '[getpath(["tickets", 0]) | {display: .«subjct», value: .id}]',
  "[.tickets | with_entries(.value |= .) | .[] | {display: .subject, value: .id}]",
  // What is added to, or changed in another member, is a ticket still.
  "[.tickets[] | . + {kind: 1} | {display: .«subjct», value: .id}]",
  "[.tickets[] | {kind: 1} + . | {display: .«subjct», value: .id}]",
  "[.tickets[] | . + {kind: 1} + {subject: 2} | {display: .«subjct», value: .id}]",
  "[.tickets[] | .kind = 1 | {display: .«subjct», value: .id}]",
  "[.tickets[] | .score |= . + 1 | {display: .«subjct», value: .id}]",
  "[.tickets[] | .subjct = .subject | {display: .subjct, value: .id}]",
  "[.tickets[] | . + {subjct: .subject} | {display: .subjct, value: .id}]",
  // Where the author says what comes of its absence, and where it isn't of a ticket.
  '[.tickets[] | . as {subjct: $a} ?// $a | {display: "x", value: .id}]',
  "[.tickets[] | (. as {$subjct} | $subjct)? | {display: ., value: .}]",
  'def title: .subjct; [.tickets[] | {display: (title // "x"), value: .id}]',
  'def a: .subjct; def b: a; [.tickets[] | {display: (b // "x"), value: .id}]',
  'def or(f): f // "none"; [.tickets[] | {display: or(.subjct), value: .id}]',
  'def or(f): f // "none"; def both(f): or(f); [.tickets[] | {display: both(.subjct), value: .id}]',
  "def set(f): f = 1; [.tickets[] | set(.subjct) | {display: .id, value: .id}]",
  'def p(f): path(f); [.tickets[] | {display: (p(.subjct) | join(".")), value: .id}]',
  "def may(f): f?; [.tickets[] | may(.subjct) | {display: ., value: .}]",
  "def never: .subjct; [.tickets[] | {display: .subject, value: .id}]",
  "def f: .subjct; [.tickets[] | {display: ({subjct: .subject} | f), value: .id}]",
  // What accumulates isn't a ticket, and a name that is made up can't be told.
  "reduce .tickets[] as $t ([]; . + [{display: $t.subject, value: $t.id}]) | map(select(.display))",
  'reduce .tickets[] as $t ({}; .subjct = $t.subject) | [{display: .subjct, value: "x"}]',
  '[.tickets[] | {display: .["subj" + "ect"], value: .id}]',
  "[.tickets | to_entries[] | {display: .value.subject, value: .key}]",
])("%s", (marked) => {
  const [, ...names] = marked.split("«");
  // A dot belongs to the name that stands behind it.
  const dot = marked.includes(".«") ? "." : "";
  expect(misspelled(marked.replaceAll(/[«»]/g, ""))).toEqual(
    names.map((rest) => `${dot}${rest.split("»")[0]}`),
  );
});
