import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { HoverCards } from '../../components/entity/hover-cards';
import { Icon } from '../../components/icon/icon';
import { Dialog } from '../../components/overlay/dialog';
import { SearchBox } from '../../components/search-box/search-box';
import { navigation } from '../../data/navigation-state';
import { AccountMenu } from './account-menu';
import { Freshness } from './freshness';
import { Navigation, TabBar } from './navigation';
import { OfflineBand } from './offline-band';
import { ShortcutsDialog } from './shortcuts-dialog';
import { useCollapse } from './use-collapse';
import { useKeys } from './use-keys';
import css from './frame.module.css';

/** What surrounds every page: navigation, search, freshness, account. */
export function Frame() {
  const [opened, setOpened] = useState<'commands' | 'shortcuts'>();
  const { isCollapsed, toggle } = useCollapse();
  useKeys(setOpened, toggle);
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [first] = useState(pathname);
  useEffect(() => {
    if (pathname !== undefined && pathname !== first) navigation.hasMoved = true;
  }, [pathname, first]);
  const close = (): void => setOpened(undefined);
  return (
    <div className={`${css.frame ?? ''} ${isCollapsed ? (css.collapsed ?? '') : ''}`}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <Navigation />
      <div className={css.page}>
        <TopBar openSearch={() => setOpened('commands')} openShortcuts={() => setOpened('shortcuts')} />
        <OfflineBand />
        <main id="main" tabIndex={-1} className={css.main}>
          <Outlet />
          <HoverCards />
        </main>
      </div>
      <TabBar />
      {opened === 'commands' && (
        <Dialog label="Search and commands" kind="top" onClose={close}>
          <SearchBox kind="dialog" placeholder="Search, or > for commands" takesFocus onDone={close} />
        </Dialog>
      )}
      {opened === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </div>
  );
}

interface TopBarProps {
  readonly openSearch: () => void;
  readonly openShortcuts: () => void;
}

function TopBar({ openSearch, openShortcuts }: TopBarProps) {
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const isHome = pathname === '/';
  const q = pathname === '/search' && typeof search.q === 'string' ? search.q : '';
  return (
    <header className={css.top}>
      <div className={css.searchPlace}>
        {!isHome && <SearchBox kind="bar" placeholder="Search tables, columns, people, terms" initial={q} />}
      </div>
      <button type="button" className={css.phoneSearch} onClick={openSearch}>
        <Icon name="search" /> <span>{q === '' ? 'Search' : q}</span>
      </button>
      <Freshness />
      <AccountMenu openShortcuts={openShortcuts} />
    </header>
  );
}
