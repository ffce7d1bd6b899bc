import { InvalidRequestError } from '@stratalog/domain';

type SentTime = number | bigint | null | undefined;

/** Reads the bounds of a time range. **Errors**: `InvalidRequestError` for what is no time, and for a range that ends before it starts. */
export function toRange(
  start: SentTime,
  end: SentTime,
  place = '',
): { readonly fromMs: number | undefined; readonly toMs: number | undefined } {
  const [fromMs, toMs] = [toTime(start, `${place}startTimeMillis`), toTime(end, `${place}endTimeMillis`)];
  if ((fromMs ?? 0) > (toMs ?? Infinity)) {
    throw new InvalidRequestError(`${place}endTimeMillis: is before startTimeMillis`);
  }
  return { fromMs, toMs };
}

function toTime(sent: SentTime, path: string): number | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (typeof sent === 'number' && sent >= 0) return sent;
  throw new InvalidRequestError(
    `${path}: must be milliseconds since 1970, from 0 to ${String(Number.MAX_SAFE_INTEGER)}`,
  );
}
