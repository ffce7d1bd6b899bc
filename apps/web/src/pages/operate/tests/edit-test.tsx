import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { isObject } from '../../../data/entity-card';
import { queryClient } from '../../../data/use-call';
import { ConflictView } from '../../entity/edit/conflict-view';
import { propose, type Stored } from '../../entity/edit/save';
import { Field } from '../operate-parts';
import css from '../operate.module.css';
import { layOut } from './json-text';
import { Faults, TrialResults } from './trial';
import { tryOut, type Trial } from './try-out';

const INFO = 'testInfo';

interface EditTestProps {
  readonly urn: string;
  /** What the text begins with. */
  readonly read: Stored;
  readonly onClose: () => void;
}

/** What a save or a dry run led to. */
interface Ending {
  readonly trial: Trial;
  /** Present: somebody else has written another definition first. */
  readonly theirs?: Stored;
}

/** Edits the definition of a test. Its faults show at their place, and a dry run says what it would find before it is saved. */
export function EditTest({ urn, read, onClose }: EditTestProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => textOf(read));
  const [theirs, setTheirs] = useState<Stored>();
  const close = async (): Promise<void> => {
    await queryClient.invalidateQueries();
    onClose();
  };
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: async (over: Stored | 'dry run'): Promise<Ending> =>
      over === 'dry run' ? { trial: await tryOut(text) } : saveDefinition(urn, { over, text }),
    onSuccess: async (ending, over) => {
      if (ending.theirs !== undefined) setTheirs(ending.theirs);
      else if (over !== 'dry run' && ending.trial.faults.length === 0) await close();
    },
  });
  const { trial } = data ?? {};
  if (theirs !== undefined) {
    return (
      <ConflictView
        mine={text}
        theirs={theirs}
        theirText={textOf(theirs)}
        isBusy={isPending}
        error={error}
        onKeep={() => mutate(theirs)}
        onTake={() => void close()}
      />
    );
  }
  const isFaulty = trial !== undefined && trial.faults.length > 0;
  const select = (start: number, end: number): void => {
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
  };
  return (
    <form
      className={css.stack}
      aria-label="Edit the definition"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The panel around it stays open.
        event.stopPropagation();
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        mutate(read);
      }}
    >
      <Field label="Definition">
        <textarea
          ref={area}
          spellCheck={false}
          value={text}
          aria-invalid={isFaulty}
          onChange={({ target }) => {
            setText(target.value);
            reset();
          }}
        />
      </Field>
      <div className={css.row}>
        <Button type="submit" kind="primary" isBusy={isPending} disabled={isForbidden(error)}>
          Save
        </Button>
        <Button isBusy={isPending} disabled={isForbidden(error)} onClick={() => mutate('dry run')}>
          Dry run
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <div role="status">
        {isFaulty && <Faults text={text} faults={trial.faults} select={select} />}
        {trial !== undefined && !isFaulty && <TrialResults trial={trial} />}
      </div>
      <DeedFault error={error} />
    </form>
  );
}

function textOf({ value }: Stored): string {
  const definition = value?.definition;
  return isObject(definition) && typeof definition.json === 'string' ? layOut(definition.json) : '';
}

interface Saving {
  readonly over: Stored;
  readonly text: string;
}

/** Saves the definition, unless it has faults or another one was written first. */
async function saveDefinition(urn: string, { over, text }: Saving): Promise<Ending> {
  const trial = await tryOut(text, { most: 0 });
  if (trial.faults.length > 0) return { trial };
  const value = { ...over.value, definition: { type: 'JSON', json: text } };
  const place = { urn, aspectName: INFO };
  const theirs = await propose(place, { changeType: 'UPSERT', value, version: over.version });
  return theirs === undefined ? { trial } : { trial, theirs };
}
