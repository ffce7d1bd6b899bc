import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useCard, useCards } from '../../data/use-card';
import { Icon } from '../icon/icon';
import { EntityMark } from './entity-link';
import { KindAndPath } from './entity-path';
import css from './hover-cards.module.css';

/** Long enough that a pointer on its way opens no card, and that it reaches the card it came from. **Units**: milliseconds. */
const OPEN_AFTER_MS = 400;
const CLOSE_AFTER_MS = 200;
/** Between the link and the card, and to the edge of the window. **Units**: pixels. */
const GAP = 6;
const MOST_OWNERS = 3;

/** The card of the entity whose chip the pointer or the focus is on, for all chips of a page. */
export function HoverCards() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const showLater = (next: HTMLElement | undefined, afterMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setAnchor(next), afterMs);
    };
    const close = (): void => showLater(undefined, 0);
    const onPointer = ({ target, pointerType }: PointerEvent): void => {
      if (pointerType === 'touch' || !(target instanceof Element)) return;
      if (card.current?.contains(target) === true) clearTimeout(timer);
      else showLater(chipOf(target), chipOf(target) === undefined ? CLOSE_AFTER_MS : OPEN_AFTER_MS);
    };
    const onFocus = ({ target }: FocusEvent): void => {
      const chip = target instanceof Element && target.matches(':focus-visible') ? chipOf(target) : undefined;
      showLater(chip, chip === undefined ? 0 : OPEN_AFTER_MS);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    const signal = new AbortController();
    const listen = { signal: signal.signal, capture: true };
    document.addEventListener('pointerover', onPointer, listen);
    document.addEventListener('focusin', onFocus, listen);
    document.addEventListener('keydown', onKey, listen);
    for (const name of ['pointerdown', 'focusout', 'scroll']) document.addEventListener(name, close, listen);
    return () => {
      clearTimeout(timer);
      signal.abort();
    };
  }, []);
  const urn = anchor?.dataset.card;
  if (anchor === undefined || urn === undefined || !anchor.isConnected) return null;
  return <HoverCard key={urn} urn={urn} anchor={anchor} place={card} />;
}

function chipOf(target: Element): HTMLElement | undefined {
  return target.closest<HTMLElement>('[data-card]') ?? undefined;
}

interface HoverCardProps {
  readonly urn: string;
  readonly anchor: HTMLElement;
  readonly place: React.RefObject<HTMLDivElement | null>;
}

function HoverCard({ urn, anchor, place }: HoverCardProps) {
  const id = useId();
  const card = useCard(urn);
  const owners = useCards(card.owners.slice(0, MOST_OWNERS));
  useLayoutEffect(() => {
    place.current?.showPopover();
    anchor.setAttribute('aria-describedby', id);
    return () => anchor.removeAttribute('aria-describedby');
  }, [anchor, id, place]);
  // Its size changes with what is known.
  useLayoutEffect(() => {
    if (place.current !== null) putBeside(place.current, anchor.getBoundingClientRect());
  });
  return (
    <div ref={place} id={id} role="tooltip" popover="manual" className={css.card}>
      <div className={css.name}>
        <EntityMark urn={urn} name={card.name} platform={card.platform} />
        <bdi>{card.name}</bdi>
      </div>
      <KindAndPath card={card} />
      {card.description !== undefined && <p className={css.description}>{card.description}</p>}
      {owners.length > 0 && (
        <p className={css.owners}>
          <Icon name="users" size={14} />
          <span>
            Owned by {owners.map(({ name }) => name).join(', ')}
            {card.owners.length > MOST_OWNERS && ` and ${String(card.owners.length - MOST_OWNERS)} more`}
          </span>
        </p>
      )}
    </div>
  );
}

/** Below the link where there is room, else above it, and within the window. */
function putBeside(card: HTMLElement, link: DOMRect): void {
  const { width, height } = card.getBoundingClientRect();
  const isBelow = link.bottom + GAP + height <= innerHeight || link.top < GAP + height;
  card.style.top = `${String(isBelow ? link.bottom + GAP : link.top - GAP - height)}px`;
  card.style.left = `${String(Math.max(GAP, Math.min(link.left, innerWidth - width - GAP)))}px`;
}
