import { fullTime, relativeTime } from '../../data/times';

/** A time in words, and in full on hover. **Units**: epoch milliseconds. */
export function RelativeTime({ ms }: { readonly ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={fullTime(ms)}>
      {relativeTime(ms)}
    </time>
  );
}
