import { checkSchema } from '@stratalog/avro';
import { RegistryError } from '@stratalog/http';
import { isJsonObject } from '@stratalog/json';
import type { SchemaStore, SubjectVersion } from '@stratalog/ports';

const MAX_SUBJECT_LENGTH = 255;
// eslint-disable-next-line no-control-regex -- a subject must not contain control characters
const CONTROL = /[\u0000-\u001f\u007f]/;
/** A version number, or an alias of the last one. */
const VERSION = /^(?:latest|-1|[1-9]\d{0,8})$/;

/**
 * The registered schemas of Kafka producers. It accepts a schema that the catalog's own schema of the same full name
 * can read, so every record under a registered schema is readable.
 *
 * **Errors**: `RegistryError` with the code that registry clients expect.
 */
export class RegisteredSchemas {
  constructor(private readonly store: SchemaStore) {}

  /** `body` is the request body of the producer. */
  register(subject: string, body: unknown): Promise<SubjectVersion> {
    if (subject === '' || subject.length > MAX_SUBJECT_LENGTH || CONTROL.test(subject)) {
      throw new RegistryError(
        'invalid-subject',
        `The subject has not 1 to ${String(MAX_SUBJECT_LENGTH)} characters`,
      );
    }
    const text = readSchema(body);
    const checked = checkSchema(text);
    if ('rejection' in checked) {
      const isReadable = checked.rejection !== 'unreadable';
      throw new RegistryError(isReadable ? 'invalid-schema' : 'incompatible-schema', checked.reason);
    }
    return this.store.register(subject, { text, fingerprint: checked.fingerprint });
  }

  /** Finds the version of a registered schema. */
  async find(subject: string, body: unknown): Promise<SubjectVersion> {
    const checked = checkSchema(readSchema(body));
    const match = 'rejection' in checked ? undefined : await this.store.find(subject, checked.fingerprint);
    if (match !== undefined) return match;
    await this.versions(subject);
    throw new RegistryError('unknown-schema', `Schema not found in subject ${subject}`);
  }

  /** Returns why the schema would be rejected; `undefined` when it would be accepted. */
  async toRejection(subject: string, version: string, body: unknown): Promise<string | undefined> {
    await this.version(subject, version);
    const checked = checkSchema(readSchema(body));
    return 'rejection' in checked ? checked.reason : undefined;
  }

  async versions(subject: string): Promise<readonly SubjectVersion[]> {
    const versions = await this.store.versions(subject);
    if (versions.length === 0) throw new RegistryError('unknown-subject', `Subject '${subject}' not found.`);
    return versions;
  }

  async version(subject: string, version: string): Promise<SubjectVersion> {
    if (!VERSION.test(version)) {
      const message = `The specified version '${version}' is not a valid version id: allowed are 1 and up, and "latest"`;
      throw new RegistryError('invalid-version', message);
    }
    const versions = await this.versions(subject);
    const isLast = version === 'latest' || version === '-1';
    const match = isLast ? versions.at(-1) : versions.find((each) => each.version === Number(version));
    if (match === undefined) throw new RegistryError('unknown-version', `Version ${version} not found.`);
    return match;
  }

  async schema(id: string): Promise<string> {
    const text = /^\d{1,10}$/.test(id) ? await this.toSchema(Number(id)) : undefined;
    if (text === undefined) throw new RegistryError('unknown-schema', `Schema ${id} not found`);
    return text;
  }

  async countUses(id: string): Promise<readonly SubjectVersion[]> {
    await this.schema(id);
    return this.store.countUses(Number(id));
  }

  subjects(): Promise<readonly string[]> {
    return this.store.subjects();
  }

  private async toSchema(id: number): Promise<string | undefined> {
    return id <= 0x7fffffff ? this.store.schema(id) : undefined;
  }
}

/** Reads the Avro schema from a producer's request. */
function readSchema(body: unknown): string {
  const { schema, schemaType = 'AVRO', references = [] } = isJsonObject(body) ? body : {};
  const reject = (message: string) => new RegistryError('invalid-schema', message);
  if (typeof schema !== 'string') throw reject('The member schema, a text, is missing');
  if (schemaType !== null && schemaType !== 'AVRO') throw reject('schemaType: only AVRO is taken');
  const hasNone = references === null || (Array.isArray(references) && references.length === 0);
  if (!hasNone) throw reject('references: none to other schemas are taken');
  return schema;
}
