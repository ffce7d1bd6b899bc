import type { WireRequest } from '../request/wire';

const HTML = /^text\/html\s*(?:;|$)/i;
const WEIGHT_0 = /;\s*q=0(?:\.0*)?\s*(?:;|$)/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * True when a request comes from a person's browser, which names HTML in `Accept`. A program that names
 * nothing, accepts everything or also names JSON gets the contract's answer.
 */
export function wantsPage({
  method,
  headers: { accept = '' },
}: Pick<WireRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const ranges = accept.split(',').map((range) => range.trim());
  return (
    ranges.some((range) => HTML.test(range) && !WEIGHT_0.test(range)) &&
    !ranges.some((range) => JSON_TYPE.test(range))
  );
}
