import { parseUrn } from '@stratalog/model';

export interface UrnNames {
  /** What a user may call the urn by, besides itself: its id, the parts of a tuple, and the same of urns within it. */
  readonly names: readonly string[];
  /** The innermost parts that are no urns, in order: what of it is worth reading as text. */
  readonly leaves: readonly string[];
}

/** The names of a urn, or `undefined` when the text is no urn. */
export function urnNames(text: string): UrnNames | undefined {
  const parsed = parseUrn(text);
  if (!('urn' in parsed)) return undefined;
  const names = new Set([parsed.urn.id, ...parsed.urn.parts]);
  const leaves: string[] = [];
  for (const part of parsed.urn.parts) {
    const inner = urnNames(part);
    for (const name of inner?.names ?? []) names.add(name);
    leaves.push(...(inner?.leaves ?? [part]));
  }
  return { names: [...names], leaves };
}
