/** The text of the generated module. */
export function settingsValidator(): string;
