/**
 * Calls a webhook's URL, as a service does.
 *
 * @returns the status of the answer; 0 if there was none
 */
export async function callBack(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  try {
    const answer = await fetch(url, { method: "POST", body, headers });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
