/** Returns the first sentence of a documentation text, for lists. */
export function firstSentence(doc: string): string {
  const paragraph = doc.trim().split(/\n\s*\n/, 1)[0] ?? '';
  return /^.*?[.!?](?=\s|$)/s.exec(paragraph)?.[0] ?? paragraph;
}
