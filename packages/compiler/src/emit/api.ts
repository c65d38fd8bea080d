import type { JsonNode, ObjectNode } from "../parse/syntax-tree.ts";
import { textOf } from "../parse/syntax-tree.ts";
import type { AppApi, AppPagination, AppParameter, AppQuota, AppRateLimit } from "./app.ts";
import { emitProgram } from "./commands.ts";
import { type EmitContext, optional, placeOf, record } from "./context.ts";
import { emitTemplate, membersOf, objectAt } from "./values.ts";

export function emitApi(context: EmitContext): AppApi {
  const node = context.model.api?.node;
  const baseUrl = node?.get("base_url");
  return {
    ...(baseUrl?.kind === "string" ? { baseUrl: emitTemplate(baseUrl, context) } : {}),
    ...optional("rateLimit", rateLimit(objectAt(node, "rate_limit"))),
    ...optional("pagination", pagination(objectAt(node, "pagination"), context)),
  };
}

/** `user` or `app`; with both (an error), the narrower one. */
function rateLimit(node: ObjectNode | undefined): AppRateLimit | undefined {
  for (const scope of ["user", "app"] as const) {
    const quotas = objectAt(node, scope);
    if (quotas === undefined) continue;
    // D41: straight below the scope means both.
    const both = quota(quotas);
    return {
      scope,
      ...optional("read", quota(objectAt(quotas, "read")) ?? both),
      ...optional("write", quota(objectAt(quotas, "write")) ?? both),
    };
  }
  return undefined;
}

function quota(node: ObjectNode | undefined): AppQuota | undefined {
  const requests = node?.get("requests");
  const period = node?.get("period");
  if (requests?.kind !== "number" || period?.kind !== "number") return undefined;
  return requests.value >= 1 && period.value > 0
    ? { requests: requests.value, period: period.value }
    : undefined;
}

function pagination(node: ObjectNode | undefined, context: EmitContext): AppPagination | undefined {
  const style = objectAt(node, "style");
  const type = textOf(style, "type");
  if (node === undefined || style === undefined) return undefined;
  if (type !== "page" && type !== "limitoffset" && type !== "cursor") return undefined;
  const parser = objectAt(node, "parser");
  const parameters: [string, AppParameter][] = [];
  for (const { key, value } of membersOf(style)) {
    if (value.kind === "object" && key.value !== "extra") parameters.push([key.value, parameter(value)]);
  }
  return {
    ...placeOf(node),
    type,
    parameters: record(parameters),
    extra: [...extras(style.get("extra")), ...extras(parser?.get("extra"))],
    parser: record(parser === undefined ? [] : programs(parser, context)),
  };
}

function* programs(parser: ObjectNode, { commands }: EmitContext) {
  for (const { key, value } of membersOf(parser)) {
    const command = value.kind === "object" ? commands.get(value) : undefined;
    if (command?.program === undefined || command.key !== "!jq") continue;
    yield [key.value, { ...emitProgram(command.program), ...placeOf(command.node) }] as const;
  }
}

function extras(node: JsonNode | undefined): AppParameter[] {
  const items = node?.kind === "array" ? node.items : node === undefined ? [] : [node];
  return items.filter((item) => item.kind === "object").map(parameter);
}

function parameter(node: ObjectNode): AppParameter {
  const value = node.get("value");
  const scalar = value === undefined || value.kind === "object" || value.kind === "array" ? undefined : value;
  return { ...optional("param", textOf(node, "param")), ...optional("value", scalar?.value) };
}
