import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { one, without } from '../../../app/search-parameters';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { EmptyState, Loaded } from '../../../components/states/states';
import { RelativeTime } from '../../../components/text/relative-time';
import { useCard } from '../../../data/use-card';
import { toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import { useChanges, type Change } from '../use-changes';
import { groupByTime, type ChangeGroup } from './group-changes';
import { SelectedChange } from './selected-change';
import { summarize } from './describe-change';
import css from './history-tab.module.css';

const route = getRouteApi('/e/$urn/history');

/** What changed, when and by whom; and one change, or two versions, in words. */
export function HistoryTab() {
  const { urn } = useEntityView();
  const query = useChanges(urn);
  const search = route.useSearch();
  return (
    <Loaded query={{ ...query, data: query.changes }} what="The history">
      {(all) => {
        const shown = all.filter(({ aspectName, actor }) => {
          const isOfAspect = search.of === undefined || aspectName === search.of;
          return isOfAspect && (search.by === undefined || actor === search.by);
        });
        if (all.length === 0) return <EmptyState title="Nothing has changed yet" />;
        const chosen = shown.find(
          ({ aspectName, version }) => aspectName === search.aspect && String(version) === search.v,
        );
        return (
          <div className={css.history}>
            <div className={css.timeline}>
              <Filters changes={all} />
              {groupByTime(shown, Date.now()).map((group) => (
                <Group key={group.title} group={group} selected={chosen ?? shown[0]} />
              ))}
              {!query.isAll && (
                <Button isBusy={query.isFetching} onClick={() => void query.fetchNextPage()}>
                  Show older changes
                </Button>
              )}
            </div>
            <SelectedChange
              changes={all}
              change={chosen ?? (search.aspect === undefined ? shown[0] : undefined)}
            />
          </div>
        );
      }}
    </Loaded>
  );
}

function Filters({ changes }: { readonly changes: readonly Change[] }) {
  const { urn } = useEntityView();
  const search = route.useSearch();
  const navigate = useNavigate();
  const choose = (name: 'of' | 'by', value: string): void =>
    void navigate({
      to: '/e/$urn/history',
      params: { urn },
      search: { ...without(search, name), [name]: one(value) },
    });
  return (
    <div className={css.filters}>
      <select
        aria-label="Aspect"
        value={search.of ?? ''}
        onChange={({ target }) => choose('of', target.value)}
      >
        <option value="">All aspects</option>
        {[...new Set(changes.map(({ aspectName }) => aspectName))].map((name) => (
          <option key={name} value={name}>
            {toWords(name)}
          </option>
        ))}
      </select>
      <select
        aria-label="Person"
        value={search.by ?? ''}
        onChange={({ target }) => choose('by', target.value)}
      >
        <option value="">Anyone</option>
        {[...new Set(changes.map(({ actor }) => actor))].map((actor) => (
          <ActorOption key={actor} urn={actor} />
        ))}
      </select>
    </div>
  );
}

function ActorOption({ urn }: { readonly urn: string }) {
  return <option value={urn}>{useCard(urn).name}</option>;
}

function Group({ group, selected }: { readonly group: ChangeGroup; readonly selected: Change | undefined }) {
  return (
    <section>
      <h2 className={css.period}>{group.title}</h2>
      <ul>
        {group.runs.map((run) => {
          const [first] = run;
          if (first === undefined) return null;
          const isOpen = selected !== undefined && run.includes(selected);
          return (
            <li key={`${first.aspectName} ${String(first.version)}`}>
              {run.length === 1 ? (
                <Entry change={first} isSelected={isOpen} />
              ) : (
                <details open={isOpen}>
                  <summary className={css.run}>
                    {run.length.toLocaleString('en')} changes of one run, <RelativeTime ms={first.time} />
                  </summary>
                  {run.map((change) => (
                    <Entry
                      key={`${change.aspectName} ${String(change.version)}`}
                      change={change}
                      isSelected={change === selected}
                    />
                  ))}
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Entry({ change, isSelected }: { readonly change: Change; readonly isSelected: boolean }) {
  const { urn } = useEntityView();
  const { time, actor, aspectName, version } = change;
  const search = route.useSearch();
  return (
    <div className={`${css.entry ?? ''} ${isSelected ? (css.selected ?? '') : ''}`}>
      <p className={css.who}>
        <EntityChip urn={actor} />
        <span className={css.none}>
          <RelativeTime ms={time} />
        </span>
      </p>
      <Link
        to="/e/$urn/history"
        params={{ urn }}
        search={{ ...without(search, 'vs'), aspect: aspectName, v: String(version) }}
        aria-current={isSelected ? 'true' : undefined}
        className={css.what}
      >
        {summarize(change)}
      </Link>
      <p className={css.none}>
        {toWords(aspectName)}, version {version}
      </p>
    </div>
  );
}
