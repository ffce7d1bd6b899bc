import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { AnswerOf } from '@stratalog/client';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { SidePanel } from '../../../components/panel/side-panel';
import { StatusChip } from '../../../components/status/status-chip';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { RelativeTime } from '../../../components/text/relative-time';
import { useCall } from '../../../data/use-call';
import { count as counted } from '../../../data/words';
import { OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { DeadLetterDetails } from './dead-letter-details';
import { LetterCounts } from './letter-counts';

export type DeadLetter = NonNullable<AnswerOf<'GET /operations/deadLetters'>>['deadLetters'][number];

const PAGE_SIZE = 50;
const MOST = 200;

/** Records that were in the log and could not be applied. */
export function DeadLettersPage() {
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  const [count, setCount] = useState(PAGE_SIZE);
  const listed = useCall('GET /operations/deadLetters', { count }, { keepsFormer: true });
  const chosen = listed.data?.deadLetters.find((each) => each.id === id);
  const total = listed.data?.total ?? 0;
  return (
    <OperatePage
      title="Dead letters"
      about={listed.data !== undefined && <span className={css.note}>{total.toLocaleString('en')}</span>}
      deeds={<Button onClick={() => void listed.refetch()}>Read again</Button>}
      panel={
        id !== undefined &&
        listed.data !== undefined && (
          <SidePanel
            key={id}
            title="Dead letter"
            label={`Dead letter ${id}`}
            onClose={() => void navigate({ to: '/operate/dead-letters' })}
          >
            {chosen === undefined ? (
              <EmptyState title="No dead letter with this place">
                <p>It is not among the newest {counted(listed.data.count, 'dead letter')}.</p>
              </EmptyState>
            ) : (
              <DeadLetterDetails letter={chosen} />
            )}
          </SidePanel>
        )
      }
    >
      <LetterCounts />
      <Loaded query={listed} what="The dead letters">
        {({ deadLetters }) =>
          deadLetters.length === 0 ? (
            <EmptyState title="No dead letters">
              <p>
                Records that the writer must reject after they were logged would be here, each with its
                reason.
              </p>
            </EmptyState>
          ) : (
            <DataTable
              label="Dead letters"
              columns={COLUMNS}
              rows={deadLetters}
              keyOf={({ id: key }) => key}
              selected={id}
            />
          )
        }
      </Loaded>
      {total > count && count < MOST && (
        <Button onClick={() => setCount(Math.min(MOST, count + PAGE_SIZE))}>Older dead letters</Button>
      )}
    </OperatePage>
  );
}

const COLUMNS: readonly TableColumn<DeadLetter>[] = [
  {
    name: 'about',
    header: 'Record',
    cell: (letter) => (
      <span className={css.two}>
        <Link to="/operate/dead-letters/$id" params={{ id: letter.id }}>
          <bdi>{subjectOf(letter)}</bdi>
        </Link>
        <span className={css.note}>
          {letter.topic ?? 'own log'}, partition {letter.partition}, offset{' '}
          {letter.offset.toLocaleString('en')}
        </span>
      </span>
    ),
  },
  {
    name: 'reason',
    header: 'Why it was rejected',
    cell: ({ reason }) => (
      <span className={css.wide}>
        <bdi>{reason.slice(0, 300)}</bdi>
      </span>
    ),
  },
  { name: 'state', header: 'State', cell: (letter) => <DeadLetterState letter={letter} /> },
  { name: 'time', header: 'Rejected', cell: ({ rejectedMillis }) => <RelativeTime ms={rejectedMillis} /> },
];

function subjectOf({ proposals = [], proposalCount, bytes }: DeadLetter): string {
  const [first] = proposals;
  if (first === undefined) return `${bytes.toLocaleString('en')} bytes`;
  const others = (proposalCount ?? 1) - 1;
  const more = others > 0 ? ` and ${others.toLocaleString('en')} more` : '';
  return `${first.aspectName} of ${first.urn.slice(0, 200)}${more}`;
}

export function DeadLetterState({ letter: { waits, state } }: { readonly letter: DeadLetter }) {
  if (state === 'replayed')
    return (
      <StatusChip look="good" icon="circleCheck">
        Replayed
      </StatusChip>
    );
  if (state === 'discarded')
    return (
      <StatusChip look="plain" icon="x">
        Discarded
      </StatusChip>
    );
  return waits ? (
    <StatusChip look="warning" icon="clock">
      Waits for a model
    </StatusChip>
  ) : (
    <StatusChip look="bad" icon="circleX">
      Rejected
    </StatusChip>
  );
}
