import { useEffect, useRef } from 'react';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { DeedFault } from '../../../components/states/deed-fault';
import { Banner } from '../../../components/states/states';
import { RelativeTime } from '../../../components/text/relative-time';
import { toMs } from '../../../data/times';
import type { Stored } from './save';
import css from './edit.module.css';

interface ConflictViewProps {
  readonly mine: string;
  /** Present: my text is being edited. */
  readonly onChange?: ((text: string) => void) | undefined;
  readonly theirs: Stored;
  readonly theirText: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onKeep: () => void;
  readonly onTake: () => void;
  /** Absent: it is being edited already. */
  readonly onEdit?: (() => void) | undefined;
}

/** Two people wrote at the same time: both texts stand side by side until one of them is chosen. */
export function ConflictView(props: ConflictViewProps) {
  const { mine, onChange, theirs, theirText, isBusy, error, onKeep, onTake, onEdit } = props;
  const { created, version } = theirs;
  const place = useRef<HTMLDivElement>(null);
  const ms = toMs(created?.time);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} role="group" aria-label="Two versions" tabIndex={-1} className={css.form}>
      <div role="alert">
        <Banner kind="warning">
          This was changed while you were editing. Nothing is lost: both versions are here.
        </Banner>
      </div>
      <div className={css.sides}>
        <label className={css.field}>
          <span>Yours, not saved</span>
          <textarea
            rows={8}
            value={mine}
            readOnly={onChange === undefined}
            onChange={({ target }) => onChange?.(target.value)}
          />
        </label>
        <label className={css.field}>
          <span>{version === '-1' ? 'Theirs: deleted' : `Theirs, version ${version}`}</span>
          <textarea rows={8} value={theirText} readOnly />
        </label>
      </div>
      {created !== undefined && ms !== undefined && (
        <p className={css.note}>
          Theirs was written by <EntityChip urn={created.actor} />, <RelativeTime ms={ms} />
        </p>
      )}
      <DeedFault error={error} />
      <div className={css.buttons}>
        <Button kind="primary" isBusy={isBusy} onClick={onKeep}>
          {onChange === undefined ? 'Keep yours' : 'Save yours'}
        </Button>
        <Button onClick={onTake}>Take theirs</Button>
        {onEdit !== undefined && <Button onClick={onEdit}>Edit yours</Button>}
      </div>
    </div>
  );
}
