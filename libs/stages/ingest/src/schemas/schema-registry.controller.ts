import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, RegistryError, Route, type Input, type WireRequest } from '@stratalog/http';
import { RawJson, isJsonObject, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import type { SubjectVersion } from '@stratalog/ports';
import { RegisteredSchemas } from './registered-schemas';
import {
  LIST_SCHEMA_SUBJECTS,
  LIST_SCHEMA_VERSIONS,
  READ_SCHEMA,
  READ_SCHEMA_ALONE,
} from './schema-ids.routes';
import {
  LIST_CONTEXTS,
  LIST_TYPES,
  READ_COMPATIBILITY,
  READ_MODE,
  REGISTRY_ROOT,
  SET_COMPATIBILITY,
  UNKNOWN_PATH,
} from './schema-registry.routes';
import {
  CHECK_SCHEMA,
  FIND_SCHEMA,
  LIST_SUBJECTS,
  LIST_VERSIONS,
  READ_VERSION,
  READ_VERSION_SCHEMA,
  REGISTER_SCHEMA,
  REMOVE_SUBJECT,
} from './subjects.routes';

/** Each schema accepts records that an older schema, the catalog's own, can read. */
const COMPATIBILITY = 'FORWARD';

/**
 * The schema registry for Kafka producers, in the dialect of its clients.
 *
 * **Source**: `docs/wire-decisions.md`, The schema registry.
 */
@Controller()
export class SchemaRegistryController {
  constructor(@Inject(RegisteredSchemas) private readonly schemas: RegisteredSchemas) {}

  @Route(REGISTRY_ROOT)
  root(): JsonOutputObject {
    return {};
  }

  @Route(LIST_SUBJECTS)
  subjects(): Promise<readonly string[]> {
    return this.schemas.subjects();
  }

  @Route(REGISTER_SCHEMA)
  async register(
    @Parameters() { subject }: Input<typeof REGISTER_SCHEMA>,
    @Req() { body }: WireRequest,
  ): Promise<JsonOutputObject> {
    const { id } = await this.schemas.register(subject, body);
    return { id };
  }

  @Route(FIND_SCHEMA)
  async find(
    @Parameters() { subject }: Input<typeof FIND_SCHEMA>,
    @Req() { body }: WireRequest,
  ): Promise<JsonOutputObject> {
    return shown(await this.schemas.find(subject, body));
  }

  @Route(LIST_VERSIONS)
  async versions(@Parameters() { subject }: Input<typeof LIST_VERSIONS>): Promise<JsonOutput> {
    return (await this.schemas.versions(subject)).map(({ version }) => version);
  }

  @Route(READ_VERSION)
  async version(@Parameters() { subject, version }: Input<typeof READ_VERSION>): Promise<JsonOutputObject> {
    return shown(await this.schemas.version(subject, version));
  }

  @Route(READ_VERSION_SCHEMA)
  async schemaOfVersion(
    @Parameters() { subject, version }: Input<typeof READ_VERSION_SCHEMA>,
  ): Promise<JsonOutput> {
    return new RawJson((await this.schemas.version(subject, version)).text);
  }

  @Route(REMOVE_SUBJECT)
  remove(): never {
    throw new RegistryError(
      'not-permitted',
      'Schemas are kept for ever, because records name them by their ids',
    );
  }

  @Route(READ_SCHEMA)
  async schema(@Parameters() { id }: Input<typeof READ_SCHEMA>): Promise<JsonOutputObject> {
    return { schema: await this.schemas.schema(id) };
  }

  @Route(READ_SCHEMA_ALONE)
  async schemaAlone(@Parameters() { id }: Input<typeof READ_SCHEMA_ALONE>): Promise<JsonOutput> {
    return new RawJson(await this.schemas.schema(id));
  }

  @Route(LIST_SCHEMA_SUBJECTS)
  async listSchemaSubjects(@Parameters() { id }: Input<typeof LIST_SCHEMA_SUBJECTS>): Promise<JsonOutput> {
    return (await this.schemas.countUses(id)).map(({ subject }) => subject);
  }

  @Route(LIST_SCHEMA_VERSIONS)
  async listVersions(@Parameters() { id }: Input<typeof LIST_SCHEMA_VERSIONS>): Promise<JsonOutput> {
    return (await this.schemas.countUses(id)).map(({ subject, version }) => ({ subject, version }));
  }

  @Route(LIST_TYPES)
  types(): JsonOutput {
    return ['AVRO'];
  }

  @Route(LIST_CONTEXTS)
  contexts(): JsonOutput {
    return ['.'];
  }

  @Route(READ_COMPATIBILITY)
  config(): JsonOutputObject {
    return { compatibilityLevel: COMPATIBILITY };
  }

  @Route(SET_COMPATIBILITY)
  setConfig(
    @Parameters() _subject: Input<typeof SET_COMPATIBILITY>,
    @Req() { body }: WireRequest,
  ): JsonOutputObject {
    if (isJsonObject(body) && body.compatibility === COMPATIBILITY) return { compatibility: COMPATIBILITY };
    const message = `The compatibility is ${COMPATIBILITY}: schemas are taken that the catalog's own can read`;
    throw new RegistryError('invalid-compatibility', message);
  }

  @Route(CHECK_SCHEMA)
  async isCompatible(
    @Parameters() { subject, version }: Input<typeof CHECK_SCHEMA>,
    @Req() { body }: WireRequest,
  ): Promise<JsonOutputObject> {
    const rejection = await this.schemas.toRejection(subject, version, body);
    return { is_compatible: rejection === undefined, messages: rejection === undefined ? [] : [rejection] };
  }

  @Route(READ_MODE)
  mode(): JsonOutputObject {
    return { mode: 'READWRITE' };
  }

  @Route(UNKNOWN_PATH)
  nothing(): never {
    throw new RegistryError('unknown-path', 'HTTP 404 Not Found');
  }
}

function shown({ subject, version, id, text }: SubjectVersion): JsonOutputObject {
  return { subject, version, id, schema: text };
}
