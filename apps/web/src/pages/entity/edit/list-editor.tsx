import type { JsonValue } from '@stratalog/json';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { IconButton } from '../../../components/button/button';
import { useCard } from '../../../data/use-card';
import { isUrn } from '../../../data/urns';
import { useEntityView } from '../entity-context';
import { EditForm } from './edit-form';
import { elementsOf } from './entity-lists';
import { save, toPointer } from './save';
import css from './edit.module.css';

/** A list of an aspect, and how patches address its elements. */
export interface ListShape {
  readonly aspectName: string;
  /** The steps to the list. */
  readonly path: readonly string[];
  /** The steps in a patch that name an element; `undefined`: it has none, and stays as it is. */
  readonly stepsOf: (element: JsonValue) => readonly string[] | undefined;
  /** The members that name an element, where the catalog does not know them. */
  readonly keys?: readonly string[];
}

interface ListEditorProps {
  readonly shape: ListShape;
  readonly label: string;
  /** The urn, or else the words, that show an element. */
  readonly nameOf: (element: JsonValue) => string;
  readonly detailOf?: (element: JsonValue) => string | undefined;
  readonly isSingle?: boolean;
  /** An element that is filled in and not added yet: saving adds it. */
  readonly pending?: JsonValue | undefined;
  readonly adding: (put: (element: JsonValue) => void, elements: readonly JsonValue[]) => ReactNode;
  readonly onClose: () => void;
}

const MOST_SHOWN = 200;

/** Adds elements to a list and removes some, in one patch: what others add meanwhile stays. */
export function ListEditor(props: ListEditorProps) {
  const { shape, label, nameOf, detailOf, isSingle = false, pending, adding, onClose } = props;
  const { urn, entity } = useEntityView();
  const [before] = useState(() => byPath(shape, elementsOf(entity, shape)));
  const [elements, setElements] = useState(before);
  const put = (element: JsonValue): void =>
    setElements((now) => new Map([...(isSingle ? [] : now), ...byPath(shape, [element])]));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (wanted: ReadonlyMap<string, JsonValue>) =>
      save(
        { urn, aspectName: shape.aspectName },
        { changeType: 'PATCH', value: toPatch(shape, before, wanted) },
        { changeType: 'PATCH', value: toPatch(shape, wanted, before) },
      ),
    onSuccess: onClose,
  });
  const submit = (): void => {
    const wanted = new Map([...elements, ...(pending === undefined ? [] : byPath(shape, [pending]))]);
    if (isSame(before, wanted)) onClose();
    else mutate(wanted);
  };
  return (
    <EditForm label={label} isBusy={isPending} error={error} onSave={submit} onClose={onClose}>
      <ul className={css.elements}>
        {[...elements].slice(0, MOST_SHOWN).map(([path, element]) => (
          <Element
            key={path}
            name={nameOf(element)}
            detail={detailOf?.(element)}
            remove={() => setElements((now) => new Map([...now].filter(([each]) => each !== path)))}
          />
        ))}
      </ul>
      {adding(put, [...elements.values()])}
    </EditForm>
  );
}

interface ElementProps {
  readonly name: string;
  readonly detail: string | undefined;
  readonly remove: () => void;
}

function Element(props: ElementProps) {
  return isUrn(props.name) ? <EntityElement {...props} /> : <NamedElement {...props} />;
}

function EntityElement({ name, ...others }: ElementProps) {
  return <NamedElement {...others} name={useCard(name).name} />;
}

function NamedElement({ name, detail, remove }: ElementProps) {
  const shown = name.slice(0, 200);
  return (
    <li>
      <bdi className={css.grow}>{shown}</bdi>
      {detail !== undefined && <span className={css.note}>{detail}</span>}
      <IconButton icon="x" label={`Remove ${shown}`} onClick={remove} />
    </li>
  );
}

/** The elements by their pointers, which name them in patches. */
function byPath({ path, stepsOf }: ListShape, elements: readonly JsonValue[]): Map<string, JsonValue> {
  return new Map(
    elements.flatMap((element) => {
      const steps = stepsOf(element);
      return steps === undefined ? [] : [[toPointer([...path, ...steps]), element] as const];
    }),
  );
}

type Elements = ReadonlyMap<string, JsonValue>;

function isSame(before: Elements, after: Elements): boolean {
  return before.size === after.size && [...before].every(([path, element]) => after.get(path) === element);
}

function toPatch({ path: [field = ''], keys }: ListShape, before: Elements, after: Elements) {
  const removed = [...before.keys()].filter((path) => !after.has(path));
  const added = [...after].filter(([path, element]) => before.get(path) !== element);
  const patch = [
    ...removed.map((path) => ({ op: 'remove', path })),
    ...added.map(([path, value]) => ({ op: 'add', path, value })),
  ];
  return keys === undefined ? patch : { patch, arrayPrimaryKeys: { [field]: keys } };
}
