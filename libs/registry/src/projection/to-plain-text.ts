const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Matches only tags that editors write: `array<struct>` is no tag. */
const TAG =
  /<(?:!--|\/?(?:a|b|blockquote|br|code|dd|del|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|li|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b)[^<>]*>/gi;

/**
 * Removes the markup of editors: HTML tags, embedded images and HTML entities. Searches then match only visible text,
 * not `div` or parts of an image.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/data:[a-z]+\/[a-z0-9.+-]+;base64,[a-z0-9+/=]*/gi, ' ')
    .replace(TAG, ' ')
    .replace(/&([a-z]{2,6});/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}
