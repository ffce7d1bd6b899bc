import { Suspense, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Icon } from '../../../components/icon/icon';
import { Skeleton } from '../../../components/states/states';
import { useEntityView } from '../entity-context';
import { useRights } from './use-rights';
import css from './editable.module.css';

interface EditableProps {
  /** What the button does: "Edit the tags". */
  readonly label: string;
  readonly aspectName: string;
  /** True: the button has its label beside it. */
  readonly isLabelled?: boolean;
  readonly children: ReactNode;
  /** The editor, which is loaded when it opens. */
  readonly editor: (close: () => void) => ReactNode;
}

/** A part of the page with a button that puts its editor in its place. The past has no button. */
export function Editable({ label, aspectName, isLabelled = false, children, editor }: EditableProps) {
  const view = useEntityView();
  const obstacle = useRights(view).obstacle(aspectName);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const reasonId = useId();
  useEffect(() => {
    if (!isOpen && wasOpen.current) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (view.atMs !== undefined) return <>{children}</>;
  if (isOpen) return <Suspense fallback={<Skeleton />}>{editor(() => setOpen(false))}</Suspense>;
  return (
    <div className={isLabelled ? css.section : css.editable}>
      <div className={css.shown}>{children}</div>
      <button
        ref={button}
        type="button"
        className={isLabelled ? css.labelled : css.pencil}
        aria-label={isLabelled ? undefined : label}
        aria-disabled={obstacle !== undefined}
        aria-describedby={obstacle === undefined ? undefined : reasonId}
        title={obstacle ?? label}
        onClick={() => {
          if (obstacle === undefined) setOpen(true);
        }}
      >
        <Icon name="pencil" size={14} /> {isLabelled && label}
      </button>
      {obstacle !== undefined && (
        <span id={reasonId} className="visually-hidden">
          {obstacle}
        </span>
      )}
    </div>
  );
}
