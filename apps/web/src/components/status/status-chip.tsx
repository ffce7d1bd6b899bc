import { Icon, type IconName } from '../icon/icon';
import css from './status-chip.module.css';

export type StatusLook = 'good' | 'active' | 'warning' | 'bad' | 'plain';

interface StatusChipProps {
  readonly look: StatusLook;
  readonly icon: IconName;
  readonly children: string;
}

/** A state: icon, word and colour. */
export function StatusChip({ look, icon, children }: StatusChipProps) {
  return (
    <span className={`${css.chip ?? ''} ${css[look] ?? ''}`}>
      <Icon name={icon} size={14} /> {children}
    </span>
  );
}
