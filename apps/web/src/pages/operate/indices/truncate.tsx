import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Dialog } from '../../../components/overlay/dialog';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { Banner } from '../../../components/states/states';
import { DAY_MS, dateText, momentText } from '../../../data/times';
import { useDeed } from '../../../data/use-deed';
import { Field } from '../operate-parts';
import css from '../operate.module.css';
import type { Series } from './sizes';

const TRUNCATE = 'POST /operations?action=truncateTimeseriesAspect';

interface DryRun {
  readonly endTimeMillis: number;
  readonly matching: number;
  readonly total: number;
  /** When the dry run was answered. **Units**: epoch milliseconds. */
  readonly ms: number;
  /** The position that it speaks of. */
  readonly position: string | null;
}

interface TruncateProps {
  readonly series: Series;
  readonly onBegun: (task: string) => void;
  readonly onClose: () => void;
}

/** Deletes old values in three steps: until when, what a dry run counts, and the typed name. */
export function Truncate({ series, onBegun, onClose }: TruncateProps) {
  const [dryRun, setDryRun] = useState<DryRun>();
  const title = `Truncate ${series.aspect} of ${series.entityType}`;
  return (
    <Dialog label={title} onClose={onClose}>
      <div className={css.form}>
        <h2>{title}</h2>
        <Until series={series} onCounted={setDryRun} onChanged={() => setDryRun(undefined)} />
        {dryRun !== undefined && <Counted dryRun={dryRun} />}
        {dryRun !== undefined && dryRun.matching > 0 && (
          <Delete series={series} dryRun={dryRun} onBegun={onBegun} />
        )}
        <div className={css.row}>
          <Button onClick={onClose}>Keep the values</Button>
        </div>
      </div>
    </Dialog>
  );
}

interface UntilProps {
  readonly series: Series;
  readonly onCounted: (dryRun: DryRun) => void;
  readonly onChanged: () => void;
}

const YEAR_DAYS = 365;

function Until({ series: { entityType, aspect }, onCounted, onChanged }: UntilProps) {
  const [date, setDate] = useState(new Date(Date.now() - YEAR_DAYS * DAY_MS).toISOString().slice(0, 10));
  const count = useDeed(TRUNCATE);
  const ask = (): void => {
    const endTimeMillis = Date.parse(`${date}T00:00:00Z`);
    count.mutate(
      { entityType, aspect, endTimeMillis, dryRun: true },
      {
        onSuccess: ({ answer, headers }) => {
          const [, matching = '0', total = '0'] = /Delete (\d+) out of (\d+) rows/.exec(answer) ?? [];
          onCounted({
            endTimeMillis,
            matching: Number(matching),
            total: Number(total),
            ms: Date.now(),
            position: headers.get('x-stratalog-position'),
          });
        },
      },
    );
  };
  return (
    <form
      className={css.stack}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <h3>1. Until when</h3>
      <div className={css.inline}>
        <Field label="Values up to the beginning of this day, UTC">
          <input
            type="date"
            required
            value={date}
            onChange={({ target }) => {
              setDate(target.value);
              onChanged();
            }}
          />
        </Field>
        <Button type="submit" isBusy={count.isPending} disabled={isForbidden(count.error)}>
          Count them
        </Button>
      </div>
      <DeedFault error={count.error} />
    </form>
  );
}

function Counted({ dryRun: { matching, total, ms, position, endTimeMillis } }: { readonly dryRun: DryRun }) {
  return (
    <section className={css.stack}>
      <h3>2. What would go</h3>
      <div role="status">
        <Banner kind={matching === 0 ? 'info' : 'warning'}>
          {matching.toLocaleString('en')} of {total.toLocaleString('en')} values up to{' '}
          {dateText(endTimeMillis)}. Counted {momentText(ms)}
          {position !== null && <>, at position {position}</>}. Nothing is deleted yet.
        </Banner>
      </div>
    </section>
  );
}

interface DeleteProps {
  readonly series: Series;
  readonly dryRun: DryRun;
  readonly onBegun: (task: string) => void;
}

function Delete({ series: { entityType, aspect }, dryRun, onBegun }: DeleteProps) {
  const { matching, endTimeMillis } = dryRun;
  const values = `${matching.toLocaleString('en')} ${matching === 1 ? 'value' : 'values'}`;
  const [text, setText] = useState('');
  const remove = useDeed(TRUNCATE, ['GET /operations/tasks', 'POST /operations?action=getIndexSizes']);
  const isAllowed = text === aspect && !isForbidden(remove.error);
  return (
    <form
      className={css.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAllowed) return;
        remove.mutate(
          { entityType, aspect, endTimeMillis, dryRun: false },
          { onSuccess: ({ answer }) => onBegun(answer) },
        );
      }}
    >
      <h3>3. Delete</h3>
      <p>
        Delete {values} of {aspect} up to {dateText(endTimeMillis)}. This cannot be undone.
      </p>
      <Field label={`Type ${aspect} to delete them`}>
        <input autoComplete="off" value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <DeedFault error={remove.error} />
      <div className={css.row}>
        <Button type="submit" kind="danger" disabled={!isAllowed} isBusy={remove.isPending}>
          Delete {values}
        </Button>
      </div>
    </form>
  );
}
