const MIN_LENGTH = 2;
const MAX_LENGTH = 40;

/** True when a token is a word of the vocabulary: 2 to 40 ASCII letters and digits, no stem and no whole value. */
export function isVocabularyWord(token: string): boolean {
  if (token.length < MIN_LENGTH || token.length > MAX_LENGTH) return false;
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at);
    if (!(code >= 0x61 && code <= 0x7a) && !(code >= 0x30 && code <= 0x39)) return false;
  }
  return true;
}
