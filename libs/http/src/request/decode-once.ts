/** A percent sign that begins no escape: typed by hand and meant literally. */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * Decodes percent escapes once: `%252C` becomes `%2C`, a lone `%` stays, and a `+` stays a plus.
 *
 * **Errors**: `undefined` when the escapes are not UTF-8.
 */
export function decodeOnce(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text.replace(LONE_PERCENT, '%25'));
  } catch {
    return undefined;
  }
}
