/**
 * Reads an OpenAPI document, or one of Swagger 2 as the OpenAPI 3 that it stands for; JSON or YAML. No network is used.
 *
 * @throws Error if the file can't be read, or is no JSON or YAML
 */
export async function readApiDocument(path: string): Promise<unknown> {
  const { readOpenApi } = await import("./openapi.ts");
  return readOpenApi(path, { asked() {}, read() {} });
}
