import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon/icon';
import { API } from '../../data/place';
import { useMayOperate } from '../../data/use-may-operate';
import { NAVIGATION, type NavigationItem } from './navigation-items';
import { useCollapse } from './use-collapse';
import css from './frame.module.css';

export function Navigation() {
  const { isCollapsed, toggle } = useCollapse();
  const mayOperate = useMayOperate();
  const ofOperators = NAVIGATION.filter(
    ({ isOfOperators, isForPhones }) => isOfOperators === true && isForPhones !== true && mayOperate,
  );
  return (
    <nav className={css.navigation} aria-label="Main">
      <Link to="/" className={css.brand} aria-label="Stratalog, home">
        <span className={css.logo}>
          <Icon name="layers" size={20} />
        </span>
        <span className={css.word}>Stratalog</span>
      </Link>
      <ul>
        {NAVIGATION.filter(({ isOfOperators }) => isOfOperators !== true).map((item) => (
          <Place key={item.to} item={item} />
        ))}
      </ul>
      {ofOperators.length > 0 && (
        <>
          <p className={css.heading}>Operate</p>
          <ul>
            {ofOperators.map((item) => (
              <Place key={item.to} item={item} />
            ))}
          </ul>
        </>
      )}
      <div className={css.bottom}>
        <a className={css.place} href={`${API}/restli/docs`} title="API reference">
          <Icon name="code" size={18} /> <span className={css.word}>API reference</span>
        </a>
        <button
          type="button"
          className={css.place}
          aria-expanded={!isCollapsed}
          title={isCollapsed ? 'Expand' : 'Collapse'}
          onClick={toggle}
        >
          <Icon name="menu" size={18} />{' '}
          <span className={css.word}>{isCollapsed ? 'Expand' : 'Collapse'}</span>
        </button>
      </div>
    </nav>
  );
}

function Place({ item: { to, label, icon } }: { readonly item: NavigationItem }) {
  return (
    <li>
      <Link
        to={to}
        className={css.place}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        title={label}
      >
        <Icon name={icon} size={18} /> <span className={css.word}>{label}</span>
      </Link>
    </li>
  );
}

/** The navigation of phones. */
export function TabBar() {
  const mayOperate = useMayOperate();
  return (
    <nav className={css.tabs} aria-label="Main, at the bottom">
      {NAVIGATION.filter(
        ({ isOnPhones, isOfOperators }) => isOnPhones === true && (isOfOperators !== true || mayOperate),
      ).map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          className={css.tab}
          activeOptions={{ exact: to === '/', includeSearch: false }}
        >
          <Icon name={icon} size={20} /> {label}
        </Link>
      ))}
    </nav>
  );
}
