import { ROOT_NAMES } from "@configc/compiler/internal";
import { isIdentifier } from "@configc/jq/internal";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { ShownValue } from "../../look/values.ts";
import type { ClientSession } from "../client-session.ts";
import type { Handlers } from "./handlers.ts";

/** What is seen where a run stands, and what is put in its place. */
export function lookRequests(session: ClientSession): Handlers {
  return {
    stackTrace: (args: DebugProtocol.StackTraceArguments) => stackTrace(session, args),
    scopes: async ({ frameId }: DebugProtocol.ScopesArguments) => {
      const scopes = await session.standing().ask("scopes", session.frame(frameId));
      return {
        scopes: scopes.map(({ name, reference, expensive }) => ({
          name,
          variablesReference: reference,
          expensive,
        })),
      };
    },
    variables: async ({ variablesReference, start, count }: DebugProtocol.VariablesArguments) => {
      const values = await session.standing().ask("variables", variablesReference, start, count);
      return { variables: values.map(variable) };
    },
    setVariable: (args: DebugProtocol.SetVariableArguments) => setVariable(session, args),
    evaluate: (args: DebugProtocol.EvaluateArguments) => evaluate(session, args),
    completions: (args: DebugProtocol.CompletionsArguments) => completions(session, args),
    exceptionInfo: () => ({
      exceptionId: session.arrival?.reason === "exception" ? "failure" : "none",
      description: session.arrival?.text ?? "Nothing failed here.",
      breakMode: "always",
    }),
    source: () => ({ content: session.places?.text ?? "", mimeType: "application/json" }),
    "configc/inlineValues": async ({ frameId }: { readonly frameId: number }) => {
      const values = await session.standing().ask("inlineValues", session.frame(frameId));
      return {
        values: values.map(({ pointer, inProgram, text }) => ({
          range: session.places?.rangeOf(pointer, inProgram === undefined ? {} : { inProgram }),
          text,
        })),
      };
    },
  };
}

async function stackTrace(
  session: ClientSession,
  { startFrame = 0, levels }: DebugProtocol.StackTraceArguments,
): Promise<object> {
  const frames = await session.standing().ask("stack");
  const end = levels === undefined || levels === 0 ? undefined : startFrame + levels;
  return {
    totalFrames: frames.length,
    stackFrames: frames.slice(startFrame, end).map(({ name, pointer, restartable, ...place }, index) => ({
      id: session.frameId(startFrame + index),
      name,
      source: session.source(),
      ...session.positions.ofFrame(session.places?.rangeOf(pointer, place)),
      canRestart: restartable,
    })),
  };
}

function variable({ name, text, type, reference, expression, editable, ...rest }: ShownValue) {
  return {
    name,
    value: text,
    type,
    variablesReference: reference,
    ...counts(rest),
    ...(expression === undefined ? {} : { evaluateName: expression }),
    ...(editable ? {} : { presentationHint: { attributes: ["readOnly"] } }),
  };
}

/** How much there is in a value, so that a client can ask by page. */
function counts({ items, members }: Pick<ShownValue, "items" | "members">) {
  return {
    ...(items === undefined ? {} : { indexedVariables: items }),
    ...(members === undefined ? {} : { namedVariables: members }),
  };
}

async function setVariable(
  session: ClientSession,
  { variablesReference, name, value }: DebugProtocol.SetVariableArguments,
): Promise<object> {
  const changed = await session.standing().change(variablesReference, name, value);
  if (changed.kind === "again") return { value };
  const { text, type, reference } = changed.value;
  // What is around it is another value now, too.
  session.event("invalidated", { areas: ["variables"] });
  return { value: text, type, variablesReference: reference };
}

async function evaluate(
  session: ClientSession,
  { expression, frameId, context }: DebugProtocol.EvaluateArguments,
): Promise<object> {
  const isWhole = context === "repl" || context === "clipboard";
  const frame = session.frame(frameId);
  const value = await session.standing().ask("evaluate", expression.trim(), frame, isWhole);
  const { text, type, reference } = value;
  return { result: text, type, variablesReference: reference, ...counts(value) };
}

const names = [...ROOT_NAMES, "input", "output", "request", "answer", "mapping", "contact"];

/** The names that can be read, and what is in the value before the last dot. */
async function completions(
  session: ClientSession,
  { text, column, frameId }: DebugProtocol.CompletionsArguments,
): Promise<object> {
  const before = text.slice(0, session.positions.before(column));
  const path = /((?:\.|\$\w+)(?:\.\w+|\[\d+\])*)\.(\w*)$/.exec(before) ?? /^()\.(\w*)$/.exec(before);
  if (path === null) return { targets: names.map((name) => ({ label: `$${name}`, type: "variable" })) };
  const run = session.standing();
  const expression = path[1] === "" || path[1] === undefined ? "." : path[1];
  const value = await run.ask("evaluate", expression, session.frame(frameId), false);
  const inside = value.reference === 0 ? [] : await run.ask("variables", value.reference, 0, 100);
  const members = inside.filter(({ name }) => isIdentifier(name));
  return { targets: members.map(({ name }) => ({ label: name, type: "property" })) };
}
