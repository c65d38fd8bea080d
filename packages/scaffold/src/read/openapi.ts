import {
  type ApiDescription,
  type AuthScheme,
  type DescribedEvent,
  DescriptionError,
  type Operation,
  type Parameter,
  type RequestBody,
} from "../description.ts";
import { type Shape, unknown } from "../shape.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf } from "./json.ts";
import { References } from "./references.ts";
import { SchemaShapes } from "./schema-shapes.ts";

/** As configs write it (D11). */
const SUBDOMAIN = "${subdomain}";

const methods = ["get", "post", "put", "patch", "delete"];

/**
 * Reads what an OpenAPI document says of its API.
 *
 * @param document an OpenAPI document of version 3, parsed; references within it are followed
 * @throws DescriptionError if it is none
 */
export function fromOpenApi(document: unknown): ApiDescription {
  const root = objectOf(document);
  if (!textOf(root["openapi"]).startsWith("3."))
    throw new DescriptionError(
      "This isn't an OpenAPI document of version 3: its member “openapi” doesn't begin with 3.",
    );
  const reader = new Reader(root);
  const operations = reader.operations();
  if (operations.length === 0)
    throw new DescriptionError("The OpenAPI document has no operations in “paths”.");
  const info = objectOf(root["info"]);
  return {
    title: titleOf(textOf(info["title"])),
    baseUrls: serversOf(root),
    auth: authOf(reader.auth(), operations),
    operations,
    events: reader.events(),
    about: textOf(info["description"]),
  };
}

/** “Asana” of “The Asana API (v1)”. */
function titleOf(title: string): string {
  const short = title
    .replace(/\(.*?\)|\bv?\d+(?:\.\d+)*\b/gi, "")
    .replace(
      /\b(?:the|rest|http|public|web|open|api|apis|specification|openapi|documentation|endpoints|swagger)\b/gi,
      "",
    )
    .replace(/\s+/g, " ")
    .replace(/^[\s\-–:|]+|[\s\-–:|]+$/g, "");
  return short === "" ? title.trim() || "Service" : short;
}

/** Absolute servers, with the defaults of their variables. A first label that each customer has for themselves is `${subdomain}`. */
function serversOf(root: JsonObject): string[] {
  return listOf(root["servers"])
    .map(objectOf)
    .map(({ url, variables }) =>
      textOf(url).replace(/\{([^}]+)\}/g, (whole, name: string, at: number) => {
        const variable = objectOf(objectOf(variables)[name]);
        const isFirstLabel = /^https?:\/\/$/.test(textOf(url).slice(0, at));
        if (isFirstLabel && variable["enum"] === undefined) return SUBDOMAIN;
        const given = textOf(variable["default"]);
        return given === "" ? whole : given;
      }),
    )
    .map((url) => url.replace(/^http:/, "https:").replace(/\/+$/, ""))
    .filter((url) => /^https:\/\/[^{]+$/.test(url.replace(SUBDOMAIN, "x")));
}

/** Schemes that are declared; where none is, the header that operations take a key in. */
function authOf(schemes: readonly AuthScheme[], operations: readonly Operation[]): AuthScheme[] {
  if (schemes.length > 0) {
    // How tokens are sent is known of any grant; where customers log in, of one only.
    const isWhole = (scheme: AuthScheme): boolean => !("from" in scheme);
    return [...schemes.filter(isWhole), ...schemes.filter((scheme) => !isWhole(scheme))];
  }
  const counts = new Map<string, { readonly scheme: AuthScheme; count: number }>();
  for (const { name, in: place, about } of operations.flatMap(({ parameters }) => parameters)) {
    if (
      place !== "header" ||
      !/^(?:authorization|(?:x-)?(?:[\w-]+-)?(?:api-?key|(?:auth|access)-token))$/i.test(name)
    )
      continue;
    const known = counts.get(name.toLowerCase());
    if (known !== undefined) known.count++;
    else
      counts.set(name.toLowerCase(), {
        scheme: { kind: "header", name, prefix: prefixIn({ name, description: about }), from: "a parameter" },
        count: 1,
      });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).map(({ scheme }) => scheme);
}

