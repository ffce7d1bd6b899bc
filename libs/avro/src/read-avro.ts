import type { JsonObject, JsonValue } from '@stratalog/model';
import type { types } from 'avsc';
import type { AvroType } from './parse-avro-schema';

/** No record of ours comes near it, and it is far from the end of the stack. */
const MAX_DEPTH = 100;
/** Values without a byte of their own, such as null, may come in lists of lists; so many values for each byte are believed. */
const VALUES_PER_BYTE = 16;
const FREE_VALUES = 1_000;
/** A proposal has about thirty besides the entries of its maps, and is read at once. */
const MAX_VALUES = 50_000;

/**
 * Reads a value by the schema under which it was written: bytes and fixed values as text with one character for each byte, like the
 * HTTP dialect has them, a union's value as it is, 64-bit integers exactly.
 *
 * The bytes may be anybody's. Nothing is read beyond their end, and no list is believed to be longer than they are: avsc's own reader
 * checks for the end when it is through, after counting to whatever number stands there.
 *
 * **Errors**: `RangeError` when the bytes are no such value, or are followed by more.
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

/** The one of `choices` whose number comes next. */
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

  /** Counts one value. */
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

  /** A 64-bit integer: seven bits in each byte, the lowest first, signs alternating. */
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

  /** How many items of a list follow before its next count; zero at its end. A negative count is followed by the size of the items. */
  count(): number {
    const count = Number(this.long());
    if (count < 0) this.long();
    const items = Math.abs(count);
    if (items > this.left) throw new RangeError('a list is longer than the record');
    return items;
  }
}
