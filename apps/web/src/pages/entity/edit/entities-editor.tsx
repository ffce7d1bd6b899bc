import type { JsonValue } from '@stratalog/json';
import { EntityChips } from '../../../components/entity/entity-link';
import { UrnPicker } from '../../../components/search-box/urn-picker';
import { urnOf, type EntityList } from './entity-lists';
import { ListEditor, type ListShape } from './list-editor';
import css from './edit.module.css';

interface EntitiesEditorProps {
  readonly of: EntityList;
  /** What a connector wrote elsewhere: it is shown, and stays. */
  readonly kept?: readonly string[];
  readonly onClose: () => void;
}

/** Chooses tags, terms or a domain. */
export function EntitiesEditor({ of, kept = [], onClose }: EntitiesEditorProps) {
  const { aspectName, path, member, type, one, label, isSingle = false } = of;
  const nameOf = (element: JsonValue): string => urnOf(of, element);
  const shape: ListShape = {
    aspectName,
    path,
    stepsOf: (element) => (nameOf(element) === '' ? undefined : [nameOf(element)]),
  };
  return (
    <ListEditor
      shape={shape}
      label={label}
      nameOf={nameOf}
      isSingle={isSingle}
      onClose={onClose}
      adding={(put, elements) => (
        <>
          {kept.length > 0 && (
            <div className={css.note}>
              From a connector, which alone can remove it: <EntityChips urns={kept} />
            </div>
          )}
          <UrnPicker
            label={isSingle ? `Choose a ${one}` : `Add a ${one}`}
            types={[type]}
            leftOut={[...elements.map(nameOf), ...kept]}
            onChoose={(urn) => put(member === undefined ? urn : { [member]: urn })}
          />
        </>
      )}
    />
  );
}
