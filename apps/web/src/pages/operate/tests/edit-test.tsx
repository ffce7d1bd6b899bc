import { stringifyJson, type JsonObject } from '@stratalog/json';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../../components/button/button';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { Banner } from '../../../components/states/states';
import { call } from '../../../data/catalog';
import { isObject } from '../../../data/entity-card';
import { queryClient } from '../../../data/use-call';
import { Field } from '../operate-parts';
import css from '../operate.module.css';
import { layOut } from './json-text';
import { Faults, TrialResults } from './trial';
import { tryOut, type Trial } from './try-out';

const INFO = 'testInfo';

/** What is stored of a test. */
interface StoredTest {
  readonly urn: string;
  readonly info: JsonObject;
  /** The write is rejected when somebody else has written another one. */
  readonly version: string;
}

interface EditTestProps {
  readonly test: StoredTest;
  readonly onClose: () => void;
}

/** Edits the definition of a test. Its faults show at their place, and a dry run says what it would find before it is saved. */
export function EditTest({ test, onClose }: EditTestProps) {
  const { definition } = test.info;
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() =>
    isObject(definition) && typeof definition.json === 'string' ? layOut(definition.json) : '',
  );
  const {
    mutate,
    data: trial,
    error,
    isPending,
    reset,
  } = useMutation({
    mutationFn: (isDry: boolean) => (isDry ? tryOut(text) : saveDefinition(test, text)),
    onSuccess: async ({ faults }, isDry) => {
      if (isDry || faults.length > 0) return;
      await queryClient.invalidateQueries();
      onClose();
    },
  });
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
        mutate(false);
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
        <Button isBusy={isPending} disabled={isForbidden(error)} onClick={() => mutate(true)}>
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
      {error?.message.startsWith('Expected version') === true ? (
        <Banner kind="bad">
          Somebody else has changed the test meanwhile. Copy your text, and begin with theirs.
        </Banner>
      ) : (
        <DeedFault error={error} />
      )}
    </form>
  );
}

/** Saves the definition, unless it has faults. */
async function saveDefinition({ urn, info, version }: StoredTest, text: string): Promise<Trial> {
  const checked = await tryOut(text, { most: 0 });
  if (checked.faults.length > 0) return checked;
  const value = { ...info, definition: { type: 'JSON', json: text } };
  await call('POST /aspects?action=ingestProposal', {
    proposal: {
      entityType: 'test',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: INFO,
      aspect: { value: stringifyJson(value), contentType: 'application/json' },
      headers: { 'If-Version-Match': version },
    },
  });
  return checked;
}
