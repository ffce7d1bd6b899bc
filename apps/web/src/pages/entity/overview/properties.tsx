import { EntityLink } from '../../../components/entity/entity-link';
import { aspect, isObject, list } from '../../../data/entity-card';
import { useCard } from '../../../data/use-card';
import { PropertiesEditor } from '../edit/lazy-editors';
import { textsOf } from '../edit/property-values';
import { useEntityView } from '../entity-context';
import { Row } from './row';
import css from './overview-tab.module.css';

const MOST = 50;

/** The structured properties of the entity with their values. */
export function Properties() {
  const { entity } = useEntityView();
  const properties = list(aspect(entity, 'structuredProperties')?.properties).flatMap((each) =>
    isObject(each) && typeof each.propertyUrn === 'string'
      ? [{ urn: each.propertyUrn, texts: textsOf(each) }]
      : [],
  );
  return (
    <Row
      label="Properties"
      aspectName="structuredProperties"
      isEmpty={properties.length === 0}
      edit="Edit the properties"
      editor={(close) => <PropertiesEditor onClose={close} />}
    >
      {properties.slice(0, MOST).map(({ urn, texts }) => (
        <div key={urn}>
          <Name urn={urn} />: <bdi>{texts.join(', ').slice(0, 500)}</bdi>
        </div>
      ))}
    </Row>
  );
}

function Name({ urn }: { readonly urn: string }) {
  return (
    <EntityLink urn={urn} className={css.role}>
      <bdi>{useCard(urn).name}</bdi>
    </EntityLink>
  );
}
