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
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(bytes);
  let at = writeHeader(buffer, TEXT_OID, values.length);
  values.forEach((value, index) => {
    at = buffer.writeInt32BE(lengths[index] ?? -1, at);
    if (value !== null) at += buffer.write(value, at);
  });
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
    at = buffer.writeInt32BE(8, at);
    at = buffer.writeBigInt64BE(BigInt(value), at);
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
 * Lexemes with their positions in PostgreSQL's packed form: the two highest of 16 bits are the weight (A is 3, D is 0).
 */
export type Lexemes = ReadonlyMap<string, readonly number[]>;

/** Encodes an element of {@link tsvectorArray}. The server sorts the lexemes; the positions of a lexeme must ascend. */
export function encodeTsvector(lexemes: Lexemes): Buffer {
  const bytes = 4 + countBytes(lexemes);
  const buffer = Buffer.allocUnsafe(4 + bytes);
  let at = buffer.writeInt32BE(bytes);
  at = buffer.writeInt32BE(lexemes.size, at);
  for (const [lexeme, places] of lexemes) {
    at += buffer.write(lexeme, at);
    at = buffer.writeUInt8(0, at);
    at = buffer.writeUInt16BE(places.length, at);
    for (const place of places) at = buffer.writeUInt16BE(place, at);
  }
  return buffer;
}

/** Puts encoded elements together to a parameter of type `tsvector[]`. */
export function tsvectorArray(encoded: readonly Buffer[]): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, TSVECTOR_OID, encoded.length);
  return Buffer.concat([header, ...encoded]);
}

function countBytes(lexemes: Lexemes): number {
  let bytes = 0;
  for (const [lexeme, places] of lexemes) bytes += Buffer.byteLength(lexeme) + 3 + 2 * places.length;
  return bytes;
}

/** Writes dimensions, null flag, element type, number of elements and lower bound. */
function writeHeader(buffer: Buffer, oid: number, length: number): number {
  [1, 1, oid, length, 1].forEach((field, index) => buffer.writeInt32BE(field, 4 * index));
  return HEADER_BYTES;
}
