const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Only what editors write is markup: `array<struct>` is not. */
const TAG =
  /<(?:!--|\/?(?:a|b|blockquote|br|code|dd|del|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|li|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b)[^<>]*>/gi;

/**
 * A text without the markup that editors leave in it: tags, embedded pictures and entities of HTML, pictures of Markdown. What is
 * left is what a reader sees, so that nobody finds a description by `div` or by a piece of a picture.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/data:[a-z]+\/[a-z0-9.+-]+;base64,[a-z0-9+/=]*/gi, ' ')
    .replace(TAG, ' ')
    .replace(/&([a-z]{2,6});/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}
