import { useLocation, useNavigate } from '@tanstack/react-router';
import { Icon } from '../../components/icon/icon';
import { Menu } from '../../components/overlay/menu';
import { call, signOut, token } from '../../data/catalog';
import { DENSITIES, THEMES, prefer, preferences } from '../../data/preferences';
import { useStore } from '../../data/store';
import { onSignInNeeded, queryClient, useCall } from '../../data/use-call';
import { toWords } from '../../data/words';
import css from './frame.module.css';

export function AccountMenu({ openShortcuts }: { readonly openShortcuts: () => void }) {
  const { theme, density } = useStore(preferences);
  const hasToken = useStore(token) !== undefined;
  const session = useSession(!hasToken);
  const navigate = useNavigate();
  const account = hasToken
    ? { label: 'Sign out', run: signOut }
    : session !== undefined
      ? { label: `Sign out ${session.name}`, run: () => void endSession() }
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
            { ...account, icon: 'user' },
          ],
        },
      ]}
    />
  );
}

/** The session of a person who signed in at the identity provider. */
function useSession(isWanted: boolean): { readonly name: string } | undefined {
  const { data: config } = useCall('GET /config', undefined, { isLasting: true });
  const isHere = useLocation({ select: ({ pathname }) => pathname !== '/sign-in' });
  const { data } = useCall('GET /session', undefined, {
    isWanted: isWanted && isHere && config?.signIn !== undefined,
  });
  return data?.isSession === true ? data : undefined;
}

async function endSession(): Promise<void> {
  await call('DELETE /session');
  queryClient.clear();
  onSignInNeeded.open();
}
