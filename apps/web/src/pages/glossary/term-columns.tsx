import { EntityLink } from '../../components/entity/entity-link';
import { Loaded } from '../../components/states/states';
import { aspect, isObject, list, members, type Entity } from '../../data/entity-card';
import { useCall } from '../../data/use-call';
import { useCard } from '../../data/use-card';
import { count } from '../../data/words';
import css from './glossary.module.css';

/** A call has its urns in its address, which servers and proxies bound. */
const MOST = 25;

/** The columns that have a term, by their tables. */
export function TermColumns({ urn }: { readonly urn: string }) {
  const found = useCall('POST /entities?action=searchAcrossEntities', {
    input: '*',
    start: 0,
    count: MOST,
    facets: [],
    filter: {
      or: ['fieldGlossaryTerms', 'editedFieldGlossaryTerms'].map((field) => ({
        and: [{ field, values: [urn], condition: 'EQUAL' as const }],
      })),
    },
  });
  const tables = found.data?.metadata.urns ?? [];
  const read = useCall(
    'GET /entitiesV2',
    { ids: tables, aspects: ['schemaMetadata', 'editableSchemaMetadata'] },
    { isWanted: tables.length > 0 },
  );
  if (found.data !== undefined && tables.length === 0) return null;
  return (
    <section>
      <h2>Columns</h2>
      <Loaded query={read} what="The columns">
        {({ results }) => (
          <ul>
            {tables.map((table) => (
              <Table key={table} urn={table} columns={columnsWith(results[table], urn)} />
            ))}
          </ul>
        )}
      </Loaded>
      {found.data !== undefined && found.data.numEntities > MOST && (
        <p className={css.none}>{count(found.data.numEntities - MOST, 'more table')}</p>
      )}
    </section>
  );
}

function Table({ urn, columns }: { readonly urn: string; readonly columns: readonly string[] }) {
  return (
    <li className={css.row}>
      <EntityLink urn={urn} className={css.link}>
        <bdi>{useCard(urn).name}</bdi>
      </EntityLink>
      <p className={css.columns}>
        {columns.map((column) => (
          <code key={column}>{column.slice(0, 200)}</code>
        ))}
      </p>
    </li>
  );
}

/** Connectors and people write terms of columns in aspects of their own. */
function columnsWith(entity: Entity | undefined, term: string): readonly string[] {
  if (entity === undefined) return [];
  const fields = [
    ...list(aspect(entity, 'schemaMetadata')?.fields),
    ...list(aspect(entity, 'editableSchemaMetadata')?.editableSchemaFieldInfo),
  ].filter(isObject);
  const having = fields.filter(({ glossaryTerms }) =>
    members(isObject(glossaryTerms) ? glossaryTerms.terms : undefined, 'urn').includes(term),
  );
  return [...new Set(having.flatMap(({ fieldPath }) => (typeof fieldPath === 'string' ? [fieldPath] : [])))];
}
