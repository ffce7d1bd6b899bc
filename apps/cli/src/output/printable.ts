const LINE_BREAKS = /[\t\n\r]+/g;
/** Characters that move the cursor, change colours or titles, or reorder text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const REPLACEMENT = '\ufffd';

/**
 * Sanitizes text from any source for one line of a screen: a terminal interprets control characters, and any
 * client may have stored them. Each becomes the replacement character; tabs and line breaks become a blank.
 */
export function printable(text: string): string {
  return text.replace(LINE_BREAKS, ' ').replace(CONTROLS, REPLACEMENT);
}

/** Sanitizes text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
