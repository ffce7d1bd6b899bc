import { EntityLink } from '../../../components/entity/entity-link';
import { aspect, list } from '../../../data/entity-card';
import { useCall } from '../../../data/use-call';
import { count, enumInWords } from '../../../data/words';
import type { EntityView } from '../use-entity';
import css from './entity-header.module.css';

const PROMISES = ['schema', 'freshness', 'dataQuality'] as const;

/** What the producer of an entity promises, and whether the contract is in force. */
export function Contract({ view: { urn, atMs } }: { readonly view: EntityView }) {
  const isWanted = atMs === undefined;
  const found = useCall(
    'GET /relationships',
    { urn, direction: 'INCOMING', types: ['ContractFor'], count: 1 },
    { isWanted },
  );
  const contract = found.data?.relationships[0]?.entity;
  const read = useCall(
    'GET /entitiesV2/:urn',
    { urn: contract ?? '', aspects: ['dataContractProperties', 'dataContractStatus'] },
    { isWanted: isWanted && contract !== undefined },
  );
  if (!isWanted) return <span className={css.none}>Not known for this time</span>;
  if (found.error !== null || read.error !== null)
    return <span className={css.none}>Cannot be read now</span>;
  if (found.data === undefined) return <span className={css.none}>…</span>;
  if (contract === undefined) return <span className={css.none}>None known</span>;
  if (read.data === undefined) return <span className={css.none}>…</span>;
  const properties = aspect(read.data, 'dataContractProperties');
  const promises = PROMISES.reduce((sum, name) => sum + list(properties?.[name]).length, 0);
  const state = aspect(read.data, 'dataContractStatus')?.state;
  return (
    <EntityLink urn={contract}>
      {count(promises, 'promise')}
      {typeof state === 'string' && `, ${enumInWords(state)}`}
    </EntityLink>
  );
}
