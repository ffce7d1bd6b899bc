import type { JsonValue } from '@stratalog/json';
import { useState } from 'react';
import { UrnPicker } from '../../../components/search-box/urn-picker';
import { isObject } from '../../../data/entity-card';
import { useCall } from '../../../data/use-call';
import { useCards } from '../../../data/use-card';
import { isUrn, nameFromUrn } from '../../../data/urns';
import { enumInWords, toWords } from '../../../data/words';
import { useEntityView } from '../entity-context';
import { Field } from './edit-form';
import { ListEditor, type ListShape } from './list-editor';

/** The roles of the model that are no earlier names of others; further ones are entities. */
const ROLES = ['TECHNICAL_OWNER', 'BUSINESS_OWNER', 'DATA_STEWARD', 'NONE'];
const MOST_ROLES = 50;

const SHAPE: ListShape = {
  aspectName: 'ownership',
  path: ['owners'],
  stepsOf: (element) => {
    const { owner, type, typeUrn } = isObject(element) ? element : {};
    if (typeof owner !== 'string' || typeof type !== 'string') return undefined;
    return typeof typeUrn === 'string' ? [owner, type, typeUrn] : [owner, type];
  },
};

/** Chooses who is responsible, and for what. */
export function OwnersEditor({ onClose }: { readonly onClose: () => void }) {
  const { relationships } = useEntityView().model;
  const typesAt = (path: string): readonly string[] =>
    relationships.find((each) => each.aspect === 'ownership' && each.path === path)?.entityTypes ?? [];
  const [role, setRole] = useState(ROLES[0] ?? '');
  const roleTypes = typesAt('/owners/*/typeUrn');
  const { data } = useCall(
    'POST /entities?action=searchAcrossEntities',
    { entities: [...roleTypes], input: '*', start: 0, count: MOST_ROLES },
    { isWanted: roleTypes.length > 0 },
  );
  const own = useCards((data?.entities ?? []).map((each) => (typeof each === 'string' ? each : each.entity)));
  const add = (owner: string): JsonValue =>
    isUrn(role) ? { owner, type: 'CUSTOM', typeUrn: role } : { owner, type: role };
  return (
    <ListEditor
      shape={SHAPE}
      label="Edit the owners"
      nameOf={ownerOf}
      detailOf={roleOf}
      onClose={onClose}
      adding={(put, elements) => (
        <>
          <Field label="Role">
            <select value={role} onChange={({ target }) => setRole(target.value)}>
              {ROLES.map((each) => (
                <option key={each} value={each}>
                  {each === 'NONE' ? 'No particular role' : toWords(each.toLowerCase())}
                </option>
              ))}
              {own.map(({ urn, name }) => (
                <option key={urn} value={urn}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <UrnPicker
            label="Add an owner"
            types={typesAt('/owners/*/owner')}
            leftOut={elements.filter((each) => isSameRole(each, role)).map(ownerOf)}
            onChoose={(urn) => put(add(urn))}
          />
        </>
      )}
    />
  );
}

function ownerOf(element: JsonValue): string {
  return isObject(element) && typeof element.owner === 'string' ? element.owner : '';
}

function roleOf(element: JsonValue): string | undefined {
  const { type, typeUrn } = isObject(element) ? element : {};
  if (type === 'CUSTOM' && isUrn(typeUrn)) return nameFromUrn(typeUrn);
  return typeof type === 'string' ? enumInWords(type).replace(/ owner$/, '') : undefined;
}

function isSameRole(element: JsonValue, role: string): boolean {
  return isObject(element) && (element.typeUrn ?? element.type) === role;
}
