import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Segmented } from '../../../components/button/segmented';
import { JsonTree } from '../../../components/json-tree/json-tree';
import { Banner, EmptyState, Loaded } from '../../../components/states/states';
import { fullTime, momentText, writeAt } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import type { Change } from '../use-changes';
import { DifferenceList } from './difference-list';
import { diffValues } from './diff-values';
import type { Difference } from './describe-change';
import css from './history-tab.module.css';

const route = getRouteApi('/e/$urn/history');

interface SelectedChangeProps {
  readonly changes: readonly Change[];
  readonly change: Change | undefined;
}

/** One change in words; or the version that it made against another one. */
export function SelectedChange({ changes, change }: SelectedChangeProps) {
  const { urn } = useEntityView();
  const search = route.useSearch();
  const navigate = useNavigate();
  if (change === undefined) return <EmptyState title="Choose a change" />;
  const { aspectName, version, time } = change;
  const versions = changes.filter((each) => each.aspectName === aspectName && each.version !== version);
  return (
    <section className={css.change} aria-label="The chosen change">
      <div className={css.head}>
        <h2>
          {toWords(aspectName)}, version {version}
        </h2>
        <time className={css.none} dateTime={new Date(time).toISOString()} title={fullTime(time)}>
          {momentText(time)}
        </time>
        <select
          aria-label="Compare with"
          value={search.vs ?? ''}
          onChange={({ target }) =>
            void navigate({
              to: '/e/$urn/history',
              params: { urn },
              search: {
                ...search,
                aspect: aspectName,
                v: String(version),
                vs: target.value === '' ? undefined : target.value,
              },
            })
          }
        >
          <option value="">Compare with the version before</option>
          {versions.map((each) => (
            <option key={each.version} value={String(each.version)}>
              Version {each.version}, {momentText(each.time)}
            </option>
          ))}
        </select>
        <Link to="/e/$urn" params={{ urn }} search={{ at: writeAt(time) }}>
          Show the page as of then
        </Link>
      </div>
      {search.vs === undefined ? (
        <Shown differences={change.differences} isCut={change.isCut === true} />
      ) : (
        <Compared aspect={aspectName} version={version} other={Number(search.vs)} />
      )}
    </section>
  );
}

interface ShownProps {
  readonly differences: readonly Difference[];
  readonly isCut: boolean;
}

function Shown({ differences, isCut }: ShownProps) {
  const [form, setForm] = useState<'readable' | 'json'>('readable');
  return (
    <>
      <Segmented
        label="Form"
        value={form}
        options={[
          { value: 'readable', label: 'Readable' },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={setForm}
      />
      {isCut && <Banner kind="info">Some differences are not kept.</Banner>}
      {form === 'json' ? (
        <JsonTree value={differences as never} />
      ) : (
        <DifferenceList differences={differences} />
      )}
    </>
  );
}

interface ComparedProps {
  readonly aspect: string;
  readonly version: number;
  readonly other: number;
}

/** Two versions that need not follow each other: the older one becomes the newer one. */
function Compared({ aspect, version, other }: ComparedProps) {
  const { urn } = useEntityView();
  const [from, to] = [Math.min(version, other), Math.max(version, other)];
  const before = useCall('GET /aspects/:urn', { urn, aspect, version: from });
  const after = useCall('GET /aspects/:urn', { urn, aspect, version: to });
  return (
    <Loaded query={before} what={`Version ${String(from)}`}>
      {(old) => (
        <Loaded query={after} what={`Version ${String(to)}`}>
          {(now) => <Shown isCut={false} differences={diffValues(valueOf(old), valueOf(now))} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function valueOf(answer: object) {
  const { aspect } = answer as {
    readonly aspect?: Readonly<Record<string, Parameters<typeof diffValues>[0]>>;
  };
  return Object.values(aspect ?? {})[0];
}
