import type { JsonObject } from '@stratalog/json';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toMs } from '../../../data/times';
import { useEntityView } from '../entity-context';
import { ConflictView } from './conflict-view';
import { EditForm, Field } from './edit-form';
import { readAgain, save, toStored, without, writeBack, type Stored } from './save';
import { useRights } from './use-rights';
import css from './edit.module.css';

const ASPECT = 'deprecation';

interface Draft {
  readonly isDeprecated: boolean;
  readonly note: string;
  /** The day as the field has it; empty: none. */
  readonly day: string;
}

/** Says that an entity should no longer be used, why, and until when it works. */
export function DeprecationEditor({ onClose }: { readonly onClose: () => void }) {
  const view = useEntityView();
  const { urn, entity } = view;
  const { actor = 'urn:li:corpuser:unknown' } = useRights(view);
  const [base, setBase] = useState<Stored>(() => toStored(entity.aspects[ASPECT]));
  const [draft, setDraft] = useState(() => toDraft(base));
  const [theirs, setTheirs] = useState<Stored>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (on: Stored) =>
      save(
        { urn, aspectName: ASPECT },
        { changeType: 'UPSERT', value: toValue(draft, { on, actor }), version: on.version },
        writeBack(on, { deprecated: false, note: '', actor }),
      ),
    onSuccess: (outcome) => {
      if (outcome.kind === 'conflict') setTheirs(outcome.theirs);
      else onClose();
    },
  });
  if (theirs !== undefined) {
    return (
      <ConflictView
        mine={inWords(draft)}
        theirs={theirs}
        theirText={inWords(toDraft(theirs))}
        isBusy={isPending}
        error={error}
        onKeep={() => mutate(theirs)}
        onTake={() => void readAgain().then(onClose)}
        onEdit={() => {
          setBase(theirs);
          setTheirs(undefined);
        }}
      />
    );
  }
  return (
    <EditForm
      label="Edit the deprecation"
      isBusy={isPending}
      error={error}
      onSave={() => (inWords(draft) === inWords(toDraft(base)) ? onClose() : mutate(base))}
      onClose={onClose}
    >
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={draft.isDeprecated}
          onChange={({ target }) => setDraft({ ...draft, isDeprecated: target.checked })}
        />
        Deprecated: nobody should begin to use it
      </label>
      <Field label="Why, and what to use instead">
        <textarea
          rows={4}
          value={draft.note}
          onChange={({ target }) => setDraft({ ...draft, note: target.value })}
        />
      </Field>
      <Field label="Decommissioned on">
        <input
          type="date"
          value={draft.day}
          onChange={({ target }) => setDraft({ ...draft, day: target.value })}
        />
      </Field>
    </EditForm>
  );
}

function toDraft({ value }: Stored): Draft {
  const ms = toMs(value?.decommissionTime);
  return {
    isDeprecated: value?.deprecated === true,
    note: typeof value?.note === 'string' ? value.note : '',
    day: ms === undefined ? '' : new Date(ms).toISOString().slice(0, 10),
  };
}

function inWords({ isDeprecated, note, day }: Draft): string {
  const end = day === '' ? [] : [`Decommissioned on ${day}`];
  return [isDeprecated ? 'Deprecated' : 'Not deprecated', ...end, note].join('\n');
}

interface Saving {
  readonly on: Stored;
  readonly actor: string;
}

/** The other members, such as the replacement, stay. */
function toValue({ isDeprecated, note, day }: Draft, { on: { value }, actor }: Saving): JsonObject {
  return {
    ...without(value, 'decommissionTime'),
    deprecated: isDeprecated,
    note,
    actor,
    ...(day === '' ? {} : { decommissionTime: Date.parse(day) }),
  };
}
