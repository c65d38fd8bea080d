import { expect, test } from "vitest";
import { mayWrite } from "../src/language/writes.ts";

test.each([
  ["GET", "/contacts", undefined, false],
  ["head", "/contacts", undefined, false],
  ["POST", "/contacts", undefined, true],
  ["POST", "/crm/v3/objects/contacts/search", undefined, false],
  ["POST", "https://search.example.com/contacts", undefined, true],
  ["POST", "/indexes/${custom_data.index.value}/_search?size=1", undefined, false],
  ["POST", "/saved-searches", undefined, true],
  ["POST", "/people/findOrCreate", undefined, true],
  ["POST", "/people:lookup", undefined, false],
  ["PUT", "/search", undefined, true],
  ["POST", "/graphql", "query ($id: ID!) { person(id: $id) { name } }", false],
  ["POST", "/graphql", "{ people { name } }", false],
  ["POST", "/graphql", 'mutation { addPerson(name: "query") { id } }', true],
  ["POST", "/graphql", "query A { a } mutation B { b }", true],
  ["POST", "/graphql", 'query { a(text: "} mutation") }', false],
  ["POST", "/graphql", "${piped_content.0.query}", true],
])("%s %s %s", (method, address, query, writes) => {
  expect(mayWrite({ method, address, query })).toBe(writes);
});
