import type { Steps } from '@stratalog/json';

/** Cost of each byte of a text in the heap once the text is parsed. **Units**: bytes of heap. */
export type Prices = Uint16Array;

/** The text itself, and the strings in it. */
const ANY_BYTE = 2;

/**
 * Prices of JSON, measured with the engine's parser: an object or list with its place in its container, the growth of
 * lists, and the shapes that objects with names of their own take.
 *
 * Signs within strings count alike, because the text in `aspect.value` is JSON of its own and is parsed too. The sum
 * is what the dearest texts cost, and about three times what the values of metadata do; a write needs as much again
 * for what it makes of them.
 */
export const JSON_PRICES = priceList({ '{': 64, '[': 56, ':': 32, ',': 24, '"': 16 });

/** Prices of a query: a name with its values, and an element of a list, whose comma may be encoded. */
export const QUERY_PRICES = priceList({ '&': 200, ',': 40, '%': 12 });

function priceList(signs: Readonly<Record<string, number>>): Prices {
  const prices = new Uint16Array(256).fill(ANY_BYTE);
  for (const [sign, price] of Object.entries(signs)) prices[sign.charCodeAt(0)] = price + ANY_BYTE;
  return prices;
}

/** Bytes that one step reads, in a fraction of a millisecond. */
const STEP_BYTES = 64 * 1024;

/** Computes the most that the parsed form of the bytes costs in the heap, in steps. */
export function* computeHeapCost(bytes: Uint8Array, prices: Prices): Steps<number> {
  let cost = 0;
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) yield;
    const end = Math.min(bytes.length, from + STEP_BYTES);
    // An iterator over the bytes takes eight times as long.
    for (let at = from; at < end; at++) cost += prices[bytes[at] ?? 0] ?? 0;
  }
  return cost;
}

/** Computes the same for a text of ASCII. */
export function computeTextCost(text: string, prices: Prices): number {
  let cost = 0;
  for (let at = 0; at < text.length; at++) cost += prices[text.charCodeAt(at) & 0xff] ?? 0;
  return cost;
}
