/** Replaces NUL by the replacement character: PostgreSQL stores it in no text. */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
