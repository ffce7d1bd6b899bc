/** JSON media types, and ranges that include them. */
const TYPE = /^(?:\*\/\*|application\/(?:\*|json|[\w.-]+\+json))$/;
const WEIGHT_0 = /^q=0(?:\.0*)?$/;

/**
 * True when an `Accept` header permits an answer in JSON. A header that is absent or empty permits everything.
 *
 * **Source**: `docs/wire-decisions.md`, Requests; RFC 9110, section 12.5.1.
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => {
    const { type, isWanted } = parseRange(range);
    return isWanted && TYPE.test(type);
  });
}

/** True when an `Accept` header names a media type itself; ranges that include it do not count. */
export function namesType(accept: string | undefined, name: string): boolean {
  return (accept ?? '').split(',').some((range) => {
    const { type, isWanted } = parseRange(range);
    return isWanted && type === name;
  });
}

function parseRange(range: string): { readonly type: string; readonly isWanted: boolean } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return { type, isWanted: !parameters.some((parameter) => WEIGHT_0.test(parameter)) };
}
