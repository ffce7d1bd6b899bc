import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Segmented } from '../../../components/button/segmented';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { useDeed } from '../../../data/use-deed';
import { Card, Field } from '../operate-parts';
import css from '../operate.module.css';

/** Starts a task that restates entities to the indices. */
export function RestoreEntities() {
  const restore = useDeed('POST /operations?action=startRestore', ['GET /operations/tasks']);
  const [by, setBy] = useState<'urn' | 'urnLike'>('urn');
  const [text, setText] = useState('');
  const task = restore.data?.answer.task;
  return (
    <Card title="Restore" note="Put entities into the indices again that are missing or wrong there">
      <form
        className={css.inline}
        onSubmit={(event) => {
          event.preventDefault();
          restore.mutate({ [by]: text.trim() });
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
        <Button type="submit" isBusy={restore.isPending} disabled={isForbidden(restore.error)}>
          Restore
        </Button>
      </form>
      {task !== undefined && (
        <p role="status">
          The restore has begun:{' '}
          <Link to="/operate/tasks/$task" params={{ task }}>
            follow the task
          </Link>
        </p>
      )}
      <DeedFault error={restore.error} />
    </Card>
  );
}
