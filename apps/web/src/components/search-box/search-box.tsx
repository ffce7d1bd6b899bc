import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { callOptions, queryClient } from '../../data/use-call';
import { IconButton } from '../button/button';
import { Icon } from '../icon/icon';
import { Options } from './options';
import { autocompleteOf, distinctUrns, useSuggestions } from './use-suggestions';
import { useOptions, type SearchOption } from './use-options';
import css from './search-box.module.css';

interface SearchBoxProps {
  readonly kind: 'bar' | 'large' | 'dialog';
  readonly placeholder: string;
  /** The text to begin with, such as that of the search on the page. */
  readonly initial?: string;
  /** Called when a choice has led away. */
  readonly onDone?: () => void;
  readonly takesFocus?: boolean;
}

/** Finds an entity by a part of its name, and everything else by words: Enter opens the first, with Cmd or Ctrl all results. */
export function SearchBox({ kind, placeholder, initial = '', onDone, takesFocus = false }: SearchBoxProps) {
  const [text, setText] = useState(initial);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const navigate = useNavigate();
  const urns = useSuggestions(text.startsWith('>') ? '' : text);
  const options = useOptions(text, urns);
  const isShown = (isOpen || kind === 'dialog') && options.length > 0;
  useEffect(() => setText(initial), [initial]);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);

  const done = (): void => {
    setOpen(false);
    input.current?.blur();
    onDone?.();
  };
  const choose = (option: SearchOption): void => {
    done();
    option.run();
  };
  const searchAll = (): void => {
    done();
    void navigate({ to: '/search', search: { q: text.trim() } });
  };
  /** The suggestions of the text may still be under way. */
  const openFirst = async (): Promise<void> => {
    const chosen = active > 0 || text.startsWith('>') ? options[active] : undefined;
    if (chosen !== undefined) choose(chosen);
    if (chosen !== undefined || text.trim() === '') return;
    const parameters = autocompleteOf(text.trim());
    const answer = await queryClient
      .query(callOptions('POST /entities?action=autocomplete', parameters))
      .catch(() => undefined);
    const [urn] = answer === undefined ? [] : distinctUrns(answer);
    if (urn === undefined) {
      searchAll();
      return;
    }
    done();
    await navigate({ to: '/e/$urn', params: { urn }, search: {} });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = options.length - 1;
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, last));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) searchAll();
    else if (event.key === 'Enter') void openFirst();
    else if (event.key === 'Escape' && kind !== 'dialog') setOpen(false);
    else return;
    if (event.key !== 'Escape') setOpen(event.key !== 'Enter');
    event.preventDefault();
  };
  return (
    <div
      className={`${css.box ?? ''} ${css[kind] ?? ''}`}
      role="search"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <div className={css.field}>
        <Icon name="search" size={kind === 'bar' ? 16 : 18} />
        <input
          ref={input}
          role="combobox"
          aria-label="Search the catalog"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${listId}-${String(active)}` : undefined}
          data-search-field={kind === 'dialog' ? undefined : ''}
          autoComplete="off"
          spellCheck={false}
          maxLength={4_000}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        {text !== '' ? (
          <IconButton
            icon="x"
            label="Empty the search"
            onClick={() => {
              setText('');
              input.current?.focus();
            }}
          />
        ) : kind === 'dialog' ? (
          <IconButton icon="x" label="Close the search" onClick={done} />
        ) : (
          <kbd aria-hidden="true">/</kbd>
        )}
      </div>
      <Options
        id={listId}
        options={options}
        active={active}
        isShown={isShown}
        choose={choose}
        isPopup={kind !== 'dialog'}
      />
    </div>
  );
}
