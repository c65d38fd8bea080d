/** A form field with options, by their values. */
const withOptions =
  (type: "dropdown" | "multiselect") =>
  (id: string, options: Readonly<Record<string, string>>, more: object = {}): object => ({
    label: id,
    id,
    type,
    options: Object.entries(options).map(([value, display]) => ({ value, display })),
    ...more,
  });

export const dropdown = withOptions("dropdown");
export const multiselect = withOptions("multiselect");
