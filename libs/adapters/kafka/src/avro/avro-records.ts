import { CHANGE_SCHEMA, parseAvroSchema, readAvro, type AvroType } from '@stratalog/avro';
import { InvalidProposalError, NotFoundError } from '@stratalog/domain';
import { isJsonObject, type JsonObject } from '@stratalog/json';
import type { SchemaRegistry } from '@stratalog/ports';
import type { ChangeEncoding } from '../change-log/change-record-message';

/** Confluent's wire format: a zero byte, the schema's id in four bytes, the body. */
const MAGIC = 0;
const HEADER_BYTES = 5;
/** Ids of registries are signed integers of four bytes. */
const MAX_SCHEMA_ID = 2 ** 31 - 1;

/** True for a record that names its schema; no JSON text begins with a zero byte. */
export function isAvroRecord(bytes: Buffer): boolean {
  return bytes.length > HEADER_BYTES && bytes[0] === MAGIC;
}

/** Decodes Avro records with the schemas under which they were written. */
export class AvroReader {
  private readonly types = new Map<number, Promise<AvroType>>();

  constructor(private readonly registry: SchemaRegistry | undefined) {}

  /**
   * Fetches the schema of a record, and returns a function that reads its members. Bytes become text with one character
   * per byte, as in the HTTP dialect.
   *
   * **Errors**: `InvalidProposalError` when the schema is invalid or does not match the bytes; `UnavailableError` when
   * the registry is unavailable.
   */
  async open(bytes: Buffer): Promise<() => JsonObject> {
    const id = bytes.readUInt32BE(1);
    if (id > MAX_SCHEMA_ID)
      throw new InvalidProposalError(`The record names no schema: ${String(id)} is no id`);
    const type = await this.findType(id);
    return () => this.read(id, type, bytes);
  }

  private read(id: number, type: AvroType, bytes: Buffer): JsonObject {
    try {
      const value = readAvro(type, bytes.subarray(HEADER_BYTES));
      if (isJsonObject(value)) return value;
    } catch (cause) {
      throw new InvalidProposalError(
        `The record is not what its schema ${String(id)} says: ${toText(cause)}`,
      );
    }
    throw new InvalidProposalError(`Schema ${String(id)} is not that of a record`);
  }

  private findType(id: number): Promise<AvroType> {
    const known = this.types.get(id);
    if (known !== undefined) return known;
    const type = this.fetchType(id);
    this.types.set(id, type);
    // A failed fetch may succeed the next time.
    type.catch(() => this.types.delete(id));
    return type;
  }

  private async fetchType(id: number): Promise<AvroType> {
    if (this.registry === undefined) {
      throw new InvalidProposalError('The record is Avro, and no schema registry is set');
    }
    try {
      return parseAvroSchema(await this.registry.readSchema(id));
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof TypeError) {
        throw new InvalidProposalError(`Schema ${String(id)} of the record: ${toText(error)}`);
      }
      throw error;
    }
  }
}

/**
 * Encodes change records in Avro. The first record registers the schema under the topic's name.
 *
 * **Errors**: those of the registry, at each record until it answers.
 */
export function avroChanges(registry: SchemaRegistry, topic: string): ChangeEncoding {
  const type = parseAvroSchema(CHANGE_SCHEMA);
  let id: Promise<number> | undefined;
  return async ({ entityType, change, changeType, value, headers }) => {
    id ??= registry.register(`${topic}-value`, CHANGE_SCHEMA);
    const header = Buffer.alloc(HEADER_BYTES);
    try {
      header.writeUInt32BE(await id, 1);
    } catch (error) {
      id = undefined;
      throw error;
    }
    const { urn, aspectName, created, systemMetadata } = change;
    const aspect =
      value === undefined ? null : { value: Buffer.from(value), contentType: 'application/json' };
    const body = type.toBuffer({
      entityType,
      entityUrn: urn,
      changeType,
      aspectName,
      aspect,
      systemMetadata: decodeSystemMetadata(systemMetadata),
      headers: headers ?? null,
      created: { time: created.time, actor: created.actor },
    });
    return Buffer.concat([header, body]);
  };
}

function decodeSystemMetadata(metadata: JsonObject): JsonObject {
  const own: JsonObject = {};
  for (const name of ['runId', 'lastRunId', 'pipelineName', 'registryName', 'registryVersion']) {
    if (typeof metadata[name] === 'string') own[name] = metadata[name];
  }
  if (typeof metadata.lastObserved === 'number') own.lastObserved = metadata.lastObserved;
  if (isJsonObject(metadata.properties)) own.properties = metadata.properties;
  return own;
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
