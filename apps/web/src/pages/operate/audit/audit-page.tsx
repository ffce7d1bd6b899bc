import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { AnswerOf, ParametersOf } from '@stratalog/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { present } from '../../../app/search-parameters';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { StatusChip } from '../../../components/status/status-chip';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { RelativeTime } from '../../../components/text/relative-time';
import { call } from '../../../data/catalog';
import { isUrn } from '../../../data/urns';
import { count } from '../../../data/words';
import { OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { AuditFilters } from './audit-filters';
import { DownloadAudit } from './download-audit';

const route = getRouteApi('/operate/audit');
const LIST = 'GET /operations/audit';
type AuditRecord = NonNullable<AnswerOf<typeof LIST>>['records'][number];
export type AuditSelection = Omit<ParametersOf<typeof LIST>, 'before' | 'count' | 'format'>;

const PAGE_SIZE = 100;

/** What operators and rejected callers did. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const selection = toSelection(search);
  const pages = useInfiniteQuery({
    queryKey: [LIST, selection],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const before = pageParam === undefined ? {} : { before: pageParam };
      const { answer } = await call(LIST, { ...selection, ...before, count: PAGE_SIZE }, { signal });
      return answer.records;
    },
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.id),
  });
  const records = pages.data?.pages.flat();
  return (
    <OperatePage title="Audit" deeds={<DownloadAudit selection={selection} />}>
      <AuditFilters
        key={JSON.stringify(search)}
        search={search}
        onChange={(next) => void navigate({ to: '/operate/audit', search: present(next) as object })}
      />
      <Loaded query={{ data: records, error: pages.error, refetch: pages.refetch }} what="The audit records">
        {(shown) =>
          shown.length === 0 ? (
            <EmptyState title="No such calls">
              <p>
                Administrative calls, deletions and rejected calls would be here. Take a filter away to see
                others.
              </p>
            </EmptyState>
          ) : (
            <DataTable label="Audit records" columns={COLUMNS} rows={shown} keyOf={({ id }) => String(id)} />
          )
        }
      </Loaded>
      {pages.hasNextPage && (
        <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older calls
        </Button>
      )}
    </OperatePage>
  );
}

/** The filters of an address as the call takes them; a value that it does not know is passed on, so that the catalog says so. */
function toSelection({ status, ...others }: ReturnType<typeof route.useSearch>): AuditSelection {
  return present({
    ...others,
    status: status === undefined ? undefined : Number(status),
  });
}

const COLUMNS: readonly TableColumn<AuditRecord>[] = [
  {
    name: 'call',
    header: 'Call',
    cell: ({ call: made, parameters, omitted }) => (
      <span className={css.two}>
        <code>{made}</code>
        <Parameters
          of={JSON.stringify(parameters, (_, value: unknown) =>
            typeof value === 'bigint' ? String(value) : value,
          )}
        />
        {omitted !== undefined && <span className={css.note}>and {count(omitted, 'similar call')}</span>}
      </span>
    ),
  },
  {
    name: 'outcome',
    header: 'Outcome',
    cell: ({ outcome, status }) =>
      outcome === 'done' ? (
        <StatusChip look="good" icon="circleCheck">{`Done, ${String(status)}`}</StatusChip>
      ) : outcome === 'rejected' ? (
        <StatusChip look="warning" icon="ban">{`Rejected, ${String(status)}`}</StatusChip>
      ) : (
        <StatusChip look="bad" icon="circleX">{`Failed, ${String(status)}`}</StatusChip>
      ),
  },
  {
    name: 'actor',
    header: 'By',
    cell: ({ actor }) => (isUrn(actor) ? <EntityChip urn={actor} /> : <bdi>{actor}</bdi>),
  },
  {
    name: 'from',
    header: 'From',
    cell: ({ address, token }) => (
      <span className={css.two}>
        <span>{address ?? '–'}</span>
        {token !== undefined && <span className={css.note}>token {token}</span>}
      </span>
    ),
  },
  {
    name: 'took',
    header: 'Took',
    isNumber: true,
    cell: ({ durationMillis }) => `${durationMillis.toLocaleString('en')} ms`,
  },
  { name: 'time', header: 'When', cell: ({ timeMillis }) => <RelativeTime ms={timeMillis} /> },
];

const SHORT = 80;

function Parameters({ of }: { readonly of: string }) {
  const [isWhole, setWhole] = useState(false);
  if (of === '{}') return null;
  if (of.length <= SHORT || isWhole) return <bdi className={css.note}>{of}</bdi>;
  return (
    <span className={css.note}>
      <bdi>{of.slice(0, SHORT)}…</bdi>{' '}
      <button type="button" className={css.link} onClick={() => setWhole(true)}>
        more
      </button>
    </span>
  );
}
