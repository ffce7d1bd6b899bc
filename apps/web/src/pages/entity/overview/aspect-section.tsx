import type { JsonObject } from '@stratalog/json';
import { FieldsView } from '../../../components/value/value-view';
import { useCall } from '../../../data/use-call';
import { toWords } from '../../../data/words';
import css from './overview-tab.module.css';

interface AspectSectionProps {
  readonly name: string;
  readonly value: JsonObject;
}

/** Any aspect by its fields, with what the model says about them. */
export function AspectSection({ name, value }: AspectSectionProps) {
  const { data } = useCall('GET /models/aspects/:name', { name }, { isLasting: true });
  const fields = data !== undefined && 'fields' in data ? data.fields : [];
  const docs = Object.fromEntries(fields.map((field) => [field.name, field.doc]));
  return (
    <section className={css.section}>
      <h2 title={data !== undefined && 'doc' in data ? data.doc : undefined}>{toWords(name)}</h2>
      {Object.keys(value).length === 0 ? (
        <p className={css.role}>Empty</p>
      ) : (
        <FieldsView value={value} docs={docs} />
      )}
    </section>
  );
}
