import { EntityLink } from '../../../components/entity/entity-link';
import { Icon } from '../../../components/icon/icon';
import { Plot } from '../../../components/plot/plot';
import { EmptyState, Loaded } from '../../../components/states/states';
import { RelativeTime } from '../../../components/text/relative-time';
import { isObject } from '../../../data/entity-card';
import { fullTime, toMs } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { enumInWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import { useTimeseries } from '../use-timeseries';
import css from '../parts.module.css';

const RUNS = 30;

/** The checks of an entity with their last runs, and how its data grew. An assertion shows its own runs. */
export function QualityTab() {
  const { urn, model, atMs } = useEntityView();
  const isAssertion = model.name === 'assertion';
  const asserted = useCall(
    'GET /relationships',
    { urn, direction: 'INCOMING', types: ['Asserts'], count: 100 },
    { isWanted: !isAssertion },
  );
  if (atMs !== undefined) return <EmptyState title="Not known for this time" />;
  if (isAssertion) return <Assertion urn={urn} />;
  return (
    <div className={css.parts}>
      <section>
        <h2>Checks</h2>
        <Loaded query={asserted} what="The checks">
          {({ relationships }) =>
            relationships.length === 0 ? (
              <EmptyState title="No checks are known">
                An assertion about this entity would stand here with its runs.
              </EmptyState>
            ) : (
              <div>
                {[...new Set(relationships.map(({ entity }) => entity))].map((each) => (
                  <Assertion key={each} urn={each} />
                ))}
              </div>
            )
          }
        </Loaded>
      </section>
      {model.aspects.some(({ name }) => name === 'datasetProfile') && <Profiles />}
    </div>
  );
}

function Assertion({ urn }: { readonly urn: string }) {
  const { name, description } = useCard(urn);
  const { values } = useTimeseries({ urn, type: 'assertion', aspect: 'assertionRunEvent', limit: RUNS });
  const runs = (values ?? []).map(({ timestampMillis, result }) => ({
    ms: toMs(timestampMillis) ?? 0,
    type: isObject(result) && typeof result.type === 'string' ? result.type : 'unknown',
  }));
  const [last] = runs;
  return (
    <div className={css.row}>
      <p className={css.name}>
        <EntityLink urn={urn}>
          <bdi>{description === undefined ? name : description.slice(0, 200)}</bdi>
        </EntityLink>
      </p>
      <p className={css.state}>
        {last === undefined ? (
          <span className={css.none}>Has not run yet</span>
        ) : (
          <>
            <Result type={last.type} />
            {inWords(last.type)} <RelativeTime ms={last.ms} />
          </>
        )}
      </p>
      <ol className={css.runs} aria-label={`The last ${String(runs.length)} runs, the oldest first`}>
        {runs.toReversed().map(({ ms, type }) => (
          <li key={ms} title={`${inWords(type)}: ${fullTime(ms)}`}>
            <Result type={type} />
            <span className="visually-hidden">{inWords(type)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function inWords(type: string): string {
  if (type === 'SUCCESS') return 'Passed';
  return type === 'FAILURE' ? 'Failed' : enumInWords(type);
}

function Result({ type }: { readonly type: string }) {
  const look = type === 'SUCCESS' ? css.good : type === 'FAILURE' ? css.bad : '';
  return (
    <span className={`${css.run ?? ''} ${look ?? ''}`}>
      <Icon
        name={type === 'SUCCESS' ? 'circleCheck' : type === 'FAILURE' ? 'circleX' : 'circleAlert'}
        size={16}
      />
    </span>
  );
}

function Profiles() {
  const { urn } = useEntityView();
  const { values = [] } = useTimeseries({ urn, type: 'dataset', aspect: 'datasetProfile', limit: RUNS });
  const points = values
    .flatMap(({ timestampMillis, rowCount }) => {
      const [ms, value] = [toMs(timestampMillis), toMs(rowCount)];
      return ms === undefined || value === undefined ? [] : [{ ms, value }];
    })
    .toReversed();
  return (
    <section>
      <h2>Rows</h2>
      {points.length === 0 ? (
        <p className={css.none}>No profile is known</p>
      ) : (
        <Plot label="Rows by profile" unit="rows" points={points} />
      )}
    </section>
  );
}
