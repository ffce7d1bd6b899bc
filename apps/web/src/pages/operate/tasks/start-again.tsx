import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { useDeed } from '../../../data/use-deed';
import { againOf, type ListedTask } from './tasks';

const CHANGES = ['GET /operations/tasks'] as const;

/** Repeats the call that a task came from. */
export function StartAgain({ task }: { readonly task: ListedTask }) {
  const navigate = useNavigate();
  const rebuild = useDeed('POST /operations?action=rebuildIndices', CHANGES);
  const truncate = useDeed('POST /operations?action=truncateTimeseriesAspect', CHANGES);
  const evaluate = useDeed('POST /test?action=evaluateAll', CHANGES);
  const again = againOf(task);
  if (again === undefined) return null;
  const deeds = [rebuild, truncate, evaluate];
  const error = deeds.find((each) => each.error !== null)?.error;
  const open = (name: string): void =>
    void navigate({ to: '/operate/tasks/$task', params: { task: name }, search: (search) => search });
  const run = (): void => {
    if (again.to === 'POST /operations?action=rebuildIndices')
      rebuild.mutate(again.parameters, { onSuccess: ({ answer }) => open(answer.task) });
    else if (again.to === 'POST /test?action=evaluateAll')
      evaluate.mutate(again.parameters, { onSuccess: ({ answer }) => open(answer.task) });
    else truncate.mutate(again.parameters, { onSuccess: ({ answer }) => open(answer) });
  };
  return (
    <>
      <Button
        icon="rotateCcw"
        isBusy={deeds.some(({ isPending }) => isPending)}
        disabled={isForbidden(error)}
        onClick={run}
      >
        Start again with the same parameters
      </Button>
      <DeedFault error={error} />
    </>
  );
}
