/** Of a service that no test really asks. */
export const base = "https://api.example.com";

/** Its `auth`: one entry, `acme`. @param client what differs in its settings */
export function acmeAuth(client: object): object {
  const configuration = {
    authorization_base_url: `${base}/authorize`,
    token_url: `${base}/token`,
    ...client,
  };
  return { acme: { type: "oauth2", configuration } };
}
