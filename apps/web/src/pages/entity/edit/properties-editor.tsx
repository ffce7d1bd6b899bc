import type { JsonObject, JsonValue } from '@stratalog/json';
import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { UrnPicker } from '../../../components/search-box/urn-picker';
import { aspect, isObject, list } from '../../../data/entity-card';
import { useCall } from '../../../data/use-call';
import { useCard } from '../../../data/use-card';
import { Field } from './edit-form';
import { ListEditor, type ListShape } from './list-editor';
import { textsOf, toValues } from './property-values';
import css from './edit.module.css';

const SHAPE: ListShape = {
  aspectName: 'structuredProperties',
  path: ['properties'],
  stepsOf: (element) => (nameOf(element) === '' ? undefined : [nameOf(element)]),
};

/** Gives structured properties values, and takes them away. */
export function PropertiesEditor({ onClose }: { readonly onClose: () => void }) {
  const [property, setProperty] = useState<string>();
  const [text, setText] = useState('');
  const definition = useDefinition(property);
  const texts = text.split('\n').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  const isNumber = typeof definition?.valueType === 'string' && /\bnumber$/.test(definition.valueType);
  const pending: JsonObject | undefined =
    property === undefined || definition === undefined || texts.length === 0
      ? undefined
      : { propertyUrn: property, values: [...toValues(texts, isNumber)] };
  return (
    <ListEditor
      shape={SHAPE}
      label="Edit the properties"
      nameOf={nameOf}
      detailOf={(element) => (isObject(element) ? textsOf(element).join(', ').slice(0, 200) : undefined)}
      pending={pending}
      onClose={onClose}
      adding={(put) => (
        <>
          <UrnPicker
            label="Choose a property"
            types={['structuredProperty']}
            leftOut={[]}
            onChoose={(urn) => {
              setProperty(urn);
              setText('');
            }}
          />
          {property !== undefined && definition !== undefined && (
            <>
              <Values property={property} definition={definition} text={text} onChange={setText} />
              <Button
                icon="plus"
                disabled={pending === undefined}
                onClick={() => {
                  if (pending !== undefined) put(pending);
                  setProperty(undefined);
                }}
              >
                Add the value
              </Button>
            </>
          )}
        </>
      )}
    />
  );
}

interface ValuesProps {
  readonly property: string;
  readonly definition: JsonObject;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A field for the values; the catalog checks them. */
function Values({ property, definition, text, onChange }: ValuesProps) {
  const { name } = useCard(property);
  const allowed = list(definition.allowedValues).flatMap((each) =>
    isObject(each) ? textsOf({ values: [each.value ?? null] }) : [],
  );
  const isMultiple = definition.cardinality === 'MULTIPLE';
  return (
    <>
      <Field label={isMultiple ? `${name}, one value in each line` : name}>
        {isMultiple ? (
          <textarea rows={3} value={text} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <input value={text} onChange={({ target }) => onChange(target.value)} />
        )}
      </Field>
      {allowed.length > 0 && <p className={css.note}>Allowed: {allowed.slice(0, 50).join(', ')}</p>}
    </>
  );
}

function useDefinition(property: string | undefined): JsonObject | undefined {
  const { data } = useCall(
    'GET /entitiesV2/:urn',
    { urn: property ?? '', aspects: ['propertyDefinition'] },
    { isWanted: property !== undefined },
  );
  return data === undefined ? undefined : aspect(data, 'propertyDefinition');
}

function nameOf(element: JsonValue): string {
  return isObject(element) && typeof element.propertyUrn === 'string' ? element.propertyUrn : '';
}
