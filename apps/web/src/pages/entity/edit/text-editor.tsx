import type { JsonObject } from '@stratalog/json';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Segmented } from '../../../components/button/segmented';
import { Markdown } from '../../../components/markdown/markdown';
import { isObject, list } from '../../../data/entity-card';
import { useEntityView } from '../entity-context';
import { ConflictView } from './conflict-view';
import { EditForm } from './edit-form';
import { OF_COLUMNS } from './entity-lists';
import {
  readAgain,
  save,
  toPointer,
  toStored,
  without,
  writeBack,
  type Outcome,
  type Stored,
  type Write,
} from './save';
import { useRights } from './use-rights';
import type { TextPlace } from './use-text-place';
import css from './edit.module.css';

interface TextEditorProps {
  readonly place: TextPlace;
  /** What the page shows now, if only from a connector: people begin with it. */
  readonly shown: string | undefined;
  readonly onClose: () => void;
}

const MODES = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
] as const;

/** Writes the description, and nothing over the text of somebody else. */
export function TextEditor({ place, shown = '', onClose }: TextEditorProps) {
  const view = useEntityView();
  const { urn, entity } = view;
  const { aspectName, field } = place;
  const { actor } = useRights(view);
  const [read] = useState<Stored>(() => toStored(entity.aspects[aspectName]));
  const [before] = useState(() => textOf(read, place) ?? shown);
  const [text, setText] = useState(before);
  const [mode, setMode] = useState<'write' | 'preview'>('write');
  const [theirs, setTheirs] = useState<Stored>();
  const [isEdited, setEdited] = useState(false);
  const write = async (base: Stored): Promise<Outcome> => {
    const written = { place, text, actor };
    const outcome = await save({ urn, aspectName }, toWrite(base, written), toUndo(base, written));
    // Another part of the aspect was written, and this text has not changed.
    const isSame = outcome.kind === 'conflict' && textOf(outcome.theirs, place) === textOf(base, place);
    return isSame ? write(outcome.theirs) : outcome;
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: write,
    onSuccess: (outcome) => {
      if (outcome.kind === 'conflict') setTheirs(outcome.theirs);
      else onClose();
    },
  });
  if (theirs !== undefined) {
    return (
      <ConflictView
        mine={text}
        onChange={isEdited ? setText : undefined}
        theirs={theirs}
        theirText={textOf(theirs, place) ?? ''}
        isBusy={isPending}
        error={error}
        onKeep={() => mutate(theirs)}
        onTake={() => void readAgain().then(onClose)}
        onEdit={isEdited ? undefined : () => setEdited(true)}
      />
    );
  }
  return (
    <EditForm
      label={`Edit the ${field}`}
      isBusy={isPending}
      error={error}
      onSave={() => (text === before ? onClose() : mutate(read))}
      onClose={onClose}
    >
      <Segmented label="Write or preview" value={mode} options={MODES} onChange={setMode} />
      {mode === 'write' ? (
        <textarea
          aria-label={field === 'definition' ? 'Definition' : 'Description'}
          rows={10}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      ) : (
        <div className={css.preview}>
          <Markdown text={text} />
        </div>
      )}
    </EditForm>
  );
}

function textOf({ value }: Stored, { field, column }: TextPlace): string | undefined {
  const record =
    column === undefined
      ? value
      : list(value?.[OF_COLUMNS.field]).find(
          (each): each is JsonObject => isObject(each) && each.fieldPath === column,
        );
  const text = record?.[field];
  return typeof text === 'string' ? text : undefined;
}

interface Written {
  readonly place: TextPlace;
  readonly text: string;
  readonly actor: string | undefined;
}

/** The whole aspect of an entity; of the columns, which may be many, one alone. */
function toWrite({ value, version }: Stored, written: Written): Write {
  const { place, text } = written;
  return place.column === undefined
    ? { changeType: 'UPSERT', value: withText(value, written), version }
    : { changeType: 'PATCH', value: [toOperation(place, text)], version };
}

function toUndo(base: Stored, { place, actor }: Written): Write {
  return place.column === undefined
    ? writeBack(base, withText(undefined, { place, text: '', actor }))
    : { changeType: 'PATCH', value: [toOperation(place, textOf(base, place) ?? '')] };
}

function toOperation({ field, column = '' }: TextPlace, text: string) {
  const path = toPointer([OF_COLUMNS.field, column, field]);
  return text === '' ? { op: 'remove', path } : { op: 'add', path, value: text };
}

/** The other members stay. An empty text is left out, so that the text of a connector shows again. */
function withText(value: JsonObject | undefined, { place, text, actor }: Written): JsonObject {
  const { field, isRequired, hasStamp } = place;
  return {
    ...without(value, field),
    ...(text === '' && !isRequired ? {} : { [field]: text }),
    ...(hasStamp && actor !== undefined ? { lastModified: { time: Date.now(), actor } } : {}),
  };
}
