import { signatureHelpAt } from "@configc/compiler/internal";
import type { Feature } from "../feature.ts";

/** The parameters of a jq function while its arguments are written. */
export const signatureHelp: Feature = {
  capabilities: { signatureHelpProvider: { triggerCharacters: ["(", ";"] } },
  register({ connection, part }) {
    connection.onSignatureHelp(({ textDocument, position }) => {
      const open = part(textDocument.uri);
      const found =
        open === undefined
          ? undefined
          : signatureHelpAt(open.compilation.model, open.document.offsetAt(position));
      if (found === undefined) return null;
      const signatures = found.signatures.map(({ name, parameters, doc }) => ({
        label: parameters.length === 0 ? name : `${name}(${parameters.join("; ")})`,
        parameters: parameters.map((label) => ({ label })),
        ...(doc === undefined ? {} : { documentation: doc }),
      }));
      return { signatures, activeSignature: 0, activeParameter: found.argument };
    });
  },
};
