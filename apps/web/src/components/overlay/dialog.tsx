import { useEffect, useRef, type ReactNode } from 'react';
import css from './overlay.module.css';

interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  /** `sheet`: from below on phones, from the side else. */
  readonly kind?: 'plain' | 'top' | 'sheet';
  readonly children: ReactNode;
}

/** Stands above the page while it is rendered: keeps the focus, closes by Escape and a click beside it, and gives the focus back. */
export function Dialog({ label, onClose, kind = 'plain', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    // A click on the dialog itself is one beside its content; the keyboard has Escape.
    <dialog
      ref={dialog}
      aria-label={label}
      className={`${css.dialog ?? ''} ${css[kind] ?? ''}`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={css.content}>{children}</div>
    </dialog>
  );
}
