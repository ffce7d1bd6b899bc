import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '@stratalog/client';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Dialog } from '../../../components/overlay/dialog';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { Banner } from '../../../components/states/states';
import { useDeed } from '../../../data/use-deed';
import { count as counted } from '../../../data/words';
import css from '../operate.module.css';

const REPLAY = 'POST /operations?action=replayDeadLetters';
const DISCARD = 'POST /operations?action=discardDeadLetters';
const READ_AGAIN = ['GET /operations/tasks', 'GET /operations/deadLetters'] as const;

type Cause = AnswerOf<'GET /operations/deadLetters/counts'>['reasons'][number]['cause'];

interface SettleOpenProps {
  readonly cause: Cause;
  readonly onClose: () => void;
}

/** Replays or discards all open letters of a cause: a dry run counts them, and a second press starts the task. */
export function SettleOpen({ cause, onClose }: SettleOpenProps) {
  const plan = useDeed(REPLAY);
  const replay = useDeed(REPLAY, READ_AGAIN);
  const discard = useDeed(DISCARD, READ_AGAIN);
  // Letters of the time after the count are not meant.
  const [to] = useState(() => Date.now());
  const selection = { cause, to };
  const task = replay.data?.answer.task ?? discard.data?.answer.task;
  const counts = plan.data?.answer;
  const title = `Open dead letters: ${cause}`;
  return (
    <Dialog label={title} onClose={onClose}>
      <div className={css.form}>
        <h2>{title}</h2>
        {counts === undefined && (
          <Button isBusy={plan.isPending} onClick={() => plan.mutate({ ...selection, dryRun: true })}>
            Count them
          </Button>
        )}
        {counts !== undefined && (
          <div role="status">
            <Banner kind={counts.matching === 0 ? 'info' : 'warning'}>
              {counted(counts.matching, 'dead letter')}. The model accepts{' '}
              {counts.acceptable.toLocaleString('en')} of {counts.checked.toLocaleString('en')} checked ones
              now. Nothing is done yet.
            </Banner>
          </div>
        )}
        {counts !== undefined && counts.matching > 0 && task === undefined && (
          <div className={css.row}>
            <Button
              isBusy={replay.isPending}
              disabled={isForbidden(replay.error)}
              onClick={() => replay.mutate({ ...selection, dryRun: false })}
            >
              Replay {counted(counts.matching, 'dead letter')}
            </Button>
            <Button
              kind="danger"
              isBusy={discard.isPending}
              disabled={isForbidden(discard.error)}
              onClick={() => discard.mutate({ ...selection, dryRun: false })}
            >
              Discard {counted(counts.matching, 'dead letter')}
            </Button>
          </div>
        )}
        {task !== undefined && (
          <p role="status">
            The work has begun:{' '}
            <Link to="/operate/tasks/$task" params={{ task }}>
              follow the task
            </Link>
          </p>
        )}
        <DeedFault error={plan.error ?? replay.error ?? discard.error} />
        <div className={css.row}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}
