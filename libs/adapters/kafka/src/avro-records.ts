import {
  InvalidProposalError,
  NotFoundError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@stratalog/model';
import type { SchemaRegistry } from '@stratalog/ports';
import avro, { type Type } from 'avsc';
import { CHANGE_SCHEMA } from './avro-schemas';
import type { ChangeEncoding } from './change-record-message';

/** Confluent's wire format: a zero, the schema's id in four bytes, the body. */
const MAGIC = 0;
const HEADER_BYTES = 5;

/** True for a record that names its schema; no JSON text begins so. */
export function isAvroRecord(bytes: Buffer): boolean {
  return bytes.length > HEADER_BYTES && bytes[0] === MAGIC;
}

/** Reads Avro records by the schemas under which they were written. */
export class AvroReader {
  private readonly types = new Map<number, Promise<Type>>();

  constructor(private readonly registry: SchemaRegistry | undefined) {}

  /**
   * The members of a record; bytes as text with one character for each byte, like the HTTP dialect has them.
   *
   * **Errors**: `InvalidProposalError` when the bytes are no such record; `UnavailableError` when the registry is away.
   */
  async read(bytes: Buffer): Promise<JsonObject> {
    const id = bytes.readUInt32BE(1);
    const type = await this.typeOf(id);
    try {
      const value = jsonOf(type.fromBuffer(bytes.subarray(HEADER_BYTES)));
      if (isJsonObject(value)) return value;
    } catch (cause) {
      throw new InvalidProposalError(
        `The record is not what its schema ${String(id)} says: ${textOf(cause)}`,
      );
    }
    throw new InvalidProposalError(`Schema ${String(id)} is not that of a record`);
  }

  private typeOf(id: number): Promise<Type> {
    const known = this.types.get(id);
    if (known !== undefined) return known;
    const type = this.fetchType(id);
    this.types.set(id, type);
    // What failed may be there the next time.
    type.catch(() => this.types.delete(id));
    return type;
  }

  private async fetchType(id: number): Promise<Type> {
    if (this.registry === undefined) {
      throw new InvalidProposalError('The record is Avro, and no schema registry is set');
    }
    try {
      const schema = await this.registry.schemaOf(id);
      return typeFor(schema);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof SyntaxError || error instanceof TypeError) {
        throw new InvalidProposalError(`Schema ${String(id)} of the record: ${textOf(error)}`);
      }
      throw error;
    }
  }
}

/**
 * Change records in Avro. The schema is registered under the topic's name when the first is written.
 *
 * **Errors**: those of the registry, at each record until it answers.
 */
export function avroChanges(registry: SchemaRegistry, topic: string): ChangeEncoding {
  const type = typeFor(CHANGE_SCHEMA);
  let id: Promise<number> | undefined;
  return async ({ entityType, change, value }) => {
    id ??= registry.idOf(`${topic}-value`, CHANGE_SCHEMA);
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
      changeType: 'UPSERT',
      aspectName,
      aspect,
      systemMetadata: systemMetadataOf(systemMetadata),
      created: { time: created.time, actor: created.actor },
    });
    return Buffer.concat([header, body]);
  };
}

function systemMetadataOf(metadata: JsonObject): JsonObject {
  const own: JsonObject = {};
  for (const name of ['runId', 'lastRunId', 'pipelineName', 'registryName', 'registryVersion']) {
    if (typeof metadata[name] === 'string') own[name] = metadata[name];
  }
  if (typeof metadata.lastObserved === 'number') own.lastObserved = metadata.lastObserved;
  if (isJsonObject(metadata.properties)) own.properties = metadata.properties;
  return own;
}

/** 64-bit integers that a number does not hold come as `bigint`. */
const LONG = avro.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => narrow(bytes.readBigInt64LE()),
  toBuffer: (value: number | bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    return bytes;
  },
  fromJSON: (value: number) => value,
  toJSON: (value: number | bigint) => Number(value),
  isValid: (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value),
  compare: (a: number | bigint, b: number | bigint) => (a === b ? 0 : a < b ? -1 : 1),
});

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function typeFor(schema: string): Type {
  return avro.Type.forSchema(JSON.parse(schema) as avro.Schema, {
    registry: { long: LONG },
    wrapUnions: 'auto',
    omitRecordMethods: true,
  });
}

/** What avsc has read, as JSON values: records are instances of classes of its own. */
function jsonOf(value: unknown): JsonValue {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonOf(inner)]));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
