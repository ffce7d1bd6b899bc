import { keep, readKept } from './browser-storage';
import { Store } from './store';

export const THEMES = ['system', 'light', 'dark'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;

export interface Preferences {
  readonly theme: (typeof THEMES)[number];
  readonly density: (typeof DENSITIES)[number];
  /** The navigation shows icons alone. */
  readonly isCollapsed: boolean;
  /** The same on pages that need the width. */
  readonly isCollapsedOnWidePages: boolean;
  /** Single keys act, such as `/` for the search. */
  readonly hasKeys: boolean;
}

const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'comfortable',
  isCollapsed: false,
  isCollapsedOnWidePages: true,
  hasKeys: true,
};

function readPreferences(): Preferences {
  const kept = readKept('preferences');
  if (typeof kept !== 'object' || kept === null) return DEFAULTS;
  const { theme, density, isCollapsed, isCollapsedOnWidePages, hasKeys } = kept as Partial<
    Record<keyof Preferences, unknown>
  >;
  return {
    theme: THEMES.find((each) => each === theme) ?? DEFAULTS.theme,
    density: DENSITIES.find((each) => each === density) ?? DEFAULTS.density,
    isCollapsed: isCollapsed === true,
    isCollapsedOnWidePages: isCollapsedOnWidePages !== false,
    hasKeys: hasKeys !== false,
  };
}

/** The choices of a person, which the browser keeps. */
export const preferences = new Store<Preferences>(readPreferences());

export function prefer(changed: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...changed };
  keep('preferences', next);
  preferences.set(next);
  showPreferences();
}

/** Puts theme and density where the styles read them. */
export function showPreferences(): void {
  const { theme, density } = preferences.get();
  const { dataset } = document.documentElement;
  dataset.theme = theme;
  dataset.density = density;
}