class Reader {
  private readonly root: JsonObject;
  private readonly references: References;
  private readonly schemas: SchemaShapes;
  /** Of what an app sends. */
  private readonly sent: SchemaShapes;

  constructor(root: JsonObject) {
    this.root = root;
    this.references = new References(root);
    this.schemas = new SchemaShapes(this.references);
    this.sent = new SchemaShapes(this.references, "readOnly");
  }

  operations(): Operation[] {
    const found: Operation[] = [];
    for (const [path, item] of Object.entries(objectOf(this.root["paths"]))) {
      const shared = this.references.follow(item);
      for (const method of methods) {
        const operation = shared[method];
        if (isObject(operation) && operation["deprecated"] !== true)
          found.push(this.operation(method.toUpperCase(), path, operation, shared));
      }
    }
    return found;
  }

  /** `webhooks` of version 3.1, `x-webhooks` as documents of 3.0 write it, and the callbacks of operations. */
  events(): DescribedEvent[] {
    const callbacks = Object.values(objectOf(this.root["paths"])).flatMap((item) => {
      const shared = this.references.follow(item);
      return methods.flatMap((method) =>
        Object.entries(objectOf(objectOf(shared[method])["callbacks"])).flatMap(([name, callback]) =>
          Object.values(this.references.follow(callback)).map((address) => [name, address] as const),
        ),
      );
    });
    const webhooks = Object.entries(objectOf(this.root["webhooks"] ?? this.root["x-webhooks"]));
    return [...webhooks, ...callbacks].flatMap(([name, item]) => {
      const operations = this.references.follow(item);
      const body = methods
        .map((method) => this.request(objectOf(operations[method])["requestBody"], this.schemas))
        .find((each) => each !== undefined);
      return body === undefined ? [] : [{ name, payload: body.shape }];
    });
  }

  private operation(method: string, path: string, operation: JsonObject, shared: JsonObject): Operation {
    const request = this.request(operation["requestBody"], this.sent);
    const isAuthorised = this.requirements(operation).length > 0;
    return {
      method,
      path,
      summary: textOf(operation["summary"]) || textOf(operation["description"]).split(/[.\n]/)[0]!,
      about: textOf(operation["description"]),
      parameters: [...listOf(shared["parameters"]), ...listOf(operation["parameters"])]
        .flatMap((each) => this.parameter(each))
        .filter((each) => !(isAuthorised && isCredential(each))),
      ...(request === undefined ? {} : { request }),
      response: this.response(operation["responses"]),
      scopes: this.requirements(operation).flatMap(({ scopes }) => scopes),
      source: `${method} ${path}`,
    };
  }

  private parameter(value: unknown): Parameter[] {
    const { name, in: place, required, schema, description } = this.references.follow(value);
    if (typeof name !== "string" || (place !== "path" && place !== "query" && place !== "header")) return [];
    const { default: usual, maximum } = this.references.follow(schema);
    return [
      {
        name,
        in: place,
        isRequired: required === true || place === "path",
        shape: this.schemas.shapeOf(schema),
        about: textOf(description),
        ...(isScalar(usual) ? { default: usual } : {}),
        ...(typeof maximum === "number" ? { maximum } : {}),
      },
    ];
  }

  private request(value: unknown, schemas: SchemaShapes): RequestBody | undefined {
    const content = objectOf(this.references.follow(value)["content"]);
    const json = mediaOf(content, /^application\/(?:[\w.+-]+\+)?json\b/);
    if (json !== undefined) return { format: "json", shape: schemas.shapeOf(json["schema"]) };
    const form = mediaOf(content, /^application\/x-www-form-urlencoded\b/);
    return form === undefined ? undefined : { format: "form", shape: schemas.shapeOf(form["schema"]) };
  }

