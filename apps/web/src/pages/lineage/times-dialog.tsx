import { useState } from 'react';
import { Button } from '../../components/button/button';
import { Dialog } from '../../components/overlay/dialog';
import { DAY_MS, writeAt } from '../../data/times';
import { useChangeAddress, type LineageAddress } from './lineage-address';
import css from './lineage-page.module.css';

interface TimesDialogProps {
  readonly address: LineageAddress;
  /** True: two times. */
  readonly isComparing: boolean;
  readonly onClose: () => void;
}

/** Asks for the time of the lineage, or for the two times to compare. */
export function TimesDialog({ address: { atMs, fromMs }, isComparing, onClose }: TimesDialogProps) {
  const change = useChangeAddress();
  const [nowMs] = useState(Date.now);
  const [from, setFrom] = useState(toLocal(fromMs ?? (atMs ?? nowMs) - 7 * DAY_MS));
  const [to, setTo] = useState(atMs === undefined ? '' : toLocal(atMs));
  const [fromTime, toTime] = [toMs(from), toMs(to)];
  const isUsable = isComparing
    ? fromTime !== undefined && fromTime < (toTime ?? nowMs)
    : toTime !== undefined;
  return (
    <Dialog label={isComparing ? 'Compare two times' : 'Choose a time'} onClose={onClose}>
      <form
        className={css.ask}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isUsable) return;
          onClose();
          const at = toTime === undefined ? undefined : writeAt(toTime);
          change(isComparing && fromTime !== undefined ? { from: writeAt(fromTime), at } : { at });
        }}
      >
        {isComparing && (
          <label>
            From
            <input type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
          </label>
        )}
        <label>
          {isComparing ? 'To; empty means now' : 'Show the lineage as of'}
          <input type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
        </label>
        <Button type="submit" kind="primary" disabled={!isUsable}>
          {isComparing ? 'Compare' : 'Show'}
        </Button>
      </form>
    </Dialog>
  );
}

/** The form of the input: local, to the minute. */
function toLocal(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toMs(text: string): number | undefined {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}
