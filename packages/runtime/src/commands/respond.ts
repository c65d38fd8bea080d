import type { AppCommand } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { forbiddenHeaders, headerText } from "../http/headers.ts";
import { setOwn } from "../json.ts";
import type { Step } from "../step.ts";
import { compileText, compileValue } from "../template.ts";
import { literalOf, membersOf, templateOf } from "./argument.ts";

/**
 * D26: the answer to the caller of a webhook: `{process_payload, code, headers, body}`, where `body` is absent if none is
 * given. The webhook's receiver sends it.
 */
export function makeRespond(command: AppCommand): Step {
  const members = membersOf(command.argument);
  const code = literalOf(members.get("code"));
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
    for (const [name, text] of headers) setOwn(sent, name, headerText(name, text(frame), command));
    return {
      process_payload: processPayload,
      code: typeof code === "number" ? code : 200,
      headers: sent,
      ...(body === undefined ? {} : { body: body(frame) }),
    };
  };
}
