const BYTES_BEYOND_ASCII = /[\u0080-\u00ff]/;
const BEYOND_BYTES = /[\u0100-\uffff]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * Escapes JSON text to ASCII for a member that the dialect types as bytes. Readers of bytes and of text then read the
 * same.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export function bytesOfJson(json: string): string {
  return json.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Decodes the text of a member that the dialect types as bytes. Most clients send the text itself; some send its
 * UTF-8 with one character per byte.
 * A member is decoded as UTF-8 when all its characters are bytes and the bytes are valid UTF-8.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export function textOfBytes(member: string): string {
  if (!BYTES_BEYOND_ASCII.test(member) || BEYOND_BYTES.test(member)) return member;
  try {
    return UTF8.decode(Buffer.from(member, 'latin1'));
  } catch {
    return member;
  }
}
