import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from '../icon/icon';
import css from './button.module.css';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'>;

interface ButtonProps extends Native {
  readonly kind?: 'primary' | 'default' | 'quiet' | 'danger';
  readonly size?: 'small' | 'medium' | 'large';
  readonly icon?: IconName;
  /** The deed is under way. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** Does something; a place to go is a link. */
export function Button({
  kind = 'default',
  size = 'medium',
  icon,
  isBusy = false,
  children,
  disabled,
  ...others
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`${css.button ?? ''} ${css[kind] ?? ''} ${css[size] ?? ''}`}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
      {...others}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Native {
  readonly icon: IconName;
  /** What it does, for everybody: it is also the tooltip. */
  readonly label: string;
  readonly hasBorder?: boolean;
}

export function IconButton({ icon, label, hasBorder = false, ...others }: IconButtonProps) {
  return (
    <button
      type="button"
      className={`${css.icon ?? ''} ${hasBorder ? (css.bordered ?? '') : ''}`}
      aria-label={label}
      title={label}
      {...others}
    >
      <Icon name={icon} />
    </button>
  );
}
