import type { DocumentedRoute, RouteDocs, ServedRoute, ValueSchema } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';

const ERROR: JsonOutputObject = {
  type: 'object',
  properties: {
    exceptionClass: { type: 'string' },
    message: { type: 'string', description: 'Names the parameter or field that is wrong.' },
    stackTrace: { type: 'string', description: 'Its first line.' },
    status: { type: 'integer' },
    docUrl: {
      type: 'string',
      description: 'Where the call is explained: a path of this server. Absent with 5xx.',
    },
  },
  required: ['exceptionClass', 'message', 'stackTrace', 'status'],
};

const REGISTRY_ERROR: JsonOutputObject = {
  type: 'object',
  properties: { error_code: { type: 'integer' }, message: { type: 'string' } },
  required: ['error_code', 'message'],
};

/** At least one route: those that share a method and a path. */
export type OperationRoutes = readonly [DocumentedRoute, ...DocumentedRoute[]];

/** The named schemas of a document, collected while its operations are written. */
export class Components {
  readonly schemas: Record<string, JsonOutputObject> = {};
  /** A route with several paths has its schemas once. */
  private readonly names = new Map<RouteDocs, string>();

  /** The body of rejections in a dialect. */
  error(dialect: DocumentedRoute['dialect']): JsonOutputObject {
    const [name, schema] =
      dialect === undefined ? (['Error', ERROR] as const) : (['RegistryError', REGISTRY_ERROR] as const);
    this.schemas[name] = schema;
    return reference(name);
  }

  request(route: DocumentedRoute): JsonOutputObject | undefined {
    return this.named(`${this.nameOf(route)}Request`, route.docs.body);
  }

  /** With the envelope of actions. */
  response(route: DocumentedRoute): JsonOutputObject | undefined {
    const schema = route.docs.answer?.schema;
    const isWrapped = route.action !== undefined && schema !== undefined;
    return this.named(
      `${this.nameOf(route)}Response`,
      isWrapped ? { type: 'object', properties: { value: schema }, required: ['value'] } : schema,
    );
  }

  private nameOf(route: DocumentedRoute): string {
    const name = this.names.get(route.docs) ?? capitals(operationIdOf(route));
    this.names.set(route.docs, name);
    return name;
  }

  private named(name: string, schema: ValueSchema | undefined): JsonOutputObject | undefined {
    if (schema === undefined) return undefined;
    this.schemas[name] = { ...schema } as JsonOutputObject;
    return reference(name);
  }
}

/** Returns a single schema as it is. */
export function anyOf(schemas: readonly JsonOutputObject[]): JsonOutputObject {
  const [first = {}, ...others] = schemas;
  return others.length === 0 ? first : { anyOf: schemas };
}

function reference(name: string): JsonOutputObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** `getEntitiesV2ByUrn`, `searchEntities`. */
export function operationIdOf({ method, path, action }: ServedRoute): string {
  const words = path.split('/').map((part) => (part.startsWith(':') ? `by ${part.slice(1)}` : part));
  return (action ?? method.toLowerCase()) + words.map(capitals).join('');
}

function capitals(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
