const BYTES_BEYOND_ASCII = /[\u0080-\u00ff]/;
const BEYOND_BYTES = /[\u0100-\uffff]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * JSON text for a member that the dialect types as bytes: in ASCII, where whoever reads bytes and whoever reads text read the same.
 *
 * **Source**: entity and aspect behaviour, section 1.6.
 */
export function bytesOfJson(json: string): string {
  return json.replace(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The text of a member that the dialect types as bytes. Some clients send the UTF-8 of a text with one character for each byte, most
 * send the text itself: characters that are all bytes, and as bytes are UTF-8, are read as such.
 *
 * **Source**: entity and aspect behaviour, section 1.6.
 */
export function textOfBytes(member: string): string {
  if (!BYTES_BEYOND_ASCII.test(member) || BEYOND_BYTES.test(member)) return member;
  try {
    return UTF8.decode(Buffer.from(member, 'latin1'));
  } catch {
    return member;
  }
}
