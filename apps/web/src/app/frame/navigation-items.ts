import type { IconName } from '../../components/icon/icon';

export interface NavigationItem {
  readonly to:
    | '/'
    | '/search'
    | '/browse'
    | '/domains'
    | '/glossary'
    | '/changes'
    | '/operate'
    | '/operate/health'
    | '/operate/tasks'
    | '/operate/indices'
    | '/operate/dead-letters'
    | '/operate/tests'
    | '/operate/tokens'
    | '/operate/audit'
    | '/operate/policies';
  readonly label: string;
  readonly icon: IconName;
  /** Below the heading "Operate". */
  readonly isOfOperators?: boolean;
  /** In the bar at the bottom of phones too. */
  readonly isOnPhones?: boolean;
  /** In that bar alone. */
  readonly isForPhones?: boolean;
}

/** The places of the navigation, in order: a page adds its line here. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/', label: 'Home', icon: 'house', isOnPhones: true },
  { to: '/search', label: 'Search', icon: 'search', isOnPhones: true },
  { to: '/browse', label: 'Browse', icon: 'folder', isOnPhones: true },
  { to: '/domains', label: 'Domains', icon: 'layers' },
  { to: '/glossary', label: 'Glossary', icon: 'bookOpen' },
  { to: '/changes', label: 'Changes', icon: 'history' },
  {
    to: '/operate',
    label: 'Operate',
    icon: 'activity',
    isOfOperators: true,
    isOnPhones: true,
    isForPhones: true,
  },
  { to: '/operate/health', label: 'Health', icon: 'activity', isOfOperators: true },
  { to: '/operate/tasks', label: 'Tasks', icon: 'listChecks', isOfOperators: true },
  { to: '/operate/indices', label: 'Indices and sizes', icon: 'hardDrive', isOfOperators: true },
  { to: '/operate/dead-letters', label: 'Dead letters', icon: 'inbox', isOfOperators: true },
  { to: '/operate/tests', label: 'Metadata tests', icon: 'shieldCheck', isOfOperators: true },
  { to: '/operate/tokens', label: 'Tokens', icon: 'key', isOfOperators: true },
  { to: '/operate/audit', label: 'Audit', icon: 'scrollText', isOfOperators: true },
  { to: '/operate/policies', label: 'Policies', icon: 'lock', isOfOperators: true },
];
