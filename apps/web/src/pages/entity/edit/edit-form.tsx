import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import css from './edit.module.css';

interface EditFormProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What every editor has: Escape cancels, Ctrl-Enter saves. */
export function EditForm({ label, isBusy, error, onSave, onClose, children }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('textarea, input')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (!event.defaultPrevented) onClose();
      // What lies around the editor, such as a panel, stays open.
      event.stopPropagation();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
    else return;
    event.preventDefault();
  };
  return (
    <form
      ref={form}
      aria-label={label}
      className={css.form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSave();
      }}
    >
      {children}
      <DeedFault error={error} />
      <div className={css.buttons}>
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={isForbidden(error)}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <span className={css.keys} aria-hidden="true">
          <kbd>Ctrl ↵</kbd> saves, <kbd>Esc</kbd> cancels
        </span>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Field({ label, children }: FieldProps) {
  return (
    <label className={css.field}>
      <span>{label}</span>
      {children}
    </label>
  );
}
