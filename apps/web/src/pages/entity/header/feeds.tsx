import { Link } from '@tanstack/react-router';
import { keepAt } from '../../../app/keep-at';
import { isBeforeHistory } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import { count } from '../../../data/words';
import type { EntityModel, EntityView } from '../use-entity';
import css from './entity-header.module.css';

/** True for types that lineage can lead to or from. */
export function hasLineage({ relationships, name }: EntityModel): boolean {
  return (
    relationships.some(({ isLineage }) => isLineage === true) || name === 'chart' || name === 'dashboard'
  );
}

/** How many entities are made from this one, over any number of steps. */
export function Feeds({ view: { urn, atMs } }: { readonly view: EntityView }) {
  const { data, error } = useCall('POST /relationships?action=getLineage', {
    urn,
    direction: 'DOWNSTREAM',
    maxHops: 10,
    count: 0,
    ...(atMs === undefined ? {} : { asOf: atMs }),
  });
  if (isBeforeHistory(error, atMs)) return <span className={css.none}>Not known for this time</span>;
  if (error !== null) return <span className={css.none}>Cannot be read now</span>;
  if (data === undefined) return <span className={css.none}>…</span>;
  return data.total === 0 ? (
    <span className={css.none}>Nothing known</span>
  ) : (
    <Link to="/lineage/$urn" params={{ urn }} search={(search) => ({ ...keepAt(search), dir: 'down' })}>
      {count(data.total, 'entity', 'entities')}
    </Link>
  );
}
