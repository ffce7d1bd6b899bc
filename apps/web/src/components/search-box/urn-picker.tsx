import { useId, useState, type KeyboardEvent } from 'react';
import type { EntityCard } from '../../data/entity-card';
import { useCards } from '../../data/use-card';
import { Icon } from '../icon/icon';
import { Options } from './options';
import type { SearchOption } from './use-options';
import { useSuggestions } from './use-suggestions';
import css from './search-box.module.css';

interface UrnPickerProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The entity types to choose from. */
  readonly types: readonly string[];
  /** Offered first, those whose name has the text. */
  readonly near?: readonly string[];
  /** They are chosen already. */
  readonly leftOut: readonly string[];
  readonly onChoose: (urn: string) => void;
}

/** Chooses one entity after another by a part of its name. */
export function UrnPicker(props: UrnPickerProps) {
  const { label, placeholder = label, types, near = [], leftOut, onChoose } = props;
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const isMeant = ({ name }: EntityCard): boolean => name.toLowerCase().includes(text.trim().toLowerCase());
  const offered = useCards(near).filter(isMeant);
  const found = useSuggestions(text, types);
  const urns = [...new Set([...offered.map(({ urn }) => urn), ...found])].filter(
    (urn) => !leftOut.includes(urn),
  );
  const options = useCards(urns).map((card): SearchOption => ({
    id: card.urn,
    group: 'Entities',
    label: card.name,
    card,
    run: () => onChoose(card.urn),
  }));
  const isShown = isOpen && options.length > 0;
  const choose = (option: SearchOption): void => {
    option.run();
    setText('');
    setActive(0);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey } = event;
    const chosen = options[active];
    if (key === 'ArrowDown') setActive(Math.max(0, Math.min(active + 1, options.length - 1)));
    else if (key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (key === 'Enter' && !ctrlKey && !metaKey) {
      if (isShown && chosen !== undefined) choose(chosen);
    } else if (key === 'Escape' && isShown) setOpen(false);
    else return;
    if (key.startsWith('Arrow')) setOpen(true);
    event.preventDefault();
  };
  return (
    <div
      className={css.box}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <div className={css.field}>
        <Icon name="plus" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${listId}-${String(active)}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Options id={listId} options={options} active={active} isShown={isShown} choose={choose} isPopup />
    </div>
  );
}
