/**
 * A token response as the standard has it, made of what services do send: a form instead of JSON, no `token_type`, a time as text.
 * The id token goes: who the customer is, is asked by `describe_connection`.
 */
export async function tolerated(answer: Response): Promise<Response> {
  const text = await answer.text();
  const given = json(text) ?? form(text);
  if (given === undefined)
    return new Response(answer.status === 204 ? null : text, {
      status: answer.status,
      headers: answer.headers,
    });
  const { id_token: _, ...members } = given;
  if (typeof members["expires_in"] === "string") {
    const seconds = Number(members["expires_in"]);
    if (seconds > 0) members["expires_in"] = seconds;
    else delete members["expires_in"];
  }
  if (members["refresh_token"] === "" || members["refresh_token"] === null) delete members["refresh_token"];
  if (members["scope"] !== undefined && typeof members["scope"] !== "string") delete members["scope"];
  if (typeof members["access_token"] === "string") members["token_type"] = "bearer";
  // Some answer 200 where they mean no.
  const status = answer.ok && typeof members["error"] === "string" ? 400 : answer.status;
  return new Response(JSON.stringify(members), {
    status,
    headers: { "content-type": "application/json" },
  });
}

function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function form(text: string): Record<string, unknown> | undefined {
  const parameters = new URLSearchParams(text);
  return parameters.has("access_token") || parameters.has("error")
    ? Object.fromEntries(parameters)
    : undefined;
}
