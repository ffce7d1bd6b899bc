import { useNavigate } from '@tanstack/react-router';
import type { EntityCard } from '../../data/entity-card';
import { PAGES_PATH } from '../../data/place';
import { prefer, preferences } from '../../data/preferences';
import { useCards } from '../../data/use-card';
import type { IconName } from '../icon/icon';

export interface SearchOption {
  readonly id: string;
  readonly group: 'Entities' | 'Go to' | 'Search' | 'Commands';
  readonly label: string;
  readonly detail?: string;
  readonly icon?: IconName;
  readonly card?: EntityCard;
  readonly keys?: readonly string[];
  readonly run: () => void;
}

/** What a typed text may lead to: entities, places of the first of them, all results; after `>` commands. */
export function useOptions(text: string, urns: readonly string[]): readonly SearchOption[] {
  const navigate = useNavigate();
  const cards = useCards(urns);
  const words = text.trim();
  if (text.startsWith('>')) return commandsFor(text.slice(1), (to) => void navigate({ to }));
  if (words === '') return [];
  const [first] = cards;
  const open = (urn: string) => (): void => void navigate({ to: '/e/$urn', params: { urn }, search: {} });
  return [
    ...cards.map((card): SearchOption => ({
      id: card.urn,
      group: 'Entities',
      label: card.name,
      card,
      run: open(card.urn),
    })),
    ...(first === undefined
      ? []
      : [
          {
            id: 'history',
            group: 'Go to',
            label: `History of ${first.name}`,
            detail: 'What changed, and when',
            icon: 'history',
            run: () => void navigate({ to: '/e/$urn/history', params: { urn: first.urn }, search: {} }),
          } satisfies SearchOption,
        ]),
    {
      id: 'all',
      group: 'Search',
      label: `All results for ${words}`,
      detail: 'In every type',
      icon: 'search',
      keys: ['Ctrl', '↵'],
      run: () => void navigate({ to: '/search', search: { q: words } }),
    },
  ];
}

function commandsFor(text: string, go: (to: '/' | '/search') => void): readonly SearchOption[] {
  const command = (label: string, icon: IconName, run: () => void): SearchOption => ({
    id: label,
    group: 'Commands',
    label,
    icon,
    run,
  });
  const { density, isCollapsed } = preferences.get();
  const all = [
    command('Go home', 'house', () => go('/')),
    command('Search everything', 'search', () => go('/search')),
    command('Use the light theme', 'sun', () => prefer({ theme: 'light' })),
    command('Use the dark theme', 'moon', () => prefer({ theme: 'dark' })),
    command('Use the theme of the system', 'sun', () => prefer({ theme: 'system' })),
    command(density === 'compact' ? 'Show comfortable rows' : 'Show compact rows', 'menu', () =>
      prefer({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    ),
    command(isCollapsed ? 'Expand the navigation' : 'Collapse the navigation', 'menu', () =>
      prefer({ isCollapsed: !isCollapsed }),
    ),
    command('Open the API reference', 'code', () =>
      location.assign(PAGES_PATH.replace(/\/ui$/, '/restli/docs')),
    ),
  ];
  const words = text.trim().toLowerCase().split(/\s+/);
  return all.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
