/**
 * Encodes arrays in PostgreSQL's binary format, for statements with many or large values. The client quotes nothing and
 * the server parses nothing.
 *
 * **Source**: `array_recv`, `tsvectorrecv` and `textrecv` of PostgreSQL; numbers are big-endian.
 */

const BYTEA_OID = 17;
const TEXT_OID = 25;
const BIGINT_OID = 20;
const UUID_OID = 2950;
const UUID_BYTES = 16;
const TSVECTOR_OID = 3614;
const HEADER_BYTES = 20;

/** Encodes a parameter of type `text[]`. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let bytes = HEADER_BYTES;
  for (const value of values) bytes += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const buffer = Buffer.allocUnsafe(bytes);
  let at = writeHeader(buffer, TEXT_OID, values.length);
  for (const value of values) {
    const length = value === null ? -1 : buffer.write(value, at + 4);
    at = writeInt32(buffer, length, at) + Math.max(0, length);
  }
  return buffer;
}

/** Encodes a parameter of type `bytea[]`. */
export function byteaArray(values: readonly Buffer[]): Buffer {
  const bytes = values.reduce((sum, { length }) => sum + 4 + length, HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(bytes);
  let at = writeHeader(buffer, BYTEA_OID, values.length);
  for (const value of values) {
    at = buffer.writeInt32BE(value.length, at);
    at += value.copy(buffer, at);
  }
  return buffer;
}

/** Encodes a parameter of type `bigint[]`. */
export function bigintArray(values: readonly number[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + 12 * values.length);
  let at = writeHeader(buffer, BIGINT_OID, values.length);
  for (const value of values) {
    at = writeInt32(buffer, 8, at);
    // The halves of the two's complement; every safe integer is exact.
    at = writeInt32(buffer, Math.floor(value / 2 ** 32), at);
    at = writeInt32(buffer, value % 2 ** 32, at);
  }
  return buffer;
}

/** Encodes a parameter of type `uuid[]`, each given as 32 hexadecimal digits. */
export function uuidArray(values: readonly string[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + (4 + UUID_BYTES) * values.length);
  let at = writeHeader(buffer, UUID_OID, values.length);
  for (const value of values) {
    at = buffer.writeInt32BE(UUID_BYTES, at);
    at += buffer.write(value, at, 'hex');
  }
  return buffer;
}

/**
 * The lexemes of a `tsvector` that begin with the same text: what follows it, with the positions in PostgreSQL's packed form. The two
 * highest of 16 bits are the weight (A is 3, D is 0).
 */
export interface Lexemes {
  readonly start: string;
  readonly ends: ReadonlyMap<string, readonly number[]>;
}

/**
 * Encodes an element of {@link tsvectorArray}. The server sorts the lexemes, of which no two may be equal; the positions of a lexeme
 * must ascend.
 */
export function encodeTsvector(groups: readonly Lexemes[]): Buffer {
  return (
    encodeCharacters(groups, 0x7f) ?? encodeCharacters(groups.map(toUtf8Characters), 0xff) ?? Buffer.alloc(0)
  );
}

/** Encodes lexemes whose characters are bytes; `undefined` when a character is above `highest`. */
function encodeCharacters(groups: readonly Lexemes[], highest: number): Buffer | undefined {
  let bytes = 4;
  let count = 0;
  for (const { start, ends } of groups) {
    count += ends.size;
    bytes += ends.size * (start.length + 3);
    for (const [end, places] of ends) bytes += end.length + 2 * places.length;
  }
  const buffer = Buffer.allocUnsafe(4 + bytes);
  let at = writeInt32(buffer, bytes, 0);
  at = writeInt32(buffer, count, at);
  // Calls for each of thousands of characters and places would take most of the time.
  let characters = 0;
  for (const { start, ends } of groups) {
    for (const [end, places] of ends) {
      for (let index = 0; index < start.length; index++) {
        characters |= start.charCodeAt(index);
        buffer[at++] = start.charCodeAt(index);
      }
      for (let index = 0; index < end.length; index++) {
        characters |= end.charCodeAt(index);
        buffer[at++] = end.charCodeAt(index);
      }
      buffer[at++] = 0;
      buffer[at++] = places.length >> 8;
      buffer[at++] = places.length;
      for (const place of places) {
        buffer[at++] = place >> 8;
        buffer[at++] = place;
      }
    }
  }
  return characters <= highest ? buffer : undefined;
}

/** Replaces each text by one with a character for each byte of its UTF-8. */
function toUtf8Characters({ start, ends }: Lexemes): Lexemes {
  const characters = (text: string): string => Buffer.from(text).toString('latin1');
  return {
    start: characters(start),
    ends: new Map([...ends].map(([end, places]) => [characters(end), places])),
  };
}

/** Puts encoded elements together to a parameter of type `tsvector[]`. */
export function tsvectorArray(encoded: readonly Buffer[]): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, TSVECTOR_OID, encoded.length);
  return Buffer.concat([header, ...encoded]);
}

function writeInt32(buffer: Buffer, value: number, at: number): number {
  buffer[at] = value >> 24;
  buffer[at + 1] = value >> 16;
  buffer[at + 2] = value >> 8;
  buffer[at + 3] = value;
  return at + 4;
}

/** Writes dimensions, null flag, element type, number of elements and lower bound. */
function writeHeader(buffer: Buffer, oid: number, length: number): number {
  [1, 1, oid, length, 1].forEach((field, index) => buffer.writeInt32BE(field, 4 * index));
  return HEADER_BYTES;
}
