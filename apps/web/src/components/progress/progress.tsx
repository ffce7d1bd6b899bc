import css from './progress.module.css';

interface ProgressProps {
  /** What advances, for who cannot see the bar. */
  readonly label: string;
  readonly done: number;
  /** Absent: nobody knows yet. */
  readonly total?: number | undefined;
  readonly look?: 'active' | 'paused' | 'failed' | 'good';
}

/** How far something has come. */
export function Progress({ label, done, total, look = 'active' }: ProgressProps) {
  const percent = total === undefined ? undefined : percentOf(done, total);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={css.progress}
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" className={css.track}>
        {percent === undefined ? (
          <rect className={`${css[look] ?? ''} ${css.unknown ?? ''}`} width={30} height={1} />
        ) : (
          <rect className={css[look]} width={percent} height={1} />
        )}
      </svg>
    </div>
  );
}

/** **Units**: whole percent; what has begun is never at 100 before it is done. */
export function percentOf(done: number, total: number): number {
  return total <= 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
}
