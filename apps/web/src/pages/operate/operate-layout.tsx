import { Link, Outlet } from '@tanstack/react-router';
import { NAVIGATION } from '../../app/frame/navigation-items';
import { useCurrentInView } from '../../app/frame/use-current-in-view';
import css from './operate.module.css';

/** What surrounds the pages of operators: on phones, whose bar has one place for all of them, a list of them. */
export function OperateLayout() {
  const bar = useCurrentInView();
  return (
    <>
      <nav ref={bar} className={css.places} aria-label="Operate">
        {NAVIGATION.filter(
          ({ isOfOperators, isForPhones }) => isOfOperators === true && isForPhones !== true,
        ).map(({ to, label }) => (
          <Link key={to} to={to} className={css.place} activeOptions={{ includeSearch: false }}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
