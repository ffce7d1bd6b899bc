/** Words that end in s in the singular too. */
const SINGULAR = /(?:ss|us|is|news|sales)$/;

/** Splits a name of plain words into lower-case words in the singular. */
export function toWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map(toSingular);
}

function toSingular(word: string): string {
  if (word.length < 4 || SINGULAR.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

export function toSnake(words: string): string {
  return words.toLowerCase().replaceAll(' ', '_');
}

export function toKebab(words: string): string {
  return words.toLowerCase().replaceAll(' ', '-');
}

/** `customer orders` to `CustomerOrders`. */
export function toPascal(words: string): string {
  return words.split(' ').map(capitalize).join('');
}

/** `customer orders` to `customerOrders`. */
export function toCamel(words: string): string {
  const pascal = toPascal(words);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** `customer orders` to `Customer orders`. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
