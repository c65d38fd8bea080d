import type { App, AppIntake, AppWorkflow } from "@configc/compiler";
import { readMethods } from "@configc/runtime/internal";
import type { Untried } from "../protocol/protocol.ts";
import { wordsOf } from "../service/names.ts";
import { plainLeaf, type Shape, shapeOf } from "../service/shape.ts";
import { CommandWalk, type RequestTemplate } from "../symbolic/command.ts";
import type { Demand } from "../symbolic/demands.ts";
import { type Atom, atomsOf, isPlaceOf, made, type Path, type Value } from "../symbolic/value.ts";
import type { Chosen, RequestPlace, WebhookProtocol } from "./protocol.ts";

/**
 * Derives how an app registers its webhook, and what deliveries it takes.
 */
export function webhookProtocolOf(
  app: App,
  workflow: AppWorkflow,
  intake: AppIntake,
): WebhookProtocol | Untried {
  // Another customer chooses something else: choices are holes in addresses.
  const walk = new CommandWalk(app);
  const requestsOf = (member: string): readonly RequestTemplate[] => {
    const before = walk.exchanges.length;
    walk.walk(intake.commands[member], rootsOf());
    return walk.exchanges.slice(before);
  };
  const created = requestsOf("create");
  const updated = requestsOf("update");
  const removes = requestsOf("delete").filter(isChange);
  const registers = [...created, ...updated].filter(
    (each) => isChange(each) && valuesOf(each).some((value) => has(value, "webhook")),
  );
  if (!created.some((each) => registers.includes(each)))
    return { reason: "no request of `create` tells the service the URL of the webhook" };
  const body: Value = { kind: "place", root: { kind: "input" }, path: [] };
  const request = requestOf(body);
  const before = walk.signing.length;
  walk.walk(intake.commands["verification"], request);
  const verified = { headers: namesIn(walk, "headers"), queries: namesIn(walk, "query") };
  const account = walk.walk(intake.commands["account_id"], body);
  const resource = walk.walk(intake.commands["resource_id"], body);
  const number = walk.walk(intake.commands["delivery_id"], request);
  const sourced = walk.walk(workflow.source, body);
  walk.walk(workflow.target, made("other", sourced));
  const { connect, select } = workflow.setup;
  walk.walk(connect?.describeConnection, rootsOf());
  walk.walk(select?.resourceId, rootsOf());
  const demand = walk.demands.of({ kind: "input" });
  return {
    intake,
    answered: walk.exchanges.map((exchange, index) => ({
      exchange,
      answer: walk.answerOf(index),
    })),
    registers,
    removes: removes.map((request) => ({
      request,
      isByUrl: valuesOf(request).some((value) => has(value, "webhook")),
    })),
    isSlot: isSlot(
      registers.filter((each) => created.includes(each)),
      [...updated, ...removes],
    ),
    isOnly: !removes.some((each) =>
      [...each.url, ...valuesOf(each)].some((value) => has(value, "data") || has(value, "webhook")),
    ),
    payload: payloadOf(demand),
    accountAt: pathsIn(account),
    resourceAt: pathsIn(resource),
    chosen: chosenIn(walk),
    ...verified,
    signs: walk.signing[before],
    signatures: signaturesIn(walk),
    isSecretCompared: walk.demands.pairs.some(
      ({ left, right }) =>
        (isOfRequest(left) && has(right, "data")) || (isOfRequest(right) && has(left, "data")),
    ),
    echoes: walk.responses.flatMap(({ body: said, headers }) =>
      [said, ...headers.values()].flatMap((value) => atomsOf(value).flatMap(placeOf)),
    ),
    literals: [
      ...literalsIn(demand, "body"),
      ...literalsIn(walk.demands.of({ kind: "headers" }), "headers"),
      ...literalsIn(walk.demands.of({ kind: "query" }), "query"),
    ],
    number: numberIn(number, sourced),
    isVerified: intake.commands["verification"] !== undefined,
  };
}

/** Whether a request may change something. */
function isChange({ method }: Pick<RequestTemplate, "method">): boolean {
  return !readMethods.has(method);
}

function rootsOf(): Value {
  return {
    kind: "object",
    members: new Map<string, Value>([
      ["data", { kind: "place", root: { kind: "data" }, path: [] }],
      ["custom_data", { kind: "place", root: { kind: "form" }, path: [] }],
      ["webhook", { kind: "place", root: { kind: "webhook" }, path: [] }],
    ]),
  };
}

/** What `verification` and `delivery_id` take (D16, D51). */
function requestOf(body: Value): Value {
  const query: Value = { kind: "place", root: { kind: "query" }, path: [] };
  return {
    kind: "object",
    members: new Map<string, Value>([
      ["method", made("text")],
      ["headers", { kind: "place", root: { kind: "headers" }, path: [] }],
      ["query", query],
      ["query_params", query],
      ["body", body],
      ["raw_body", { kind: "place", root: { kind: "raw" }, path: [] }],
    ]),
  };
}

function valuesOf({ parameters, headers }: RequestTemplate): readonly Value[] {
  return [...parameters.map(({ value }) => value), ...headers.values()];
}

function has(value: Value, root: "webhook" | "data"): boolean {
  return atomsOf(value).some((atom) => isPlaceOf(atom, root));
}

function isOfRequest(value: Value): boolean {
  return atomsOf(value).some(
    (atom) =>
      atom.kind === "place" &&
      (atom.root.kind === "headers" || atom.root.kind === "query" || atom.root.kind === "input"),
  );
}

