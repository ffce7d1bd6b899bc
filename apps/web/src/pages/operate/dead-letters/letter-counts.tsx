import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { useCall } from '../../../data/use-call';
import { count as counted } from '../../../data/words';
import css from '../operate.module.css';
import { SettleOpen } from './settle-open';

/** The open letters by cause, and how many the model accepts now; a cause leads to its replay or discard. */
export function LetterCounts() {
  const { data } = useCall('GET /operations/deadLetters/counts', { state: 'open' }, { keepsFormer: true });
  const [cause, setCause] = useState<NonNullable<typeof data>['reasons'][number]['cause']>();
  if (data === undefined || data.total === 0) return null;
  const byCause = new Map<NonNullable<typeof cause>, number>();
  for (const reason of data.reasons)
    byCause.set(reason.cause, (byCause.get(reason.cause) ?? 0) + reason.count);
  return (
    <section className={css.row} aria-label="Open dead letters by cause">
      <span className={css.note}>
        {counted(data.total, 'open dead letter')}; the model accepts {data.acceptable.toLocaleString('en')} of{' '}
        {data.checked.toLocaleString('en')} checked ones now.
      </span>
      {[...byCause].map(([each, count]) => (
        <Button key={each} size="small" onClick={() => setCause(each)}>
          {each}: {count.toLocaleString('en')}
        </Button>
      ))}
      {cause !== undefined && <SettleOpen cause={cause} onClose={() => setCause(undefined)} />}
    </section>
  );
}
