import type { IconName } from '../../components/icon/icon';

export interface NavigationItem {
  readonly to: '/' | '/search';
  readonly label: string;
  readonly icon: IconName;
  /** Below the heading "Operate". */
  readonly isOfOperators?: boolean;
  /** In the bar at the bottom of phones too. */
  readonly isOnPhones?: boolean;
}

/** The places of the navigation, in order: a page adds its line here. */
export const NAVIGATION: readonly NavigationItem[] = [
  { to: '/', label: 'Home', icon: 'house', isOnPhones: true },
  { to: '/search', label: 'Search', icon: 'search', isOnPhones: true },
];
