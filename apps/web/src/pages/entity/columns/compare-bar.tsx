import { useMemo } from 'react';
import { StatusChip } from '../../../components/status/status-chip';
import { dateText, readAt, toLocal, writeAt } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { useEntityView } from '../entity-context';
import { compareColumns, type ColumnChange } from './compare-columns';
import { readColumns, type Column } from './read-columns';
import css from './columns-tab.module.css';

/** The columns of the page against those of another time; `undefined`: not asked, or not read yet. */
export function useComparison(columns: readonly Column[], vs: string | undefined) {
  const { urn } = useEntityView();
  const asOf = readAt(vs);
  const past = useCall(
    'GET /entitiesV2/:urn',
    { urn, ...(asOf === undefined ? {} : { asOf }) },
    { isWanted: asOf !== undefined },
  );
  return useMemo(
    () =>
      asOf === undefined || past.data === undefined
        ? undefined
        : { sinceMs: asOf, ...compareColumns(columns, readColumns(past.data)) },
    [asOf, past.data, columns],
  );
}

interface CompareBarProps {
  readonly vs: string | undefined;
  readonly comparison: ReturnType<typeof useComparison>;
  readonly onChange: (vs: string | undefined) => void;
}

/** Chooses the time to compare with, and says how much is other than it was. */
export function CompareBar({ vs, comparison, onChange }: CompareBarProps) {
  const sinceMs = readAt(vs);
  const number = comparison?.changes.size ?? 0;
  return (
    <div className={css.compare}>
      <label>
        Compare with{' '}
        <input
          type="datetime-local"
          value={sinceMs === undefined ? '' : toLocal(sinceMs)}
          max={toLocal(Date.now())}
          onChange={({ target: { value } }) =>
            onChange(value === '' ? undefined : writeAt(Date.parse(value)))
          }
        />
      </label>
      <span role="status" className={css.count}>
        {comparison !== undefined &&
          `${number === 0 ? 'Nothing has changed' : `${number.toLocaleString('en')} changed`} since ${dateText(comparison.sinceMs)}`}
      </span>
    </div>
  );
}

const LOOKS = {
  new: ['good', 'plus', 'New'],
  changed: ['warning', 'history', 'Changed'],
  removed: ['bad', 'minus', 'Removed'],
} as const;

export function Changed({ change }: { readonly change: ColumnChange | undefined }) {
  if (change === undefined) return null;
  const [look, icon, word] = LOOKS[change.kind];
  return (
    <StatusChip look={look} icon={icon}>
      {change.what.length === 0 ? word : `${word}: ${change.what.join(', ')}`}
    </StatusChip>
  );
}
