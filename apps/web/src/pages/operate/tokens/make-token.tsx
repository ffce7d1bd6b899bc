import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Dialog } from '../../../components/overlay/dialog';
import { DeedFault, isForbidden } from '../../../components/states/deed-fault';
import { useDeed } from '../../../data/use-deed';
import { Field } from '../operate-parts';
import css from '../operate.module.css';

const SCOPES = {
  read: 'Find and read entities, their history and lineage.',
  write: 'Add and change aspects, and delete single entities softly.',
  operate: 'Rebuild, restore, truncate, delete and roll back, and follow tasks.',
  admin: 'Make and revoke tokens, and read the audit records.',
} as const;
type Scope = keyof typeof SCOPES;
const NAMES = Object.keys(SCOPES) as Scope[];

const DAY_SECONDS = 86_400;
const EXPIRIES = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['', 'Never'],
] as const;

interface MakeTokenProps {
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

export function MakeToken({ onMade, onClose }: MakeTokenProps) {
  const make = useDeed('POST /operations?action=createToken', ['GET /operations/tokens']);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [actor, setActor] = useState('');
  const [types, setTypes] = useState('');
  const [days, setDays] = useState('90');
  const submit = (): void =>
    make.mutate(
      {
        name: name.trim(),
        scopes: [...scopes],
        ...(actor.trim() === '' ? {} : { actor: actor.trim() }),
        entityTypes: types.split(/[\s,]+/).filter((each) => each !== ''),
        ...(days === '' ? {} : { expiresInSeconds: Number(days) * DAY_SECONDS }),
      },
      { onSuccess: ({ answer }) => onMade(answer.token) },
    );
  return (
    <Dialog label="Make a token" onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2>Make a token</h2>
        <Field label="Name" hint="What it is for: “nightly dbt run”.">
          <input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <fieldset className={css.group}>
          <legend>Scopes; none includes another</legend>
          {NAMES.map((each) => (
            <label key={each} className={css.choice}>
              <input
                type="checkbox"
                checked={scopes.includes(each)}
                onChange={({ target }) =>
                  setScopes(NAMES.filter((one) => (one === each ? target.checked : scopes.includes(one))))
                }
              />
              <span>
                <strong>{each}</strong> <span className={css.note}>{SCOPES[each]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field label="Acts as" hint="The urn of a user; empty: you.">
          <input
            value={actor}
            onChange={({ target }) => setActor(target.value)}
            placeholder="urn:li:corpuser:"
          />
        </Field>
        <Field label="Only for these entity types" hint="Such as: dataset, chart. Empty: all.">
          <input value={types} onChange={({ target }) => setTypes(target.value)} />
        </Field>
        <Field label="Expires">
          <select value={days} onChange={({ target }) => setDays(target.value)}>
            {EXPIRIES.map(([value, text]) => (
              <option key={text} value={value}>
                {text}
              </option>
            ))}
          </select>
        </Field>
        <DeedFault error={make.error} />
        <div className={css.row}>
          <Button
            type="submit"
            kind="primary"
            isBusy={make.isPending}
            disabled={scopes.length === 0 || isForbidden(make.error)}
          >
            Make the token
          </Button>
          <Button onClick={onClose}>Keep as it is</Button>
        </div>
      </form>
    </Dialog>
  );
}
