import { type App, compile } from "@configc/compiler";
import { peopleConfig } from "../api/config.ts";

type Part = Readonly<Record<string, unknown>> & { readonly name: string };

interface Parts {
  readonly data_intake: readonly Part[];
  readonly workflows: readonly Part[];
}

/** Of the intake that a history is imported by. */
export const historyIntake = "all-people";

/**
 * The app of people, where the requests of each phase can be told apart: a history comes by an intake of its own, and a workflow that will be
 * removed has a webhook of its own.
 */
export function crashApp(origin: string): App {
  const config = peopleConfig(origin) as Parts;
  const named = (parts: readonly Part[], name: string): Part => {
    const found = parts.find((part) => part.name === name);
    if (found === undefined) throw new Error(`The config of people has no ${name}.`);
    return found;
  };
  const pages = JSON.stringify(named(config.data_intake, "changed-people"));
  const hook = JSON.stringify(named(config.data_intake, "person.created"));
  const receive = named(config.workflows, "receive-people");
  const { historical_data_intake: _, ...watch } = receive;
  return compile(
    JSON.stringify({
      ...config,
      data_intake: [
        ...config.data_intake,
        { ...parse(pages.replace('"limit":100', '"limit":100,"history":"1"')), name: historyIntake },
        parse(hook.replaceAll("person.created", "person.removed")),
      ],
      workflows: [
        ...config.workflows.filter((part) => part !== receive),
        { ...receive, historical_data_intake: historyIntake },
        { ...watch, name: "watch-removed", label: "People - Watch", data_intake: "person.removed" },
      ],
    }),
  ).app;
}

function parse(text: string): Part {
  return JSON.parse(text) as Part;
}
