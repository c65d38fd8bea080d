import type { AppCommand } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { forbiddenHeaders, headerName, headerText } from "../http/headers.ts";
import { isObject, setOwn } from "../json.ts";
import type { Step } from "../step.ts";
import { compileText, compileValue } from "../template.ts";
import { literalOf, membersOf, templateOf } from "./argument.ts";
import { failingStep } from "./failing-step.ts";

/**
 * D26: the answer to the caller of a webhook: `{process_payload, code, headers, body}`, where `body` is absent if none is
 * given. The webhook's receiver sends it.
 */
export function makeRespond(command: AppCommand): Step {
  const members = membersOf(command.argument);
  const code = literalOf(members.get("code")) ?? 200;
  // Anything else would break the answer, and with 1xx there is none yet.
  if (typeof code !== "number" || !Number.isInteger(code) || code < 200 || code > 599)
    return failingStep(command, "`code` isn't a status that ends an exchange, from 200 to 599");
  const processPayload = literalOf(members.get("process_payload")) === true;
  const bodyValue = members.get("body");
  const body = bodyValue === undefined ? undefined : compileValue(bodyValue, command);
  const headers = [...membersOf(members.get("headers"))].flatMap(([name, value]) => {
    const template = templateOf(value);
    const lower = name.toLowerCase();
    if (template === undefined || forbiddenHeaders.has(lower)) return [];
    return [[lower, compileText(template, command, `the header \`${name}\``)] as const];
  });
  return (_input, frame) => {
    const sent: Record<string, Json> = {};
    for (const [name, text] of headers)
      setOwn(sent, headerName(name, command), headerText(name, text(frame), command));
    const answer = {
      process_payload: processPayload,
      code,
      headers: sent,
      ...(body === undefined ? {} : { body: body(frame) }),
    };
    answers.add(answer);
    return answer;
  };
}

const answers = new WeakSet<JsonObject>();

/** Whether `!respond` gave a value. What a sender wrote is no answer, however much it looks like one. */
export function isAnswer(value: Json): value is JsonObject {
  return isObject(value) && answers.has(value);
}