  private response(value: unknown): Shape {
    const responses = objectOf(value);
    const status = Object.keys(responses)
      .filter((each) => /^2/.test(each))
      .sort()[0];
    const answer = this.references.follow(responses[status ?? "default"]);
    const json = mediaOf(objectOf(answer["content"]), /^(?:application\/(?:[\w.+-]+\+)?json\b|\*\/\*)/);
    if (json === undefined) return unknown;
    const [named] = Object.values(objectOf(json["examples"]));
    return this.schemas.shapeOf(json["schema"], json["example"] ?? this.references.follow(named)["value"]);
  }

  /** The schemes that operations name, the most frequent first; what isn't named at all comes last. */
  auth(): AuthScheme[] {
    const counts = new Map<string, number>();
    for (const item of Object.values(objectOf(this.root["paths"])))
      for (const method of methods) {
        const operation = this.references.follow(item)[method];
        if (!isObject(operation)) continue;
        for (const { name } of this.requirements(operation)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    const schemes = objectOf(objectOf(this.root["components"])["securitySchemes"]);
    return Object.keys(schemes)
      .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
      .flatMap((name) => this.scheme(schemes[name]));
  }

  private requirements(operation: JsonObject): { name: string; scopes: string[] }[] {
    return listOf(operation["security"] ?? this.root["security"]).flatMap((each) =>
      Object.entries(objectOf(each)).map(([name, scopes]) => ({ name, scopes: listOf(scopes).map(textOf) })),
    );
  }

  private scheme(value: unknown): AuthScheme[] {
    const scheme = this.references.follow(value);
    if (scheme["type"] === "apiKey")
      return scheme["in"] === "query"
        ? [{ kind: "query", name: textOf(scheme["name"]) }]
        : scheme["in"] === "header"
          ? [{ kind: "header", name: textOf(scheme["name"]), prefix: prefixIn(scheme) }]
          : [];
    if (scheme["type"] === "http") {
      const name = textOf(scheme["scheme"]).toLowerCase();
      if (name === "basic") return [{ kind: "basic" }];
      return name === "bearer" ? [{ kind: "header", name: "Authorization", prefix: "Bearer" }] : [];
    }
    if (scheme["type"] !== "oauth2") return [];
    const flow = objectOf(objectOf(scheme["flows"])["authorizationCode"]);
    const authorizationUrl = textOf(flow["authorizationUrl"]);
    const tokenUrl = textOf(flow["tokenUrl"]);
    if (!isHttps(authorizationUrl) || !isHttps(tokenUrl))
      return Object.keys(objectOf(scheme["flows"])).length === 0
        ? []
        : [{ kind: "header", name: "Authorization", prefix: "Bearer", from: "another grant" }];
    const refreshUrl = textOf(flow["refreshUrl"]);
    return [
      {
        kind: "oauth2",
        authorizationUrl,
        tokenUrl,
        ...(isHttps(refreshUrl) && refreshUrl !== tokenUrl ? { refreshUrl } : {}),
        scopes: Object.keys(objectOf(flow["scopes"])),
      },
    ];
  }
}

/** Whether a parameter is another way to say who asks, beside the scheme that the operation names. */
function isCredential({ name, in: place, about }: Parameter): boolean {
  return (
    place !== "path" &&
    /^(?:(?:access|auth|oauth|bearer|api)?[_-]?token|api[_-]?key)$/i.test(name) &&
    /authenti|authori|credential|access token|api key/i.test(about)
  );
}

/** A header that carries a key may want a word before it, which only prose tells. */
function prefixIn({ name, description }: JsonObject): string {
  const isBearer = /^authorization$/i.test(textOf(name)) && /\bbearer\b/i.test(textOf(description));
  return isBearer ? "Bearer" : "";
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isHttps(url: string): boolean {
  return /^https:\/\/[^{\s]+$/.test(url);
}

function mediaOf(content: JsonObject, wanted: RegExp): JsonObject | undefined {
  const name = Object.keys(content).find((each) => wanted.test(each));
  return name === undefined ? undefined : objectOf(content[name]);
}
