import { Link } from '@tanstack/react-router';
import { Icon } from '../../../components/icon/icon';
import { useCall } from '../../../data/use-call';
import { count } from '../../../data/words';
import type { EntityModel, EntityView } from '../use-entity';
import css from './entity-header.module.css';

/** True for types that assertions are about. */
export function hasChecks({ aspects }: EntityModel): boolean {
  return aspects.some(({ name }) => name === 'datasetProfile');
}

/** How the assertions about an entity did at their last run. A good word needs a check that ran. */
export function Checks({ view: { urn, atMs } }: { readonly view: EntityView }) {
  const { data, error } = useCall(
    'GET /assertions/results',
    { ids: [urn] },
    { isWanted: atMs === undefined },
  );
  if (atMs !== undefined) return <span className={css.none}>Not known for this time</span>;
  if (error !== null) return <span className={css.none}>Cannot be read now</span>;
  if (data === undefined) return <span className={css.none}>…</span>;
  const { total, assertions } = data.results[urn] ?? { total: 0, assertions: [] };
  if (total === 0) return <span className={css.none}>None known</span>;
  const ended = (type: string): number => assertions.filter(({ lastRun }) => lastRun?.type === type).length;
  const passed = ended('SUCCESS');
  const broken = ended('FAILURE') + ended('ERROR');
  return (
    <Link to="/e/$urn/quality" params={{ urn }} className={broken > 0 ? css.bad : undefined}>
      {broken > 0 ? (
        <>
          <Icon name="circleX" /> {broken.toLocaleString('en')} of {count(total, 'check')} failed
        </>
      ) : passed === 0 ? (
        `${count(total, 'check')}, none has run`
      ) : (
        <span className={css.good}>
          <Icon name="circleCheck" /> {passed.toLocaleString('en')} of {count(total, 'check')} passed
        </span>
      )}
    </Link>
  );
}
