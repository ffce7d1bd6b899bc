import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from '../button/button';
import css from './side-panel.module.css';

interface SidePanelProps {
  readonly title: ReactNode;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Details beside a list, below it on phones. Escape closes it, and the focus goes back to what opened it. */
export function SidePanel({ title, label, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      ref={panel}
      className={css.panel}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={css.head}>
        <h2>{title}</h2>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
