import { Controller, Inject, Req } from '@nestjs/common';
import { Documented, RegistryCall, RegistryError, type WireRequest } from '@stratalog/http';
import { RawJson, isJsonObject, type JsonOutput, type JsonOutputObject } from '@stratalog/model';
import type { SubjectVersion } from '@stratalog/ports';
import type { RegisteredSchemas } from './registered-schemas';
import {
  CHECK_SCHEMA,
  FIND_SCHEMA,
  LIST_CONTEXTS,
  LIST_SCHEMA_SUBJECTS,
  LIST_SCHEMA_VERSIONS,
  LIST_SUBJECTS,
  LIST_TYPES,
  LIST_VERSIONS,
  READ_COMPATIBILITY,
  READ_MODE,
  READ_SCHEMA,
  READ_SCHEMA_ALONE,
  READ_VERSION,
  READ_VERSION_SCHEMA,
  REGISTER_SCHEMA,
  REGISTRY_ROOT,
  REMOVE_SUBJECT,
  SET_COMPATIBILITY,
} from './schema-registry.docs';

export const REGISTERED_SCHEMAS = Symbol('registered schemas');

/** Each schema accepts records that an older schema, the catalog's own, can read. */
const COMPATIBILITY = 'FORWARD';

/**
 * The schema registry for Kafka producers, in the dialect of its clients.
 *
 * **Source**: `docs/wire-decisions.md`, The schema registry.
 */
@Controller(['schema-registry/api', 'schema-registry'])
export class SchemaRegistryController {
  constructor(@Inject(REGISTERED_SCHEMAS) private readonly schemas: RegisteredSchemas) {}

  @Documented(REGISTRY_ROOT)
  @RegistryCall('GET', '/')
  root(): JsonOutputObject {
    return {};
  }

  @Documented(LIST_SUBJECTS)
  @RegistryCall('GET', 'subjects')
  subjects(): Promise<readonly string[]> {
    return this.schemas.subjects();
  }

  @Documented(REGISTER_SCHEMA)
  @RegistryCall('POST', 'subjects/:subject/versions')
  async register(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const { id } = await this.schemas.register(parameter(request, 'subject'), request.body);
    return { id };
  }

  @Documented(FIND_SCHEMA)
  @RegistryCall('POST', 'subjects/:subject')
  async find(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return shown(await this.schemas.find(parameter(request, 'subject'), request.body));
  }

  @Documented(LIST_VERSIONS)
  @RegistryCall('GET', 'subjects/:subject/versions')
  async versions(@Req() request: WireRequest): Promise<JsonOutput> {
    return (await this.schemas.versions(parameter(request, 'subject'))).map(({ version }) => version);
  }

  @Documented(READ_VERSION)
  @RegistryCall('GET', 'subjects/:subject/versions/:version')
  async version(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return shown(await this.versionOf(request));
  }

  @Documented(READ_VERSION_SCHEMA)
  @RegistryCall('GET', 'subjects/:subject/versions/:version/schema')
  async schemaOfVersion(@Req() request: WireRequest): Promise<JsonOutput> {
    return new RawJson((await this.versionOf(request)).text);
  }

  @Documented(REMOVE_SUBJECT)
  @RegistryCall('DELETE', ['subjects/:subject', 'subjects/:subject/versions/:version'])
  remove(): never {
    throw new RegistryError(
      'not-permitted',
      'Schemas are kept for ever, because records name them by their ids',
    );
  }

  @Documented(READ_SCHEMA)
  @RegistryCall('GET', 'schemas/ids/:id')
  async schema(@Req() request: WireRequest): Promise<JsonOutputObject> {
    return { schema: await this.schemas.schema(parameter(request, 'id')) };
  }

  @Documented(READ_SCHEMA_ALONE)
  @RegistryCall('GET', 'schemas/ids/:id/schema')
  async schemaAlone(@Req() request: WireRequest): Promise<JsonOutput> {
    return new RawJson(await this.schemas.schema(parameter(request, 'id')));
  }

  @Documented(LIST_SCHEMA_SUBJECTS)
  @RegistryCall('GET', 'schemas/ids/:id/subjects')
  async subjectsOf(@Req() request: WireRequest): Promise<JsonOutput> {
    return (await this.schemas.countUses(parameter(request, 'id'))).map(({ subject }) => subject);
  }

  @Documented(LIST_SCHEMA_VERSIONS)
  @RegistryCall('GET', 'schemas/ids/:id/versions')
  async listVersions(@Req() request: WireRequest): Promise<JsonOutput> {
    const uses = await this.schemas.countUses(parameter(request, 'id'));
    return uses.map(({ subject, version }) => ({ subject, version }));
  }

  @Documented(LIST_TYPES)
  @RegistryCall('GET', 'schemas/types')
  types(): JsonOutput {
    return ['AVRO'];
  }

  @Documented(LIST_CONTEXTS)
  @RegistryCall('GET', 'contexts')
  contexts(): JsonOutput {
    return ['.'];
  }

  @Documented(READ_COMPATIBILITY)
  @RegistryCall('GET', ['config', 'config/:subject'])
  config(): JsonOutputObject {
    return { compatibilityLevel: COMPATIBILITY };
  }

  @Documented(SET_COMPATIBILITY)
  @RegistryCall('PUT', ['config', 'config/:subject'])
  setConfig(@Req() { body }: WireRequest): JsonOutputObject {
    if (isJsonObject(body) && body.compatibility === COMPATIBILITY) return { compatibility: COMPATIBILITY };
    const message = `The compatibility is ${COMPATIBILITY}: schemas are taken that the catalog's own can read`;
    throw new RegistryError('invalid-compatibility', message);
  }

  @Documented(CHECK_SCHEMA)
  @RegistryCall('POST', [
    'compatibility/subjects/:subject/versions',
    'compatibility/subjects/:subject/versions/:version',
  ])
  async isCompatible(@Req() request: WireRequest): Promise<JsonOutputObject> {
    const version = optionalParameter(request, 'version') ?? 'latest';
    const rejection = await this.schemas.toRejection(parameter(request, 'subject'), version, request.body);
    return { is_compatible: rejection === undefined, messages: rejection === undefined ? [] : [rejection] };
  }

  @Documented(READ_MODE)
  @RegistryCall('GET', ['mode', 'mode/:subject'])
  mode(): JsonOutputObject {
    return { mode: 'READWRITE' };
  }

  /** Newer clients first try paths of newer registries, and continue after a 404. */
  @RegistryCall('ALL', '*')
  nothing(): never {
    throw new RegistryError('unknown-path', 'HTTP 404 Not Found');
  }

  private versionOf(request: WireRequest): Promise<SubjectVersion> {
    return this.schemas.version(parameter(request, 'subject'), parameter(request, 'version'));
  }
}

function shown({ subject, version, id, text }: SubjectVersion): JsonOutputObject {
  return { subject, version, id, schema: text };
}

function parameter(request: WireRequest, name: string): string {
  return optionalParameter(request, name) ?? '';
}

function optionalParameter(request: WireRequest, name: string): string | undefined {
  return (request.params as Readonly<Record<string, string | undefined>>)[name];
}
