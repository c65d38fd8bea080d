import type { App, AppWorkflow } from "@configc/compiler";

/** @throws Error that says what was asked for */
export function onlyWorkflow({ workflows }: App): AppWorkflow {
  const [workflow, another] = workflows;
  if (workflow === undefined || another !== undefined)
    throw new Error(`One workflow was asked for, and there are ${workflows.length}.`);
  return workflow;
}

/**
 * Answers to the fields of the form, whatever an agent calls them.
 *
 * @param choices what a customer chooses, in the order of the fields; `undefined` leaves a field alone
 */
export function answersBy(app: App, choices: readonly (string | undefined)[]): Record<string, string> {
  const fields = onlyWorkflow(app).setup.select?.fields ?? [];
  if (fields.length !== choices.length)
    throw new Error(`A form with ${choices.length} fields was asked for, and there are ${fields.length}.`);
  return Object.fromEntries(
    fields.flatMap(({ id }, index) => {
      const choice = choices[index];
      return choice === undefined ? [] : [[id, choice]];
    }),
  );
}
