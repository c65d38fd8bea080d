import type { Model } from "@configc/compiler";
import { describedRequests, learnedResponses, pointerTo } from "@configc/compiler/internal";
import type { Json } from "@configc/jq";
import { isObject, resolveReference } from "@configc/jq/internal";
import { seenValue } from "./from-samples.ts";
import { schemaValue } from "./from-schema.ts";
import {
  type KnownApi,
  type KnownParameter,
  type KnownRequest,
  type KnownValue,
  together,
} from "./known-api.ts";

type Described = NonNullable<ReturnType<ReturnType<typeof describedRequests>["get"]>>;
type Operation = NonNullable<Described["operation"]>;

/** What the OpenAPI documents, samples and recordings of a config say of its service. */
export function knownApi(model: Model): KnownApi {
  const known: Record<string, KnownRequest> = {};
  for (const [{ node }, { operation }] of describedRequests(model))
    if (operation !== undefined) known[pointerTo(node)] = describedRequest(operation);
  for (const [{ node }, { samples }] of learnedResponses(model)) {
    const pointer = pointerTo(node);
    const seen = seenValue(samples.map(({ body }) => body));
    const described = known[pointer];
    const source = samples.length === 1 ? "a sample" : `${samples.length} samples`;
    known[pointer] =
      described === undefined
        ? { source, answer: seen, parameters: {}, isFrozen: false }
        : {
            ...described,
            source: `${described.source} and ${source}`,
            answer: described.answer === undefined ? seen : together(described.answer, seen),
          };
  }
  return known;
}

function describedRequest({ document, node, parameters }: Operation): KnownRequest {
  const { content } = document;
  const texts = [node["description"], node["summary"]].filter((each) => typeof each === "string");
  return {
    source: document.name,
    answer: answerOf(node, content),
    parameters: Object.fromEntries(
      parameters.flatMap((each): readonly (readonly [string, KnownParameter])[] =>
        each["in"] === "query" && typeof each["name"] === "string"
          ? [[each["name"], parameterOf(each, content)]]
          : [],
      ),
    ),
    isFrozen: texts.some((text) =>
      /\b(?:snapshots?|frozen|point[- ]in[- ]time|consistent (?:view|read|paging|pagination))\b/i.test(text),
    ),
  };
}

function parameterOf(parameter: Operation["node"], content: unknown): KnownParameter {
  const { kinds, format, text } = schemaValue(content, parameter["schema"]);
  const { description } = parameter;
  const schema = resolveReference(content, parameter["schema"]);
  const { maximum, default: usual } = isObject(schema) ? schema : {};
  return {
    text: typeof description === "string" && description !== "" ? description : text,
    isTime: format === "date-time" || format === "date",
    isNumber: kinds.includes("number"),
    ...(typeof maximum === "number" ? { maximum } : {}),
    ...(typeof usual === "number" ? { usual } : {}),
  };
}

/** The body of a successful response. */
function answerOf(node: Operation["node"], content: unknown): KnownValue | undefined {
  const { responses } = node;
  if (!isObject(responses)) return undefined;
  for (const [status, each] of Object.entries(responses)) {
    if (!/^2(?:\d\d|XX)$/i.test(status)) continue;
    const response = resolveReference(content, each);
    const bodies = isObject(response) && isObject(response["content"]) ? response["content"] : {};
    for (const [type, media] of Object.entries(bodies)) {
      const body = resolveReference(content, media);
      if (!/json/i.test(type) || !isObject(body)) continue;
      const described = schemaValue(content, body["schema"]);
      const given = examplesIn(body, content);
      return given.length === 0 ? described : together(described, seenValue(given));
    }
  }
  return undefined;
}

function examplesIn(media: Operation["node"], content: unknown): readonly Json[] {
  const named = isObject(media["examples"]) ? Object.values(media["examples"]) : [];
  return [
    media["example"],
    ...named.map((each) => {
      const example = resolveReference(content, each);
      return isObject(example) ? example["value"] : undefined;
    }),
  ].filter((each) => typeof each === "object" && each !== null) as readonly Json[];
}
