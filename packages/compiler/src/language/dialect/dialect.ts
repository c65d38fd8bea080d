import type { ResourceField } from "../resource-spec.ts";

/**
 * What differs between platforms that take configs of this language (D44). It is data: a file that the setting `dialect` names says what
 * is other than in the built-in one, and no rule knows a platform by name.
 */
export interface Dialect {
  /** What names of resources begin with: `Platform` in `PlatformContact` (D25). */
  readonly brand: string;
  /** The value of `target` of `!http` that means the platform's own API (D17). */
  readonly target: string;
  /** Resources besides the standard ones, by name without the brand. */
  readonly resources: Readonly<Record<string, { readonly fields?: readonly ResourceField[] }>>;
  readonly limits: DialectLimits;
  /** Members that a section takes besides its own, by the section's name; nothing is read of them. */
  readonly alsoAccepted: Readonly<Record<string, readonly string[]>>;
}

export interface DialectLimits {
  /** How many inbound workflows an app may have (D47); `null` for any number. */
  readonly inboundWorkflows: number | null;
}

/** A dialect file: what it leaves out is as in the built-in one. */
export type DialectFile = Partial<Omit<Dialect, "limits">> & { readonly limits?: Partial<DialectLimits> };

/** The built-in dialect, which counts where the settings name none. */
export const builtinDialect: Dialect = {
  brand: "Platform",
  target: "platform",
  resources: {},
  limits: { inboundWorkflows: 1 },
  alsoAccepted: {},
};

/** A dialect with what the built-in one adds to it. */
export function completeDialect(file: DialectFile): Dialect {
  return { ...builtinDialect, ...file, limits: { ...builtinDialect.limits, ...file.limits } };
}

/** Stands in a value's `oneOf` for the dialect's `target`. */
export const TARGET = builtinDialect.target;

/** The values that a text may have under a dialect. */
export function choicesOf(
  { oneOf, dialectTarget }: { readonly oneOf?: readonly string[]; readonly dialectTarget?: true },
  { target }: Pick<Dialect, "target">,
): readonly string[] | undefined {
  return dialectTarget === true ? oneOf?.map((value) => (value === TARGET ? target : value)) : oneOf;
}
