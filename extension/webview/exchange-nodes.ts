import type { Exchange, RunPart } from "@configc/language-server";
import type { Cut } from "@configc/runtime";
import type { ExchangePlace } from "../src/messages.ts";
import { element } from "./element.ts";
import { type FetchPart, TreeNode } from "./tree-node.ts";

/** An exchange, and where it is in the run. */
export interface PlacedExchange extends ExchangePlace {
  readonly of: Exchange;
}

/** What the nodes need of the panel. */
interface ExchangeActions {
  fetchOf(part: RunPart): FetchPart;
  copyCurl(places: readonly ExchangePlace[]): void;
  readonly running: boolean;
}

/** Requests and their answers as nodes of a tree: headers and bodies are in them. */
export function exchangeNodes(exchanges: readonly PlacedExchange[], actions: ExchangeActions): TreeNode {
  return new TreeNode({
    shown: {
      label: [`${exchanges.length} ${exchanges.length === 1 ? "request" : "requests"}`],
      spoken: "Requests",
    },
    children: exchanges.map((exchange) => exchangeNode(exchange, actions)),
  });
}

function exchangeNode({ of, step, exchange }: PlacedExchange, actions: ExchangeActions): TreeNode {
  const { method, url, headers, body, response, failure, milliseconds, cuts = [] } = of;
  const came = [response?.status, failure].filter((each) => each !== undefined).join(": ");
  const state =
    came === "" ? "open" : failure === undefined && (response?.status ?? 0) < 400 ? "passed" : "failed";
  const told = came !== "" ? came : actions.running ? "waiting …" : "no answer";
  const curl = element(
    "button",
    { type: "button", class: "link", tabindex: "-1", title: "Copy as cURL, with secrets masked" },
    ["cURL"],
  );
  curl.addEventListener("click", () => actions.copyCurl([{ step, exchange }]));
  const bodyNode = (name: string, part: "request" | "response", value: unknown, at: string): TreeNode => {
    const own = below(cuts, at);
    const isCut = own.some(({ pointer }) => pointer === "");
    return new TreeNode({
      name,
      value: isCut ? value : parsed(value),
      cuts: own,
      isBody: true,
      fetch: actions.fetchOf({ step, exchange, part }),
    });
  };
  return new TreeNode({
    shown: {
      label: [
        element("span", { class: "method" }, [method]),
        ` ${url} `,
        element("span", { class: `status ${state}` }, [told]),
        element("small", {}, [came === "" ? "" : ` ${milliseconds} ms`]),
      ],
      spoken: `${method} ${url}: ${told}`,
      buttons: [curl],
    },
    children: [
      new TreeNode({ name: "Request headers", value: headers }),
      ...(body === undefined ? [] : [bodyNode("Request body", "request", body, "/body")]),
      ...(response === undefined
        ? []
        : [
            new TreeNode({ name: "Response headers", value: response.headers }),
            ...(response.body === undefined
              ? []
              : [bodyNode("Response body", "response", response.body, "/response/body")]),
          ]),
    ],
  });
}

/** Cuts of a member, by pointers into it. */
export function below(cuts: readonly Cut[], place: string): readonly Cut[] {
  return cuts.flatMap(({ pointer, length }) =>
    pointer === place || pointer.startsWith(`${place}/`)
      ? [{ pointer: pointer.slice(place.length), length }]
      : [],
  );
}

function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
