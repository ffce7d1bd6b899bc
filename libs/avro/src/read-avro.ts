import type { JsonObject, JsonValue } from '@stratalog/json';
import type { types } from 'avsc';
import type { AvroType } from './parse-avro-schema';

/** Deepest nesting. No record of the catalog comes near it, and the stack holds far more. */
const MAX_DEPTH = 100;
/** Most values per byte. Values without a byte of their own, such as null, may occur in nested lists. */
const VALUES_PER_BYTE = 16;
const FREE_VALUES = 1_000;
/** Most values of a record. A proposal has about thirty besides the entries of its maps, and is read in one step. */
const MAX_VALUES = 50_000;

/**
 * Reads a value by the schema of its writer. Bytes and fixed values become text with one character per byte, as in
 * the HTTP dialect; a union becomes its bare value; 64-bit integers are exact.
 *
 * The bytes are untrusted. The reader stops at their end and rejects a list longer than the rest; avsc's own reader
 * checks the end only after counting up to any stated length.
 *
 * **Errors**: `RangeError` when the bytes are no such value, or when bytes follow the value.
 */
export function readAvro(type: AvroType, bytes: Buffer): JsonValue {
  const input = new Input(bytes);
  const value = read(type, input, 0);
  if (input.left > 0) throw new RangeError(`${String(input.left)} bytes are left over`);
  return value;
}

function read(type: AvroType, input: Input, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${String(MAX_DEPTH)} levels`);
  input.spend();
  switch (type.typeName) {
    case 'null':
      return null;
    case 'boolean':
      return input.take(1)[0] !== 0;
    case 'int':
    case 'long':
      return narrow(input.long());
    case 'float':
      return input.take(4).readFloatLE();
    case 'double':
      return input.take(8).readDoubleLE();
    case 'string':
      return input.take(input.length()).toString('utf8');
    case 'bytes':
      return input.take(input.length()).toString('latin1');
    case 'fixed':
      return input.take((type as types.FixedType).size).toString('latin1');
    case 'enum':
      return at((type as types.EnumType).symbols, input, 'symbol');
    case 'union:wrapped':
    case 'union:unwrapped':
      return read(at((type as types.WrappedUnionType).types, input, 'branch'), input, depth + 1);
    case 'array':
      return readArray(type as types.ArrayType, input, depth + 1);
    case 'map':
      return readMap((type as types.MapType).valuesType as AvroType, input, depth + 1);
    case 'record':
      return readRecord(type as types.RecordType, input, depth + 1);
    default:
      throw new RangeError(`a value of type ${type.typeName} has no place in a record`);
  }
}

function readRecord(type: types.RecordType, input: Input, depth: number): JsonObject {
  return Object.fromEntries(type.fields.map((field) => [field.name, read(field.type, input, depth)]));
}

function readArray(type: types.ArrayType, input: Input, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  for (let count = input.count(); count > 0; count = input.count()) {
    for (; count > 0; count--) items.push(read(type.itemsType, input, depth));
  }
  return items;
}

function readMap(values: AvroType, input: Input, depth: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (let count = input.count(); count > 0; count = input.count()) {
    for (; count > 0; count--) {
      const name = input.take(input.length()).toString('utf8');
      entries.push([name, read(values, input, depth)]);
    }
  }
  return Object.fromEntries(entries);
}

/** Reads the next index and returns its choice. */
function at<T>(choices: readonly T[], input: Input, what: string): T {
  const index = input.long();
  const chosen = choices[Number(index)];
  if (chosen === undefined) throw new RangeError(`there is no ${what} ${String(index)}`);
  return chosen;
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

class Input {
  private at = 0;
  private values: number;

  constructor(private readonly bytes: Buffer) {
    this.values = Math.min(MAX_VALUES, FREE_VALUES + VALUES_PER_BYTE * bytes.length);
  }

  /** Counts one value against the limit. */
  spend(): void {
    if (--this.values < 0)
      throw new RangeError('it has more values than its bytes can tell, or than a record may have');
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw new RangeError('it ends too early');
    const from = this.at;
    this.at += length;
    return this.bytes.subarray(from, this.at);
  }

  /** Reads a 64-bit integer: seven bits per byte, the lowest first, zigzag-encoded sign. */
  long(): bigint {
    let bits = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const [byte = 0] = this.take(1);
      bits |= BigInt(byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return BigInt.asIntN(64, (bits >> 1n) ^ -(bits & 1n));
    }
    throw new RangeError('an integer has more than 64 bits');
  }

  length(): number {
    return Number(this.long());
  }

  /**
   * Reads the number of items in the next block of a list; 0 at its end. A negative count is followed by the size of
   * the block.
   */
  count(): number {
    const count = Number(this.long());
    if (count < 0) this.long();
    const items = Math.abs(count);
    if (items > this.left) throw new RangeError('a list is longer than the record');
    return items;
  }
}
