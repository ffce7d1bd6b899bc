import { parseUrn } from '@stratalog/model';

export interface UrnNames {
  /** Names that match the urn: its id, the parts of a tuple, and the same of urns within it. */
  readonly names: readonly string[];
  /** The innermost parts that are no urns, in order: the readable text of the urn. */
  readonly leaves: readonly string[];
}

/** Returns the names of a urn; `undefined` for any other text. */
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
