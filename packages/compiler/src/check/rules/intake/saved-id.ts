import { type Document, type Location, spanOf } from "../../../parse/document.ts";

/** Of a rule about a registration that is named by something else than the id that `create` saved. */
interface SavedId {
  readonly key: string;
  readonly scope: string;
}

const expansionOf = ({ key, scope }: SavedId): string => `\${data.${scope}.${key}}`;

/** What such a rule has in common with others: what happens, what to write, and the fix that writes it. */
export const named = {
  because: () => [
    "the service has no registration with that id: 404",
    "the platform takes 404 as deleted, and events keep coming",
  ],
  help: (args: SavedId) => `Write \`${expansionOf(args)}\`.`,
  fixes: (
    { at, args }: { readonly at: Location; readonly args: SavedId },
    { document }: { readonly document: Document },
  ) => [
    {
      title: `Change to \`${expansionOf(args)}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: expansionOf(args) }],
    },
  ],
};
