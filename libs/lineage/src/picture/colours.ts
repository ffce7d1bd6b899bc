/** Colours with a contrast of at least 4.5 to white text. */
const COLOURS = [
  '#1f6fc4',
  '#a85a00',
  '#1f7a4d',
  '#8a3fb0',
  '#b8372f',
  '#0b7580',
  '#6f6410',
  '#b03a78',
  '#4f5bc4',
  '#5b6b2f',
] as const;
const NO_COLOUR = '#5f6772';

/** Returns the colour of a word, such as a platform: it depends on the word alone, so that pictures can be compared. */
export function chooseColour(word: string): string {
  if (word === '') return NO_COLOUR;
  let sum = 0;
  for (const character of word) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return COLOURS[sum % COLOURS.length] ?? NO_COLOUR;
}
