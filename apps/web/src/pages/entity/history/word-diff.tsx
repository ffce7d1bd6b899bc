import { diffWords } from 'diff';
import css from './history-tab.module.css';

/** Longer texts stand whole, one below the other. **Units**: UTF-16 units. */
const LONGEST = 10_000;

/** How a text became another, by words. */
export function WordDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = before.length + after.length > LONGEST ? undefined : diffWords(before, after);
  return (
    <>
      <Line kind="removed">
        {parts === undefined
          ? before.slice(0, LONGEST)
          : parts.map(({ value, added, removed }, at) =>
              added ? null : removed ? <del key={at}>{value}</del> : <span key={at}>{value}</span>,
            )}
      </Line>
      <Line kind="added">
        {parts === undefined
          ? after.slice(0, LONGEST)
          : parts.map(({ value, added, removed }, at) =>
              removed ? null : added ? <ins key={at}>{value}</ins> : <span key={at}>{value}</span>,
            )}
      </Line>
    </>
  );
}

interface LineProps {
  readonly kind: 'added' | 'removed';
  readonly children: React.ReactNode;
}

export function Line({ kind, children }: LineProps) {
  return (
    <div className={`${css.line ?? ''} ${css[kind] ?? ''}`}>
      <span className={css.sign} aria-label={kind === 'added' ? 'now' : 'before'} role="img">
        {kind === 'added' ? '+' : '−'}
      </span>
      <bdi className={css.value}>{children}</bdi>
    </div>
  );
}
