import { useEffect, useRef } from 'react';
import { KindAndPath } from '../entity/entity-path';
import { Tile } from '../entity/tile';
import { Icon } from '../icon/icon';
import type { SearchOption } from './use-options';
import css from './search-box.module.css';

interface OptionsProps {
  readonly id: string;
  readonly options: readonly SearchOption[];
  readonly active: number;
  readonly isShown: boolean;
  readonly isPopup: boolean;
  readonly choose: (option: SearchOption) => void;
}

/** The list below a search box. The focus stays in the box. */
export function Options({ id, options, active, isShown, isPopup, choose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      hidden={!isShown}
      className={`${css.options ?? ''} ${isPopup ? (css.popup ?? '') : ''}`}
    >
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <div className={css.group} aria-hidden="true">
            {group}
          </div>
          {options.map((option, at) =>
            option.group === group ? (
              // The keys of the box choose among the options.
              <div
                key={option.id}
                id={`${id}-${String(at)}`}
                role="option"
                aria-selected={at === active}
                tabIndex={-1}
                className={css.option}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
                onKeyDown={() => undefined}
              >
                <OptionContent option={option} />
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

function OptionContent({ option }: { readonly option: SearchOption }) {
  const { label, detail, card, icon, keys = [] } = option;
  return (
    <>
      {card === undefined ? (
        <span className={css.mark}>
          <Icon name={icon ?? 'search'} size={14} />
        </span>
      ) : (
        <Tile type={card.type} platform={card.platform} />
      )}
      <span className={css.words}>
        <bdi className={css.label}>{label}</bdi>
        {card === undefined ? (
          detail !== undefined && <span className={css.detail}>{detail}</span>
        ) : (
          <KindAndPath card={card} />
        )}
      </span>
      {keys.map((key) => (
        <kbd key={key} aria-hidden="true">
          {key}
        </kbd>
      ))}
    </>
  );
}
