import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { without } from '../../app/search-parameters';
import { Button } from '../../components/button/button';
import { Icon } from '../../components/icon/icon';
import { Dialog } from '../../components/overlay/dialog';
import { Menu } from '../../components/overlay/menu';
import { Banner, Loaded, Skeleton } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { count } from '../../data/words';
import { FacetList, ValueName } from './facet-list';
import { NothingFound } from './nothing-found';
import { ResultRow } from './result-row';
import type { SearchAnswer } from './facets';
import type { SearchOfAddress } from './search-route';
import { useResultKeys } from './use-result-keys';
import { PAGE_SIZE, SORTS, readPage, readSort, useSearch, type SortName } from './use-search';
import css from './search-page.module.css';

const route = getRouteApi('/search');

export function SearchPage() {
  const search = route.useSearch();
  const { found, chosen, facets } = useSearch(search);
  const [isNarrowing, setNarrowing] = useState(false);
  const navigate = useNavigate();
  const q = search.q ?? '*';
  const choose = (parameter: string, values: readonly string[]): void => {
    const others = without(search, 'page', parameter);
    void navigate({
      to: '/search',
      search: { ...others, ...(values.length === 0 ? {} : { [parameter]: values }) },
    });
  };
  const lists = facets.map(({ parameter, title, counted }) => (
    <FacetList
      key={parameter}
      title={title}
      counted={counted}
      chosen={chosen.find((each) => each.parameter === parameter)?.values ?? []}
      onChange={(values) => choose(parameter, values)}
    />
  ));
  const chosenCount = chosen.reduce((sum, { values }) => sum + values.length, 0);
  const canNarrow = chosenCount > 0 || facets.some(({ counted }) => counted.length > 0);
  return (
    <div className={css.page}>
      <PageTitle title={search.q === undefined ? 'Search' : `${search.q}: search`} isHidden />
      <aside className={css.facets} aria-label="Narrow down">
        {canNarrow && (
          <div className={css.facetHead}>
            <h2>Narrow down</h2>
            {chosenCount > 0 && (
              <Link to="/search" search={search.q === undefined ? {} : { q: search.q }}>
                Clear
              </Link>
            )}
          </div>
        )}
        {lists}
      </aside>
      <section className={css.results} aria-label="Results">
        <div className={css.bar}>
          {canNarrow && (
            <span className={css.narrow}>
              <Button icon="slidersHorizontal" onClick={() => setNarrowing(true)}>
                Narrow down {chosenCount > 0 && <span className={css.badge}>{chosenCount}</span>}
              </Button>
            </span>
          )}
          <p role="status" className={css.total}>
            {found.data !== undefined && <Total answer={found.data} q={search.q} />}
          </p>
          {chosen.flatMap(({ parameter, title, values }) =>
            values.map((value) => (
              <button
                key={`${parameter} ${value}`}
                type="button"
                className={css.chip}
                title="Remove this choice"
                onClick={() =>
                  choose(
                    parameter,
                    values.filter((each) => each !== value),
                  )
                }
              >
                {title}: <ValueName value={value} />
                <Icon name="x" size={14} />
              </button>
            )),
          )}
          <SortMenu
            sort={readSort(search.sort)}
            onChange={(sort) =>
              void navigate({
                to: '/search',
                search: { ...search, sort: sort === 'best' ? undefined : sort },
              })
            }
          />
        </div>
        <Loaded query={found} what="The results" skeleton={<Skeleton lines={8} />}>
          {(answer) => (
            <>
              <Relaxed answer={answer} q={q} />
              {answer.metadata.urns.length === 0 ? (
                <NothingFound answer={answer} search={search} chosen={chosen} />
              ) : (
                <Results answer={answer} q={q} />
              )}
              <Pages answer={answer} page={readPage(search.page)} search={search} />
            </>
          )}
        </Loaded>
      </section>
      {isNarrowing && (
        <Dialog label="Narrow down" kind="sheet" onClose={() => setNarrowing(false)}>
          <div className={css.sheet}>
            {lists}
            <Button kind="primary" onClick={() => setNarrowing(false)}>
              Show {count(found.data?.numEntities ?? 0, 'result')}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function Total({ answer, q }: { readonly answer: SearchAnswer; readonly q: string | undefined }) {
  return (
    <>
      <strong>{answer.numEntities.toLocaleString('en')}</strong>{' '}
      {answer.numEntities === 1 ? 'result' : 'results'}
      {q !== undefined && (
        <>
          {' for '}
          <strong>
            <bdi>{q.slice(0, 100)}</bdi>
          </strong>
        </>
      )}
    </>
  );
}

/** Says that the catalog answers another question than the one that was asked. */
function Relaxed({ answer, q }: { readonly answer: SearchAnswer; readonly q: string }) {
  const { fallback, suggestions } = answer.metadata;
  const [better] = suggestions;
  if (fallback === 'someWords')
    return <Banner kind="info">Nothing has all of these words. These have some of them.</Banner>;
  if (fallback !== 'similarWords') return null;
  return (
    <Banner kind="info">
      {better === undefined ? 'Showing results for similar words' : <>Showing results for </>}
      {better !== undefined && <strong>{better.text}</strong>}. Nothing has exactly “
      <bdi>{q.slice(0, 200)}</bdi>”.
    </Banner>
  );
}

function Results({ answer, q }: { readonly answer: SearchAnswer; readonly q: string }) {
  const list = useRef<HTMLUListElement>(null);
  useResultKeys(list, answer.metadata.urns);
  return (
    <ul ref={list} className={css.list}>
      {answer.metadata.urns.map((urn, at) => (
        <ResultRow
          key={urn}
          urn={urn}
          found={answer.metadata.cards?.[at]}
          query={q}
          matched={answer.metadata.matches[at]?.matchedFields ?? []}
        />
      ))}
    </ul>
  );
}

function SortMenu({
  sort,
  onChange,
}: {
  readonly sort: SortName;
  readonly onChange: (sort: SortName) => void;
}) {
  return (
    <Menu
      label={`Order of the results: ${SORTS[sort].label}`}
      triggerClass={css.sort}
      trigger={
        <>
          {SORTS[sort].label} <Icon name="chevronDown" size={14} />
        </>
      }
      groups={[
        {
          items: (Object.keys(SORTS) as SortName[]).map((name) => ({
            label: SORTS[name].label,
            isChosen: name === sort,
            run: () => onChange(name),
          })),
        },
      ]}
    />
  );
}

interface PagesProps {
  readonly answer: SearchAnswer;
  readonly page: number;
  readonly search: SearchOfAddress;
}

function Pages({ answer, page, search }: PagesProps) {
  const last = Math.ceil(answer.numEntities / PAGE_SIZE);
  if (last <= 1) return null;
  return (
    <nav className={css.pages} aria-label="Pages of results">
      {page > 1 && (
        <Link to="/search" search={{ ...search, page: page === 2 ? undefined : String(page - 1) }}>
          Previous
        </Link>
      )}
      <span>
        Page {page} of {last.toLocaleString('en')}
      </span>
      {page < last && (
        <Link to="/search" search={{ ...search, page: String(page + 1) }}>
          Next
        </Link>
      )}
    </nav>
  );
}
