import { offlineSince } from '../../data/catalog';
import { useStore } from '../../data/store';
import css from './frame.module.css';

export function OfflineBand() {
  const sinceMs = useStore(offlineSince);
  if (sinceMs === undefined) return null;
  const time = new Date(sinceMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return (
    <p className={css.offline} role="status">
      No connection since {time}. What you see may be old.
    </p>
  );
}
