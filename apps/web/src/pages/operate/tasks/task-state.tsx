import { StatusChip } from '../../../components/status/status-chip';
import { toWords } from '../../../data/words';
import { lookOf, type ListedTask } from './tasks';

export function TaskState({ state }: Pick<ListedTask, 'state'>) {
  const [look, icon] = lookOf(state);
  return (
    <StatusChip look={look} icon={icon}>
      {toWords(state)}
    </StatusChip>
  );
}
