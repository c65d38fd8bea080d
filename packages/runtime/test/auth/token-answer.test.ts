import { readTokenAnswer } from "@configc/runtime/internal";
import { expect, test } from "vitest";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const read = (status: number, type: string, body: string) =>
  readTokenAnswer({ status, headers: { "content-type": type }, body: new TextEncoder().encode(body) }, 1_000);

test.each<[expiresIn: string, seconds: number | undefined]>([
  ["3600", 3600],
  ['"3600"', 3600],
  ["0.5", 0.5],
  // Written where it isn't known, or where a token doesn't end: not a token that is over before it is used.
  ...["0", "-1", "null", '""', '"never"', '"1h"', "true", "[60]", "{}", "1e999"].map(
    (text): [string, undefined] => [text, undefined],
  ),
])("D28 a token that is valid for %s seconds", (expiresIn, seconds) => {
  expect(read(200, json, `{"access_token":"a","expires_in":${expiresIn}}`)).toEqual({
    access_token: "a",
    ...(seconds === undefined ? {} : { expires_at: 1_000 + seconds * 1_000 }),
  });
});

test.each([
  ["JSON that says HTML", "text/html", '{"access_token":"a"}'],
  ["a form", form, "access_token=a"],
  ["a form that says plain text", "text/plain", "access_token=a&token_type=bearer"],
  ["an empty refresh token", json, '{"access_token":"a","refresh_token":""}'],
  ["no refresh token", json, '{"access_token":"a","refresh_token":null,"token_type":"MAC","scope":["x"]}'],
])("services answer in many ways: %s", (_name, type, body) => {
  for (const status of [200, 201]) expect(read(status, type, body)).toEqual({ access_token: "a" });
});

test.each<[string, number, string, string, string | undefined]>([
  ["a description", 400, json, '{"error":"invalid_grant","error_description":"Revoked"}', "Revoked"],
  ["an error with the status 200", 200, json, '{"ok":false,"error":"invalid_code"}', "invalid_code"],
  ["an error as a form", 400, form, "error=invalid_grant", "invalid_grant"],
  ["an object", 400, json, '{"error":{"code":3,"message":"No such code"}}', "No such code"],
  [
    "a description that is none",
    400,
    json,
    '{"error":"invalid_grant","error_description":12}',
    "invalid_grant",
  ],
  ["a message", 500, json, '{"message":"Oops"}', "Oops"],
  ["a page", 500, "text/html", "<h1>Oops</h1>", undefined],
  ["nothing", 400, json, "", undefined],
  ["a token that isn't one", 200, json, '{"access_token":12}', undefined],
  ["a token elsewhere", 200, json, '{"data":{"access_token":"a"}}', undefined],
  ["a redirect", 302, json, '{"access_token":"a"}', undefined],
  ["names of the prototype", 200, json, '{"__proto__":{"access_token":"a"}}', undefined],
])("why there is no token: %s", (_name, status, type, body, reason) => {
  expect(read(status, type, body)).toEqual({ reason });
});
