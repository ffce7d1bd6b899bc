import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Segmented } from '../../../components/button/segmented';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { useDeed } from '../../../data/use-deed';
import { Card, Field } from '../operate-parts';
import css from '../operate.module.css';

/** One call restates at most this many aspects; the next goes on after them. */
const STEP = 1_000;

/** Restates entities to the indices, in steps whose progress the page knows. */
export function RestoreEntities() {
  const restore = useDeed('POST /operations?action=restoreIndices');
  const [by, setBy] = useState<'urn' | 'urnLike'>('urn');
  const [text, setText] = useState('');
  const [done, setDone] = useState<number>();
  const [isRunning, setRunning] = useState(false);
  const run = async (): Promise<void> => {
    setRunning(true);
    setDone(0);
    try {
      for (let start = 0; ; start += STEP) {
        const { answer } = await restore.mutateAsync({ [by]: text.trim(), start, batchSize: STEP });
        const restated = rowsOf(answer);
        setDone(start + restated);
        if (restated < STEP) break;
      }
    } catch {
      // The fault stands below the form.
    } finally {
      setRunning(false);
    }
  };
  return (
    <Card title="Restore" note="Put entities into the indices again that are missing or wrong there">
      <form
        className={css.inline}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Segmented
          label="What to restore"
          value={by}
          options={[
            { value: 'urn', label: 'One entity' },
            { value: 'urnLike', label: 'A pattern' },
          ]}
          onChange={setBy}
        />
        <Field label={by === 'urn' ? 'Urn' : 'Pattern: % is any text, _ one character'}>
          <input
            required
            value={text}
            placeholder={by === 'urn' ? 'urn:li:dataset:(…)' : 'urn:li:dataset:%'}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <Button type="submit" isBusy={isRunning} disabled={isForbidden(restore.error)}>
          Restore
        </Button>
      </form>
      <p role="status" className={css.note}>
        {done !== undefined &&
          (isRunning
            ? `${done.toLocaleString('en')} aspects so far`
            : restore.error === null && `${done.toLocaleString('en')} aspects restated`)}
      </p>
      <DeedFault error={restore.error} />
    </Card>
  );
}

/** The answer is a text for people; it names the number of restated aspects. */
function rowsOf(answer: string): number {
  return Number(/rowsMigrated=(\d+)/.exec(answer)?.[1] ?? 0) + Number(/ignored=(\d+)/.exec(answer)?.[1] ?? 0);
}
