import { Link } from '@tanstack/react-router';
import { without } from '../../app/search-parameters';
import { EmptyState } from '../../components/states/states';
import { useCall } from '../../data/use-call';
import { count } from '../../data/words';
import { toFilter, type Chosen, type SearchAnswer } from './facets';
import { ValueName } from './facet-list';
import css from './search-page.module.css';

interface NothingFoundProps {
  readonly answer: SearchAnswer;
  readonly search: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly chosen: readonly Chosen[];
}

/** The next steps when a search finds nothing: other spellings, fewer choices, the language of queries. */
export function NothingFound({ answer, search, chosen }: NothingFoundProps) {
  const { suggestions } = answer.metadata;
  return (
    <EmptyState title="Nothing found">
      {suggestions.length > 0 && (
        <ul className={css.steps}>
          {suggestions.slice(0, 5).map(({ text, frequency }) => (
            <li key={text}>
              <Link to="/search" search={{ ...search, q: text }}>
                <bdi>{text}</bdi>
              </Link>
              , {count(frequency, 'result')}
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <ul className={css.steps}>
          {chosen.map((each) => (
            <Without key={each.parameter} facet={each} chosen={chosen} search={search} />
          ))}
        </ul>
      )}
      <p>
        <code>"two words"</code> is a phrase, <code>ord*</code> the beginning of a word, <code>tags:pii</code>{' '}
        searches one field, <code>-draft</code> excludes, and <code>OR</code> and parentheses combine.
      </p>
      <Link to="/search" search={{}}>
        Show everything
      </Link>
    </EmptyState>
  );
}

interface WithoutProps extends Omit<NothingFoundProps, 'answer'> {
  readonly facet: Chosen;
}

/** One choice less, with what would be found then. */
function Without({ facet, chosen, search }: WithoutProps) {
  const q = typeof search.q === 'string' ? search.q : '*';
  const { data } = useCall('POST /entities?action=searchAcrossEntities', {
    input: q,
    start: 0,
    count: 0,
    facets: [],
    filter: toFilter(chosen, facet.field),
  });
  return (
    <li>
      <Link to="/search" search={without(search, facet.parameter)}>
        Without {facet.title}{' '}
        {facet.values.map((value) => (
          <ValueName key={value} value={value} />
        ))}
      </Link>
      {data !== undefined && `, ${count(data.numEntities, 'result')}`}
    </li>
  );
}
