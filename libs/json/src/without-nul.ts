/** Replaces NUL and unpaired surrogates by the replacement character: PostgreSQL stores them in no text and in no `jsonb`. */
export function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
