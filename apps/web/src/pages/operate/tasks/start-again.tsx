import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { useDeed } from '../../../data/use-deed';
import type { ListedTask } from './tasks';

/** Begins a task that has ended again, as a new one. */
export function StartAgain({ task: { task } }: { readonly task: Pick<ListedTask, 'task'> }) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useDeed('POST /operations?action=restartTask', [
    'GET /operations/tasks',
  ]);
  const open = (name: string): void =>
    void navigate({ to: '/operate/tasks/$task', params: { task: name }, search: (search) => search });
  return (
    <>
      <Button
        icon="rotateCcw"
        isBusy={isPending}
        disabled={isForbidden(error)}
        onClick={() => mutate({ task }, { onSuccess: ({ answer }) => open(answer.task) })}
      >
        Start again with the same parameters
      </Button>
      <DeedFault error={error} />
    </>
  );
}
