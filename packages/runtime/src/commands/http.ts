import type { App, AppCommand, AppTemplate, AppValue } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { bodyText, parametersOf, readMethods } from "../http/body.ts";
import { withParameters } from "../http/encode.ts";
import { compileHeaders } from "../http/headers.ts";
import { responseValue } from "../http/response.ts";
import type { OutgoingRequest, Target } from "../http/service.ts";
import { compileUrl, isAbsolute, joinPath, type UrlMaker } from "../http/url.ts";
import { holdText } from "../memory/hold-text.ts";
import { compilePagination, type PageChange } from "../pagination/pager.ts";
import { type ReadPage, readPages } from "../pagination/read-pages.ts";
import type { Frame, Step } from "../step.ts";
import { compileValue } from "../template.ts";
import { literalOf, literalText, membersOf, templateOf } from "./argument.ts";
import { failingStep } from "./failing-step.ts";
import type { CompileContext } from "./step-compiler.ts";

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]);

/** D17: a request; its value is that of the response (D20), or of all pages (D22). */
export function makeHttp(command: AppCommand, making: CompileContext): Step {
  const { app, http } = making;
  const members = membersOf(command.argument);
  const method = (literalText(command, "method") ?? "GET").toUpperCase();
  if (!methods.has(method)) return failingStep(command, `\`${method}\` isn't a method`);
  const target = targetOf(command, app);
  const url = urlOf(members, app.api.baseUrl, command);
  if (target === "platform" && (members.has("url") || isAbsolute(templateOf(members.get("path")) ?? [])))
    return failingStep(command, "the platform's own API is asked by a `path` without a host");
  if (typeof url === "string") return failingStep(command, url);
  const paginated = literalOf(members.get("pagination")) === true;
  const pager =
    paginated && app.api.pagination !== undefined ? compilePagination(app.api.pagination) : undefined;
  if (paginated && pager === undefined)
    return failingStep(command, "`pagination` needs `api.pagination`, which is missing");
  const requestOf = compileRequest({ method, target }, url, members, command);

  return async (_input, frame) => {
    const made = requestOf(frame);
    const request = made instanceof Promise ? await made : made;
    const read = async (change: PageChange): Promise<ReadPage> => {
      const changed = "url" in change ? change.url : withParameters(request.url, change.parameters);
      const { response, body } = await http.send({ ...request, url: changed }, frame, command);
      return { body, bytes: response.body.length, url: changed };
    };
    if (pager !== undefined && frame.place !== "polling")
      return await readPages(pager(), read, frame, command);
    if (pager !== undefined)
      frame.tracer.event(frame.span, command.pointer, "note", { pagination: "ignored in polling" });
    const { journal } = frame;
    if (journal === undefined) return responseValue((await http.send(request, frame, command)).body);
    const body = async (): Promise<Json> => (await http.send(request, frame, command)).body;
    return responseValue(await journal.step(command, !readMethods.has(method), body));
  };
}

/** D17, D44: whose credentials are sent; the platform has the name that the app's dialect gives it. */
function targetOf(command: AppCommand, { platformTarget = "platform" }: App): Target {
  const written = literalText(command, "target");
  if (written === platformTarget) return "platform";
  return written === "external" ? "external" : "connection";
}

/** The closure of the URL, or why there is none. */
function urlOf(
  members: ReadonlyMap<string, AppValue>,
  base: AppTemplate | undefined,
  command: AppCommand,
): UrlMaker | string {
  const path = templateOf(members.get("path"));
  const url = templateOf(members.get("url")) ?? (path !== undefined && isAbsolute(path) ? path : undefined);
  if (url !== undefined) return compileUrl(url, command);
  if (path === undefined) return "it has neither `path` nor `url`";
  return base === undefined ? "`api.base_url` is missing" : compileUrl(joinPath(base, path), command);
}

function compileRequest(
  { method, target }: Pick<OutgoingRequest, "method" | "target">,
  url: UrlMaker,
  members: ReadonlyMap<string, AppValue>,
  command: AppCommand,
): (frame: Frame) => OutgoingRequest | Promise<OutgoingRequest> {
  const headersOf = compileHeaders(members.get("headers"), command);
  const paramsValue = members.get("params");
  const params = paramsValue === undefined ? undefined : compileValue(paramsValue, command);
  const bodyValue = readMethods.has(method) ? undefined : members.get("body");
  const body = bodyValue === undefined ? undefined : compileValue(bodyValue, command);
  return (frame) => {
    const parameters = [
      ...(params === undefined ? [] : parametersOf(params(frame), "a parameter", command)),
      ...searchOf(frame),
    ];
    const headers = headersOf(frame);
    headers["accept"] ??= "application/json";
    const made = (text: string | undefined): OutgoingRequest => ({
      method,
      url: withParameters(url(frame), parameters),
      headers,
      body: text,
      target,
    });
    if (body === undefined) return made(undefined);
    headers["content-type"] ??= "application/json";
    const contentType = headers["content-type"];
    const value = body(frame);
    const withBody = (): OutgoingRequest => made(bodyText(value, contentType, command));
    return holdText(frame, value, "The request's body", command)?.then(withBody) ?? withBody();
  };
}

/** D43: what the user typed goes into the first request of the run. */
function searchOf({ usage }: Frame): (readonly [string, string])[] {
  const { search } = usage;
  usage.search = undefined;
  return search === undefined || search.term === "" ? [] : [[search.parameter, search.term]];
}
