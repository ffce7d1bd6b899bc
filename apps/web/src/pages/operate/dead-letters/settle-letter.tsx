import { CallRejectedError } from '@stratalog/client';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { useDeed } from '../../../data/use-deed';
import css from '../operate.module.css';

const READ_AGAIN = ['GET /operations/deadLetters', 'GET /operations/deadLetters/counts'] as const;

/** Replays or discards an open letter. What stands in the way of a replay is said first; a second press overrides it. */
export function SettleLetter({ id }: { readonly id: string }) {
  const replay = useDeed('POST /operations?action=replayDeadLetter', READ_AGAIN);
  const discard = useDeed('POST /operations?action=discardDeadLetter', READ_AGAIN);
  const [isDiscarding, setDiscarding] = useState(false);
  const isHeld = replay.error instanceof CallRejectedError && replay.error.status === 409;
  return (
    <section className={css.stack}>
      <div className={css.row}>
        <Button
          isBusy={replay.isPending}
          disabled={isForbidden(replay.error)}
          onClick={() => replay.mutate({ letter: id, force: isHeld })}
        >
          {isHeld ? 'Replay nevertheless' : 'Replay'}
        </Button>
        <Button
          kind={isDiscarding ? 'danger' : 'default'}
          isBusy={discard.isPending}
          disabled={isForbidden(discard.error)}
          onClick={() => (isDiscarding ? discard.mutate({ letter: id }) : setDiscarding(true))}
        >
          {isDiscarding ? 'Discard: it is never applied' : 'Discard'}
        </Button>
      </div>
      <DeedFault error={replay.error} />
      <DeedFault error={discard.error} />
    </section>
  );
}
