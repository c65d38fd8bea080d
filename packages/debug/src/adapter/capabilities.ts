import type { DebugProtocol } from "@vscode/debugprotocol";

/** What the adapter answers to `initialize`: everything here has a handler, and a test. */
export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsDataBreakpoints: true,
  supportsStepBack: true,
  supportsRestartFrame: true,
  supportsRestartRequest: true,
  supportsGotoTargetsRequest: true,
  supportsSetVariable: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ["$", "."],
  supportsExceptionInfoRequest: true,
  supportsTerminateRequest: true,
  supportTerminateDebuggee: true,
  supportsCancelRequest: true,
  exceptionBreakpointFilters: [
    { filter: "failure", label: "Failures", description: "Where a command fails.", default: true },
    {
      filter: "http",
      label: "HTTP errors",
      description: "When a service answers with an error, or not at all.",
    },
    {
      filter: "writes",
      label: "Writing requests",
      description: "Before a request that changes something is sent.",
      default: true,
    },
  ],
};