/** One URL for an address: it is put there, or taken away at the same address by an empty one. */
function isSlot(registers: readonly RequestTemplate[], later: readonly RequestTemplate[]): boolean {
  return registers.some(
    (register) =>
      register.method === "PUT" ||
      register.method === "PATCH" ||
      later.some(
        (each) =>
          literals(each) === literals(register) &&
          (each.method === "DELETE" ||
            each.parameters.some(
              ({ value, path }) =>
                isBlank(value) && register.parameters.some((other) => other.path.join() === path.join()),
            )),
      ),
  );
}

function literals({ url }: RequestTemplate): string {
  return url.map((part) => (part.kind === "literal" ? String(part.value) : "\0")).join("");
}

function isBlank(value: Value): boolean {
  return value.kind === "literal" && (value.value === "" || value.value === null);
}

/** The payload, with an id and something that tells its versions apart: real ones have more than an app reads. */
function payloadOf(demand: Demand): Shape {
  return withVersion(shapeOf(demand));
}

function withVersion(shape: Shape): Shape {
  if (shape.kind === "list") return { ...shape, item: withVersion(shape.item) };
  if (shape.kind !== "object") return shape;
  return {
    kind: "object",
    members: {
      ...("id" in shape.members ? {} : { id: plainLeaf("id") }),
      ...shape.members,
      ...("version" in shape.members ? {} : { version: plainLeaf("text") }),
    } as Readonly<Record<string, Shape>>,
  };
}

function placeOf(atom: Atom): readonly RequestPlace[] {
  if (atom.kind !== "place" || atom.path.length === 0) return [];
  const { path } = atom;
  switch (atom.root.kind) {
    case "input":
      return [{ part: "body", path }];
    case "headers":
      return [{ part: "headers", path }];
    case "query":
      return [{ part: "query", path }];
    default:
      return [];
  }
}

/** The members of the payload that a routing command reads: several where it makes one text of them. */
function pathsIn(value: Value): readonly Path[] {
  const paths = atomsOf(value).flatMap((atom) =>
    placeOf(atom).flatMap(({ part, path }) => (part === "body" ? [path] : [])),
  );
  return [...new Map(paths.map((path) => [path.join("\0"), path])).values()];
}

/** What programs look for in a payload by what the customer chose. */
function chosenIn({ demands }: CommandWalk): readonly Chosen[] {
  return demands.pairs.flatMap(({ left, right, operator }) => {
    if (operator !== "==") return [];
    return [
      [left, right],
      [right, left],
    ].flatMap(([payload, form]) => {
      if (payload?.kind !== "place" || form?.kind !== "place" || form.root.kind !== "form") return [];
      const [place] = placeOf(payload);
      return place?.part === "body" && !place.path.includes("[]")
        ? [{ at: place.path, choice: form.path }]
        : [];
    });
  });
}

/** Where the hash is compared with something of the request, and what stands beside it: `"sha256=" + .hash`. */
function signaturesIn({ demands }: CommandWalk): WebhookProtocol["signatures"] {
  const sides = demands.pairs.filter(({ operator }) => operator === "==" || operator === "!=");
  const all = sides.flatMap(({ left, right }) =>
    [[left, right] as const, [right, left] as const].flatMap(([own, given]) =>
      isHashed(own) && !isHashed(given) ? [{ own, given }] : [],
    ),
  );
  return {
    places: all.flatMap(({ given }) => atomsOf(given).flatMap(placeOf)),
    beside: [...new Set(all.flatMap(({ own, given }) => [...textsBeside(own), ...textsBeside(given)]))],
  };
}

function isHashed(value: Value): boolean {
  return atomsOf(value).some((atom) => isPlaceOf(atom, "hash"));
}

/** Texts of which a value is made beside the hash, and not those that are hashed. */
function textsBeside(value: Value): readonly string[] {
  if (value.kind === "literal")
    return typeof value.value === "string" && value.value !== "" ? [value.value] : [];
  if (value.kind !== "made" && value.kind !== "choice") return [];
  return value.of.some((each) => isPlaceOf(each, "hash")) ? [] : value.of.flatMap(textsBeside);
}

function namesIn(walk: CommandWalk, kind: "headers" | "query"): readonly string[] {
  return [...walk.demands.of({ kind }).members.keys()];
}

function literalsIn(
  demand: Demand,
  part: RequestPlace["part"],
  path: Path = [],
): readonly (RequestPlace & { readonly text: string })[] {
  const own = [...demand.compared].flatMap((value) =>
    typeof value === "string" && path.length > 0 ? [{ part, path, text: value }] : [],
  );
  return [
    ...own,
    ...[...demand.members].flatMap(([name, member]) => literalsIn(member, part, [...path, name])),
  ];
}

/** What `delivery_id` reads, and what that names: a record's id stands among what is read of the record. */
function numberIn(number: Value, sourced: Value): WebhookProtocol["number"] {
  const place = atomsOf(number).flatMap(placeOf)[0];
  if (place === undefined) return undefined;
  const name = place.path.at(-1) ?? "";
  if (wordsOf(name).some((word) => tryWords.has(word))) return { ...place, names: "try" };
  if (place.part !== "body" || place.path.length < 2) return { ...place, names: "event" };
  const parent = place.path.slice(0, -1).join("\0");
  const isOfRecord = atomsOf(sourced)
    .flatMap(placeOf)
    .some(
      ({ part, path }) =>
        part === "body" &&
        path.length > place.path.length - 1 &&
        `${path.join("\0")}\0`.startsWith(`${parent}\0`),
    );
  return { ...place, names: isOfRecord ? "record" : "event" };
}

const tryWords: ReadonlySet<string> = new Set(["attempt", "attempts", "try", "tries", "retry", "retries"]);
