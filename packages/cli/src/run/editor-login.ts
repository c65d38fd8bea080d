import { loopbackLogin, nodeHttp } from "@configc/host";
import { loginNeeds, refusedLogin } from "@configc/host/internal";
import type { Login } from "@configc/language-server";

/** A login of the language server: as `configc run --login`, in the browser that the editor opens. Nothing is kept here. */
export const editorLogin: Login = async ({ app, auth, client, port, allowPrivateNetwork, open, signal }) => {
  const needs = loginNeeds(app, auth, client);
  if (needs.length > 0) return { needs };
  const refused = allowPrivateNetwork ? undefined : await refusedLogin(app, auth, client);
  if (refused !== undefined) return { refused };
  const http = nodeHttp({ allowPrivateNetwork });
  try {
    const more = port === undefined ? {} : { port };
    return { credential: await loopbackLogin(app, auth, { ...client, ...more, http, open, signal }) };
  } finally {
    await http.close();
  }
};
