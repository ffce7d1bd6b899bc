const LINE_BREAKS = /[\t\n\r]+/g;
/** What moves the cursor, changes colours or titles, or shows text in another order than it has. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const REPLACEMENT = '\ufffd';

/**
 * Text that a screen shows as one line, whatever it came from: anybody may have stored it, and a terminal obeys control
 * characters. Each becomes the replacement character; tabs and line breaks become a blank.
 */
export function printable(text: string): string {
  return text.replace(LINE_BREAKS, ' ').replace(CONTROLS, REPLACEMENT);
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
