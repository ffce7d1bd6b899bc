import { useEffect, useState } from 'react';
import { lag, type Lag } from '../../data/catalog';
import { useStore } from '../../data/store';
import { count } from '../../data/words';
import css from './frame.module.css';

const MANY = 100;
const LONG_MS = 10_000;

/** From many changes at once, and from any after a while, people should know. */
function isBehind({ changes, sinceMs }: Lag, nowMs: number): boolean {
  return changes >= MANY || (sinceMs !== undefined && nowMs - sinceMs >= LONG_MS);
}

/** Says how current searches are, by the last answer from the index. */
export function Freshness() {
  const known = useStore(lag);
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    setNowMs(Date.now());
    if (known?.sinceMs === undefined) return undefined;
    const timer = setTimeout(() => setNowMs(Date.now()), LONG_MS);
    return () => clearTimeout(timer);
  }, [known]);
  if (known === undefined) return null;
  const isLate = isBehind(known, nowMs);
  return (
    <span className={`${css.freshness ?? ''} ${isLate ? (css.late ?? '') : ''}`} role="status">
      <span className={css.light} aria-hidden="true" />
      <span>{isLate ? `Index ${count(known.changes, 'change')} behind` : 'Index up to date'}</span>
    </span>
  );
}
