import { type App, type Model, render } from "@configc/compiler";
import { findNode } from "@configc/compiler/internal";
import {
  coverageSummary,
  knownApi,
  missingSummary,
  partSummary,
  placesIn,
  type Report,
  testCaseOf,
  withFindings,
  withKnown,
} from "@configc/simulate";
import { type CancellationToken, LSPErrorCodes, ProgressType, ResponseError } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { toRange } from "../range.ts";
import { cancellable } from "../run/cancellable.ts";
import { refusal } from "../run/environment.ts";
import { SIMULATE, type SimulateParams, type SimulateProgress, type SimulateResult } from "./protocol.ts";

const progress = new ProgressType<SimulateProgress>();
/** Milliseconds: more often nobody can see it. */
const INTERVAL = 100;

/** `configc/simulate`: the app of an open document against a simulated service. */
export const simulate: Feature = {
  capabilities: {},
  register({ connection, config, options: { simulator } }) {
    connection.onRequest(SIMULATE, async (params: SimulateParams, token: CancellationToken) => {
      const open = config(params.textDocument.uri);
      if (open === undefined) throw refusal("The document isn't open, or isn't a config.");
      if (simulator === undefined)
        throw refusal(
          "This server can't simulate: that needs a separate thread, which a server in a browser doesn't have. `configc simulate` on the command line does the same.",
        );
      const { partialResultToken: report } = params;
      let toldAt = 0;
      const found = await cancellable(token, (signal) =>
        simulator({
          app: withKnown(open.compilation.app, knownApi(open.compilation.model)),
          uri: params.textDocument.uri,
          only: namesAt(open.compilation.app, params.node),
          given: givenIn(params),
          onProgress: (now) => {
            if (report === undefined || Date.now() - toldAt < INTERVAL) return;
            toldAt = Date.now();
            void connection.sendProgress(progress, report, now);
          },
          signal,
        }),
      ).catch((error: unknown) => {
        if (!token.isCancellationRequested) throw error;
        throw new ResponseError(LSPErrorCodes.RequestCancelled, "Cancelled.");
      });
      return resultOf(open, found);
    });
  },
};

function givenIn({
  time,
  seeds,
  seed,
  days,
}: SimulateParams): Pick<SimulateParams, "time" | "seeds" | "seed" | "days"> {
  const all = Object.entries({ time, seeds, seed, days }).filter(([, value]) => value !== undefined);
  const wrong = all.find(([, value]) => typeof value !== "number" || !Number.isFinite(value) || value < 0);
  if (wrong !== undefined) throw refusal(`\`${wrong[0]}\` must be a number, 0 or more.`);
  return Object.fromEntries(all);
}

/** @throws ResponseError where the node is neither a workflow nor an intake */
function namesAt({ workflows, intakes }: App, node: string | undefined): readonly string[] {
  if (node === undefined) return [];
  const found = [...workflows, ...intakes].find(({ pointer }) => pointer === node);
  if (found === undefined)
    throw refusal(
      `\`${node}\` isn't a workflow or an intake. Only these can be simulated, or the whole document.`,
    );
  return [found.name];
}

function resultOf(
  { document, compilation: { model, app, diagnostics } }: OpenConfig,
  found: Report,
): SimulateResult {
  const report = withFindings(
    found,
    app,
    diagnostics.map((each) => render(model, each, { fixes: false })),
  );
  const { parts, coverage } = report;
  const places = placesIn(app, model);
  const lineOf = (pointer: string, offset?: number): string => {
    const span = places(pointer, offset);
    if (span === undefined) return "";
    const { line, character } = toRange(document, span).start;
    return ` (${line + 1}:${character + 1})`;
  };
  const pointers = new Set(report.parts.flatMap(({ failures }) => failures.map(({ pointer }) => pointer)));
  return {
    version: document.version,
    report,
    told: {
      parts: parts.map(partSummary),
      coverage:
        coverage === undefined ? [] : [coverageSummary(coverage), ...missingSummary(coverage, lineOf)],
    },
    testCases: report.parts.map((part) => part.failures.map((failure) => testCaseOf(part, failure))),
    ranges: Object.fromEntries(
      [...pointers].flatMap((pointer) => {
        const span = nearest(model, pointer);
        return span === undefined ? [] : [[pointer, toRange(document, span)] as const];
      }),
    ),
  };
}

/** Where a pointer stands; the nearest part of it that is there. */
function nearest(
  model: Model,
  pointer: string,
): { readonly start: number; readonly end: number } | undefined {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const found = findNode(model, at);
    if ("node" in found) return found.node;
  }
  return undefined;
}
