import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon, type IconName } from '../icon/icon';
import css from './overlay.module.css';

interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** Present: the item is one of several choices. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuItem[];
}

interface MenuProps {
  readonly label: string;
  /** What the button shows. */
  readonly trigger: ReactNode;
  readonly triggerClass?: string | undefined;
  readonly groups: readonly MenuGroup[];
}

/** A button that opens a list of deeds or choices. */
export function Menu({ label, trigger, triggerClass, groups }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    const closeOutside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={root} className={css.menuRoot}>
      <button
        ref={button}
        type="button"
        className={triggerClass}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {trigger}
      </button>
      {isOpen && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={css.menu}
          onKeyDown={(event) => move(event, close)}
        >
          {groups.map(({ title, items }, at) => (
            <div key={title ?? at} role="group" aria-label={title} className={css.menuGroup}>
              {title !== undefined && (
                <div className={css.menuTitle} aria-hidden="true">
                  {title}
                </div>
              )}
              {items.map((item) => (
                <Item key={item.label} item={item} close={close} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { label, icon, isChosen, isDisabled = false, run } = item;
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      aria-disabled={isDisabled}
      tabIndex={-1}
      className={css.menuItem}
      onClick={() => {
        if (isDisabled) return;
        close();
        run();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span className={css.menuLabel}>{label}</span>
      {isChosen === true && <Icon name="check" size={14} />}
    </button>
  );
}

function move(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = steps[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') {
    event.stopPropagation();
    if (event.key === 'Escape') event.preventDefault();
    close();
  } else if (to !== undefined) {
    event.preventDefault();
    items.at(to % items.length)?.focus();
  }
}
