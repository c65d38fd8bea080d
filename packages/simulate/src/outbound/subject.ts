import type { App, AppOptions, AppWorkflow } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import type { Mapping, MappingEntry } from "@configc/runtime";
import { wordsOf } from "../service/names.ts";
import type { Answered } from "../service/routes.ts";
import { plainLeaf, type Shape, shapeOf } from "../service/shape.ts";
import type { Installed } from "../stage/stage.ts";
import { formOf } from "../subject.ts";
import { CommandWalk } from "../symbolic/command.ts";
import type { Demand } from "../symbolic/demands.ts";
import { made, type Value } from "../symbolic/value.ts";

/** An outbound workflow, with what its service has to know of it. */
export interface OutboundSubject extends Installed {
  /** Requests that a contact may lead to. */
  readonly answered: readonly Answered[];
  /** A contact of the platform, as far as the app looks at it. */
  readonly contact: Shape;
  /** What a customer chooses who skips all that is optional; undefined where nothing is. */
  readonly skipped: JsonObject | undefined;
}

/** The outbound workflow of an app, as one customer set it up. */
export function outboundSubjectOf(app: App, workflow: AppWorkflow): OutboundSubject {
  const walk = new CommandWalk(app);
  const contact: Value = { kind: "place", root: { kind: "resource" }, path: [] };
  const { map, select } = workflow.setup;
  // Without a mapping the target is given the contact itself.
  const given: Value = map === undefined ? contact : { kind: "place", root: { kind: "input" }, path: [] };
  walk.walk(workflow.source, contact);
  walk.walk(workflow.target, given);
  const entries =
    map === undefined
      ? undefined
      : entriesOf(
          fieldsAmong(app, map.target.options) ?? fieldsOf(walk.demands.of({ kind: "input" })),
          map.defaultGroup,
          walk.demands.of({ kind: "input" }),
        );
  const form = formOf(app, workflow);
  const optional = (select?.fields ?? []).filter(({ required }) => !required).map(({ id }) => id);
  const skipped = Object.fromEntries(Object.entries(form).filter(([id]) => !optional.includes(id)));
  return {
    app,
    workflow,
    form,
    mapping:
      entries === undefined
        ? undefined
        : ({ v: 1, entries: entries.map(({ entry }) => entry) } satisfies Mapping),
    answered: walk.exchanges.map((exchange, index) => ({
      exchange,
      answer: walk.answerOf(index),
    })),
    contact: contactShape(walk.demands.of({ kind: "resource" }), entries ?? []),
    skipped: optional.length === 0 ? undefined : skipped,
  };
}

/** Maps to each field of the target the contact's own one, or one that is called as it is. */
function entriesOf(
  fields: readonly TargetField[],
  defaultGroup: string | undefined,
  demand: Demand,
): readonly Mapped[] {
  return fields.map(({ id, group = defaultGroup, required }) => {
    const read = (group === undefined ? demand : demand.members.get(group))?.members.get(String(id));
    return {
      entry: {
        source: { id: fieldFor(String(id)) },
        target: { id, ...(group === undefined ? {} : { group }) },
      },
      field: fieldFor(String(id)),
      required,
      shape: read === undefined ? plainLeaf("text") : shapeOf(read, String(id)),
    };
  });
}

/** The fields that the config names, as they stand or in a program that makes them; undefined where it names none. */
function fieldsAmong(app: App, options: AppOptions | undefined): readonly TargetField[] | undefined {
  if (options === undefined) return undefined;
  if ("items" in options)
    return options.items.flatMap((item): readonly TargetField[] => {
      const { id, group, required } = item as Partial<TargetField>;
      return id === undefined ? [] : [{ id, group, required: required === true }];
    });
  const fields = writtenIn(new CommandWalk(app).walk(options.command, made("other")));
  return fields.length === 0 ? undefined : fields;
}

/** Objects with an `id` that is written in the program. */
function writtenIn(value: Value): readonly TargetField[] {
  switch (value.kind) {
    case "choice":
    case "made":
      return value.of.flatMap(writtenIn);
    case "list":
      return writtenIn(value.item);
    case "literal":
      return [];
    case "object": {
      const literalOf = (name: string): Json | undefined => {
        const member = value.members.get(name);
        return member?.kind === "literal" ? member.value : undefined;
      };
      const id = literalOf("id");
      const group = literalOf("group");
      if (typeof id !== "string" && typeof id !== "number") return [];
      return [
        {
          id,
          group: typeof group === "string" ? group : undefined,
          required: literalOf("required") === true,
        },
      ];
    }
    default:
      return [];
  }
}

/** An entry of the mapping, and the contact's field in it. */
interface Mapped {
  readonly entry: MappingEntry;
  readonly field: string;
  readonly required: boolean;
  /** What programs take it for. */
  readonly shape: Shape;
}

interface TargetField {
  readonly id: string | number;
  readonly group: string | undefined;
  /** The customer has to map something to it, which contacts have then. */
  readonly required: boolean;
}

/** What programs read of the mapped fields, at the root and in groups. */
function fieldsOf(demand: Demand): readonly TargetField[] {
  return [...demand.members].flatMap(([name, member]): readonly TargetField[] =>
    member.members.size === 0
      ? member.uses.has("keyed")
        ? []
        : [{ id: name, group: undefined, required: false }]
      : [...member.members.keys()].map((id) => ({ id, group: name, required: false })),
  );
}

function fieldFor(target: string): string {
  const words = wordsOf(target);
  if (words.includes("email") || words.includes("mail")) return "email";
  if (words.includes("phone") || words.includes("mobile")) return "phone";
  if (words.includes("first")) return "first_name";
  return words.includes("last") ? "last_name" : target;
}

function contactShape(demand: Demand, entries: readonly Mapped[]): Shape {
  const read = shapeOf(demand);
  const optional = { ...plainLeaf("text"), isNullable: true };
  const fieldOf = ({ field, shape }: Mapped): Shape =>
    shape.kind === "number" || shape.kind === "time" || ("format" in shape && shape.format !== undefined)
      ? shape
      : plainLeaf(kindOf(field));
  const members: Record<string, Shape> = {
    first_name: optional,
    last_name: optional,
    phone: { ...plainLeaf("phone"), isNullable: true },
    ...Object.fromEntries(entries.map((each) => [each.field, { ...fieldOf(each), isNullable: true }])),
    ...(read.kind === "object" ? optionalMembers(read.members) : {}),
    ...Object.fromEntries(
      entries.filter(({ required }) => required).map((each) => [each.field, fieldOf(each)]),
    ),
    email: plainLeaf("email"),
  };
  return { kind: "object", members };
}

function kindOf(field: string): "phone" | "text" {
  return field === "phone" ? "phone" : "text";
}

/** A contact may lack anything but its address, whatever programs think. */
function optionalMembers(members: Readonly<Record<string, Shape>>): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(members).map(([name, shape]) => [
      name,
      "isNullable" in shape ? { ...shape, isNullable: true } : shape,
    ]),
  );
}
