import { useState, type ReactNode } from 'react';
import { Button } from '../button/button';
import { DeedFault, isForbidden } from '../states/deed-fault';
import { Dialog } from './dialog';
import css from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** The thing and the consequence. */
  readonly children: ReactNode;
  /** What the button says: a verb. */
  readonly deed: string;
  readonly kind?: 'primary' | 'danger';
  /** Present: the deed is possible only once this has been typed. */
  readonly typed?: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that costs much or cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  deed,
  kind = 'primary',
  typed,
  isBusy,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const isAllowed = (typed === undefined || text === typed) && !isForbidden(error);
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        className={css.confirm}
        onSubmit={(event) => {
          event.preventDefault();
          if (isAllowed) onConfirm();
        }}
      >
        <h2>{title}</h2>
        {children}
        {typed !== undefined && (
          <label className={css.field}>
            <span>
              Type <code>{typed}</code> to go on
            </span>
            <input autoComplete="off" value={text} onChange={({ target }) => setText(target.value)} />
          </label>
        )}
        <DeedFault error={error} />
        <div className={css.buttons}>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button type="submit" kind={kind} disabled={!isAllowed} isBusy={isBusy}>
            {deed}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
