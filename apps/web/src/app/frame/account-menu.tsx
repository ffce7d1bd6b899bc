import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../../components/icon/icon';
import { Menu } from '../../components/overlay/menu';
import { signOut, token } from '../../data/catalog';
import { DENSITIES, THEMES, prefer, preferences } from '../../data/preferences';
import { useStore } from '../../data/store';
import { toWords } from '../../data/words';
import css from './frame.module.css';

export function AccountMenu({ openShortcuts }: { readonly openShortcuts: () => void }) {
  const { theme, density } = useStore(preferences);
  const isSignedIn = useStore(token) !== undefined;
  const navigate = useNavigate();
  const session = isSignedIn
    ? { label: 'Sign out', run: signOut }
    : { label: 'Sign in', run: () => void navigate({ to: '/sign-in', search: {} }) };
  return (
    <Menu
      label="Account and appearance"
      triggerClass={css.account}
      trigger={<Icon name="user" size={18} />}
      groups={[
        {
          title: 'Theme',
          items: THEMES.map((each) => ({
            label: toWords(each),
            isChosen: theme === each,
            run: () => prefer({ theme: each }),
          })),
        },
        {
          title: 'Rows',
          items: DENSITIES.map((each) => ({
            label: toWords(each),
            isChosen: density === each,
            run: () => prefer({ density: each }),
          })),
        },
        {
          items: [
            { label: 'Keyboard shortcuts', icon: 'info', run: openShortcuts },
            { ...session, icon: 'user' },
          ],
        },
      ]}
    />
  );
}
