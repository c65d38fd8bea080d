import type { Member, Section } from "../schema.ts";
import { text } from "../values.ts";

const kept = (doc: string, example: unknown): Member => ({
  value: { kind: "data" },

  doc,
  example,
});

/** Parsed and kept, not validated (D39). */
export const objectEntry: Section = {
  name: "object",
  title: "An entry of `objects`",
  doc: "A core or custom object that stores additional data. Its content is passed on unchanged.",
  source: "D39",
  declares: "object",
  open: true,
  members: {
    name: {
      value: text({ nonEmpty: true, format: "name" }),

      doc: "Unique name.",
      example: "ticket",
    },
    labels: kept("`{singular, plural}`.", { singular: "Ticket", plural: "Tickets" }),
    description: kept("What the object stores.", "A support ticket."),
    external_id: kept("Which field identifies a record in the service.", "id"),
    fields: kept("The object's fields.", [{ id: "subject" }]),
    relationships: kept("Links to other objects.", []),
    transform: kept("How incoming data becomes a record.", {}),
    event_types: kept("Events that records cause.", []),
    event_type_field: kept("The field that names the event.", "event"),
    from_reference: kept("Where the definition comes from.", "ticket"),
    prepare_to_transform: kept("What happens before the transform.", {}),
  },
};
